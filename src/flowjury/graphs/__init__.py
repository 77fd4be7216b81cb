"""The kinds of workflow file, one file each; each becomes the same static `Workflow`."""
