"""The kinds of check, one file each; files whose names start with an underscore are shared parts."""
