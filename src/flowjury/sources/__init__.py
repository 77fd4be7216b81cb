"""The sources: trace files of other tools, one file each; each becomes the same `Trace`."""
