"""The kinds of check, one file each; a file whose name starts with an underscore is shared."""
