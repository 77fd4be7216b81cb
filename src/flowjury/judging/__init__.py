"""Judging: evidence becomes requests, answers become decisions; no judge is called here."""

from __future__ import annotations

from flowjury.judging import chat
from flowjury.judging.answering import check_answer, content_hash
from flowjury.judging.asking import ask
from flowjury.judging.changes import changed
from flowjury.judging.fencing import fenced, readable
from flowjury.judging.projection import Unaskable
from flowjury.judging.replying import Reply, content_of, read_reply
from flowjury.judging.weighing import decide

__all__ = [
    "Reply",
    "Unaskable",
    "ask",
    "changed",
    "chat",
    "check_answer",
    "content_hash",
    "content_of",
    "decide",
    "fenced",
    "read_reply",
    "readable",
]
