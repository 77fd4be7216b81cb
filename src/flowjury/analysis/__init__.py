"""Questions to graphs, suites and traces, asked without running anything."""
