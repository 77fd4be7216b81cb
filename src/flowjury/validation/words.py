"""Words of JSON for the types and bounds that pydantic names in words of Python."""

from __future__ import annotations

import re
from typing import Final

from flowjury.validation.problem import Problem

_TYPES: Final = {
    "string_type": "a string",
    "string_unicode": "a string without lone surrogates",
    "int_type": "an integer",
    "int_parsing": "an integer",
    "int_from_float": "an integer",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "an array",
    "tuple_type": "an array",
    "set_type": "an array",
    "frozen_set_type": "an array",
    "dict_type": "an object",
    "mapping_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "none_required": "null",
}

BOUNDS: Final = {
    "greater_than": "is not greater than {gt}",
    "greater_than_equal": "is not at least {ge}",
    "less_than": "is not less than {lt}",
    "less_than_equal": "is not at most {le}",
    "multiple_of": "is not a multiple of {multiple_of}",
    "string_too_short": "is too short; the minimum length is {min_length}",
    "string_too_long": "is too long; the maximum length is {max_length}",
    "too_short": "is too short; the minimum length is {min_length}",
    "too_long": "is too long; the maximum length is {max_length}",
    "string_pattern_mismatch": "does not match the pattern {pattern}",
}

_LISTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\bor\b|([^\s,']+)")


def is_mismatch(problem: Problem) -> bool:
    """Tell whether a value is refused as a whole: by its type or as a literal."""
    return problem.type in _TYPES or problem.type in ("literal_error", "enum")


def wanted(problem: Problem) -> str | None:
    """Return the type that a mismatch wants, in words; None if it wants certain values."""
    return _TYPES.get(problem.type)


def choices(problem: Problem) -> list[str]:
    """Return the values or tags that pydantic lists as allowed, in its order."""
    context = problem.context
    listed = str(context.get("expected_tags", context.get("expected", "")))
    return [text or bare for text, bare in _LISTED.findall(listed) if text or bare]
