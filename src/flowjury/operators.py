"""The operators of checks: what each expects, and when it holds for a value that was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache, partial
from operator import eq, ge, gt, le, lt
from typing import TYPE_CHECKING, Final, TypeAlias

from flowjury.json_values import TYPE_NAMES, equal, matches, short, type_name
from flowjury.pointer import nearest

if TYPE_CHECKING:
    from flowjury.model import Json  # model loads pydantic, which is not needed here


class Unset(Enum):
    """The type of UNSET."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET
"""No value was given, which is not null."""

_Answer: TypeAlias = bool | None
_Fold: TypeAlias = Callable[["Json"], "Json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """One operator: the value it wants, when it holds, how case is ignored."""

    wants: str
    """What the expected value must be, for messages; empty if the operator takes none."""
    accepts: Callable[[Json], bool]
    holds: Callable[[Json, Json], _Answer]
    fold: tuple[_Fold, _Fold] | None = None
    """What makes of the actual and the expected value one in which case does not count."""


def fault(op: str, value: Json | Unset = UNSET, ignore_case: bool = False) -> str | None:  # noqa: FBT001, FBT002 - a field of the suite format
    """Say what is wrong with the operator, its expected value or `ignore_case`; None if nothing."""
    operator = OPERATORS.get(op)
    if operator is None:
        near = nearest(op, OPERATORS)
        hint = f"; nearest is {near!r}" if near else f"; there are {', '.join(OPERATORS)}"
        return f"{op!r} is not an operator{hint}"
    if ignore_case and not (operator.fold and (value is UNSET or _is_text(value))):
        return f"{op} cannot ignore case here: that is for text values of {', '.join(_TEXT)}"
    if not operator.wants:
        return None if value is UNSET else f"{op} takes no value, not {short(value)}"
    if value is UNSET:
        return f"{op} needs a value: {operator.wants}"
    if not operator.accepts(value):
        return f"{op} needs {operator.wants}, not {short(value)}"
    return _pattern_fault(value) if op == "regex" else None


def holds(op: str, actual: Json, expected: Json = UNSET, ignore_case: bool = False) -> _Answer:  # noqa: FBT001, FBT002 - a field of the suite format
    """Tell whether the operator holds for a value that was found; None: it cannot be said."""
    operator = OPERATORS[op]
    if ignore_case and operator.fold:
        fold_actual, fold_expected = operator.fold
        actual, expected = fold_actual(actual), fold_expected(expected)
    return operator.holds(actual, expected)


def _is_text(value: Json) -> bool:
    """Tell whether case can be ignored in it: a string, or a list of nothing else."""
    items = value if isinstance(value, list) else [value]
    return all(isinstance(item, str) for item in items)


def _folded(value: Json) -> Json:
    """Casefold a string, and the strings of a list; what lies deeper is no text."""
    if isinstance(value, list):
        return [item.casefold() if isinstance(item, str) else item for item in value]
    return value.casefold() if isinstance(value, str) else value


@lru_cache(maxsize=256)
def _search(pattern: str) -> Callable[[str], object]:
    """Compile under RE2, in linear time and without its log."""
    import re2  # noqa: PLC0415 - heavy (a C++ library); only suites with a regex load it

    options = re2.Options()
    options.log_errors = False
    try:
        search: Callable[[str], object] = re2.compile(pattern, options).search
    except re2.error as error:
        reason = error.args[0]
        raise ValueError(reason.decode() if isinstance(reason, bytes) else reason) from error
    return search


def _pattern_fault(pattern: str) -> str | None:
    try:
        _search(pattern)
    except ValueError as error:  # so is the one about a lone surrogate
        return f"regex is not one that RE2 can compile: {short(pattern)}: {error}"
    return None


def _found_by_regex(actual: Json, pattern: str) -> _Answer:
    if not isinstance(actual, str):
        return False
    try:
        return _search(pattern)(actual) is not None
    except UnicodeEncodeError:  # a lone surrogate, which RE2 cannot read
        return None


def _contains(actual: Json, expected: Json) -> bool:
    if isinstance(actual, str):
        return isinstance(expected, str) and expected in actual
    return isinstance(actual, list) and any(matches(item, expected) for item in actual)


def _not(holds: Callable[[Json, Json], bool], actual: Json, expected: Json) -> bool:
    return not holds(actual, expected)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _compared(compare: Callable[[Json, Json], bool], actual: Json, expected: Json) -> bool:
    return _is_number(actual) and compare(actual, expected)


def _is_length(value: Json) -> bool:
    return type(value) is int and value >= 0


def _measured(compare: Callable[[int, int], bool], actual: Json, expected: int) -> bool:
    return isinstance(actual, str | list | dict) and compare(len(actual), expected)


def _is_names(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_type(value: Json) -> bool:
    names = value if isinstance(value, list) else [value]
    return bool(names) and all(name in TYPE_NAMES for name in names)


def _of_type(actual: Json, expected: Json) -> bool:
    names = expected if isinstance(expected, list) else [expected]
    name = type_name(actual)
    return name in names or (name == "integer" and "number" in names)


def _affixed(test: Callable[[str, str], bool], actual: Json, expected: str) -> bool:
    return isinstance(actual, str) and test(actual, expected)


def _keyed(compare: Callable[[Json, Json], bool], actual: Json, expected: list[str]) -> bool:
    return isinstance(actual, dict) and compare(actual.keys(), set(expected))


def _is_approximation(value: Json) -> bool:
    """Accept a number, or {value, tolerance} or {value, relative} with a bound from 0 on."""
    if not isinstance(value, dict):
        return _is_number(value)
    bounds = value.keys() - {"value"}
    return (
        bounds in ({"tolerance"}, {"relative"})
        and all(map(_is_number, value.values()))
        and "value" in value
        and all(value[bound] >= 0 for bound in bounds)
    )


def _approx(actual: Json, expected: Json) -> bool:
    if not _is_number(actual):
        return False
    bound = expected if isinstance(expected, dict) else {"value": expected, **_DEFAULT_BOUND}
    value = _fraction(bound["value"])
    allowed = (
        _fraction(bound["tolerance"])
        if "tolerance" in bound
        else _fraction(bound["relative"]) * abs(value)
    )
    return abs(_fraction(actual) - value) <= allowed


def _fraction(number: Json) -> Fraction:
    """Take the decimals as written, so that 0.4 is within 0.1 of 0.3."""
    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))


_DEFAULT_BOUND = {"relative": 1e-6}
_FOLDED = (_folded, _folded)
_FOLDED_BY_RE2 = (lambda actual: actual, "(?i){}".format)  # casefolding would change its escapes
_LENGTH = partial(Operator, wants="a non-negative integer", accepts=_is_length)
_NUMBER = partial(Operator, wants="a number", accepts=_is_number)
_STRING = partial(Operator, wants="a string", accepts=lambda value: isinstance(value, str))
_KEYS = partial(Operator, wants="a list of strings", accepts=_is_names)
_ANY = partial(Operator, wants="any JSON value", accepts=lambda _: True)
_NONE = partial(Operator, wants="", accepts=lambda _: False)

OPERATORS: Final[dict[str, Operator]] = {
    "equals": _ANY(holds=equal, fold=_FOLDED),
    "not_equals": _ANY(holds=partial(_not, equal), fold=_FOLDED),
    "matches": _ANY(holds=matches),
    "contains": _ANY(holds=_contains, fold=_FOLDED),
    "not_contains": _ANY(holds=partial(_not, _contains), fold=_FOLDED),
    "exists": _NONE(holds=lambda *_: True),
    "absent": _NONE(holds=lambda *_: False),
    "type": Operator(
        wants=f"one of {', '.join(TYPE_NAMES)}, or a list of them",
        accepts=_is_type,
        holds=_of_type,
    ),
    "gt": _NUMBER(holds=partial(_compared, gt)),
    "gte": _NUMBER(holds=partial(_compared, ge)),
    "lt": _NUMBER(holds=partial(_compared, lt)),
    "lte": _NUMBER(holds=partial(_compared, le)),
    "length": _LENGTH(holds=partial(_measured, eq)),
    "min_length": _LENGTH(holds=partial(_measured, ge)),
    "max_length": _LENGTH(holds=partial(_measured, le)),
    "regex": _STRING(holds=_found_by_regex, fold=_FOLDED_BY_RE2),
    "starts_with": _STRING(holds=partial(_affixed, str.startswith), fold=_FOLDED),
    "ends_with": _STRING(holds=partial(_affixed, str.endswith), fold=_FOLDED),
    "has_keys": _KEYS(holds=partial(_keyed, ge)),
    "only_keys": _KEYS(holds=partial(_keyed, le)),
    "one_of": Operator(
        wants="a non-empty list",
        accepts=lambda value: isinstance(value, list) and bool(value),
        holds=lambda actual, expected: any(equal(actual, item) for item in expected),
        fold=_FOLDED,
    ),
    "approx": Operator(
        wants="a number, or {value, tolerance} or {value, relative} with a bound of at least 0",
        accepts=_is_approximation,
        holds=_approx,
    ),
}
"""Every operator by its name, in the order of the documentation."""

NEGATIVE: Final = frozenset({"not_equals", "not_contains", "absent"})
"""The operators that assert an absence: where the pointer does not resolve, they cannot pass."""

_TEXT = tuple(name for name, operator in OPERATORS.items() if operator.fold)
