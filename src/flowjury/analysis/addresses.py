"""The addresses: pointers of a suite into the evidence, as far as they can be known wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from flowjury.layout import INDEX, SUITE_KEYS, stranger
from flowjury.names import Names, unknown
from flowjury.pointer import join, parse


@dataclass(frozen=True, slots=True)
class Place:
    """Whose evidence a pointer is followed in."""

    kind: Literal["suite", "case", "step"]
    steps: tuple[str, ...] = ()
    """Ids of the turns of a case."""


def address_fault(at: str, place: Place, names: Names) -> str | None:
    """Say why a pointer can never lead anywhere."""
    tokens = parse(at)
    if not tokens:
        return None
    if place.kind == "suite":
        known = tokens[0] in SUITE_KEYS
        return None if known else unknown("key of the suite's evidence", tokens[0], SUITE_KEYS)
    if tokens[0] == "steps":
        return _of_steps(tokens, place, names)
    return _strange(tokens) or _of_node(tokens, names)


def _of_steps(tokens: tuple[str, ...], place: Place, names: Names) -> str | None:
    if place.kind == "step":
        return "a step sees its own turn only: write the pointer without /steps/…"
    if not place.steps:
        return "the case has no steps"
    if len(tokens) == 1:
        return None
    if tokens[1] not in place.steps:
        return unknown("step", tokens[1], place.steps)
    return address_fault(join(tokens[2:]), Place("step"), names)


def _strange(tokens: tuple[str, ...]) -> str | None:
    found = stranger(tokens)
    if found is None:
        return None
    above = join(tokens[: found.place]) or "the evidence"
    if found.known == INDEX:
        return f"{found.token!r} is no index into {above}; write a number from 0"
    return unknown(f"key of {above}", found.token, found.known)


def _of_node(tokens: tuple[str, ...], names: Names) -> str | None:
    """Say that a node of a pointer is unknown; here its name is written in full."""
    if tokens[0] != "nodes" or len(tokens) == 1 or names.nodes is None:
        return None
    if tokens[1] in names.nodes:
        return None
    full = names.node(tokens[1])
    if full != tokens[1]:
        return f"a pointer has the full name of a node: write /nodes/{full}"
    return names.node_fault(tokens[1])
