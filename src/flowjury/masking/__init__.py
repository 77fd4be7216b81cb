"""The masking: which parts of a JSON value are secrets, and the value without them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from flowjury.masking.keys import SECRET_KEYS, Hidden, Rule, Rules, rules_of
from flowjury.masking.texts import MASK, SHORTEST, masked_text

if TYPE_CHECKING:
    from flowjury.model import Json  # model loads pydantic, which is not needed here

__all__ = ["MASK", "SECRET_KEYS", "hides", "masked", "masked_text"]


def masked(value: Json, extra_keys: Iterable[str] = ()) -> Json:
    """Return the value with its secrets replaced; the same object if it holds none."""
    return _masked(value, rules_of(tuple(extra_keys)))


def hides(key: str) -> bool:
    """Tell whether what stands under a key is a secret, without the keys of a suite."""
    rule = rules_of(())[key]
    return rule is not None and rule.hidden is not None


def _masked(value: Json, rules: Rules) -> Json:
    kind = type(value)
    if kind is str:
        return value if len(value) < SHORTEST else masked_text(value)
    if kind is dict:
        return _object(value, rules)
    return _array(value, rules) if kind is list else value


def _object(members: dict[str, Json], rules: Rules) -> Json:
    changed: dict[str, tuple[str, Json]] = {}
    pair = _labelled(members, rules) if "value" in members else None
    for key, item in members.items():
        rule = rules[key]
        if rule is None and pair is not None and key == "value":
            rule = pair
        if rule is not None:
            new = _under(rule.hidden, item, rules)
            if new is not item or rule.key != key:
                changed[key] = (rule.key, new)
        elif (kind := type(item)) is str or kind is dict or kind is list:
            new = _masked(item, rules)
            if new is not item:
                changed[key] = (key, new)
    return _rebuilt(members, changed) if changed else members


def _labelled(members: dict[str, Json], rules: Rules) -> Rule | None:
    """Return the rule for `value` beside a secret's name, as in a list of headers."""
    name = members.get("name", members.get("key"))
    rule = rules[name] if type(name) is str else None
    return None if rule is None else Rule("value", rule.hidden)


def _rebuilt(members: dict[str, Json], changed: Mapping[str, tuple[str, Json]]) -> Json:
    """Return the members in their order; keys that are alike when masked are numbered."""
    taken = {key for key in members if key not in changed or changed[key][0] == key}
    names: dict[str, str] = {}
    for key in sorted(changed):
        name = changed[key][0]
        names[key] = name if name == key else next(n for n in _numbered(name) if n not in taken)
        taken.add(names[key])
    return {names.get(key, key): changed.get(key, (key, item))[1] for key, item in members.items()}


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}{number}"
        number += 1


def _array(items: list[Json], rules: Rules) -> Json:
    copied = [_masked(item, rules) for item in items]
    same = all(new is item for new, item in zip(copied, items, strict=True))
    return items if same else copied


def _under(hidden: Hidden | None, value: Json, rules: Rules) -> Json:
    """Mask what stands under a secret's key, lists and objects whole."""
    if hidden is None or (hidden == "texts" and not _holds_text(value)):
        return _masked(value, rules)
    return value if value is None or isinstance(value, bool) or value in ([], {}) else MASK


def _holds_text(value: Json) -> bool:
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return any(map(_holds_text, inner))
    return isinstance(value, str)
