"""The recorders: how what an engine runs is observed while it runs, one file for each engine."""
