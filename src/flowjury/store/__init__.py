"""The store: every byte that is read from or written to a disk or a database."""
