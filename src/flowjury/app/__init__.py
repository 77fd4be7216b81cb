"""The use cases: each face calls them, and none of them prints."""
