"""The recorders: how what an engine runs is observed while it runs, one file for each engine.

A recorder defines `recognises(found) -> bool`, which tells an object of its engine and imports
nothing, and `prepared(found, make=None) -> Prepared`; `make` makes such an object afresh.
"""
