"""The report: `model` says what it is, `build` makes it from suite, run, traces and answers."""

from __future__ import annotations

from flowjury.decision import CriterionReport, Decision, RubricReport
from flowjury.report.model import (
    CaseReport,
    GateReport,
    Report,
    StepReport,
    TrialReport,
    Unused,
)

__all__ = [
    "CaseReport",
    "CriterionReport",
    "Decision",
    "GateReport",
    "Report",
    "RubricReport",
    "StepReport",
    "TrialReport",
    "Unused",
]
