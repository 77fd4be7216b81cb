"""The targets: how a case becomes a trace, one file for each kind."""
