"""The statements of the run store that are longer than a line."""

from __future__ import annotations

from typing import Final

RUN: Final = "SELECT record, workflow, finished FROM runs"
CASE: Final = """
    SELECT case_id, trial, parts, sources, fault, replayed, seconds, trace, printed, notes
    FROM cases
"""
LISTED: Final = """
    SELECT runs.record, runs.finished, count(cases.number), count(cases.fault)
    FROM runs LEFT JOIN cases ON cases.run = runs.id
    GROUP BY runs.number ORDER BY runs.number DESC
"""
KEEP: Final = """
    INSERT INTO cases (
        run, position, case_id, trial, parts, sources, fault, replayed, seconds, trace, printed,
        notes
    )
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (run, case_id, trial) DO UPDATE SET
        position = excluded.position, parts = excluded.parts, sources = excluded.sources,
        fault = excluded.fault, replayed = excluded.replayed, seconds = excluded.seconds,
        trace = excluded.trace, printed = excluded.printed, notes = excluded.notes
"""
COPY: Final = """
    INSERT OR REPLACE INTO cases (
        run, position, case_id, trial, parts, sources, fault, replayed, seconds, trace, printed,
        notes
    )
    SELECT ?, ?, case_id, trial, parts, sources, fault, replayed, seconds, trace, printed, notes
    FROM cases WHERE run = ? AND case_id = ? AND trial = ?
"""
