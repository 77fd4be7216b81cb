"""The command line: arguments in, text and exit code out; no logic."""
