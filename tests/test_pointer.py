from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.json_values import opaque
from flowjury.pointer import Found, Missing, Opaque, join, nearest, parse, resolve

DOCUMENT = {
    "order": {"amount": 700, "lines": [{"id": "a"}, {"id": "b"}], "note": None, "paid": True},
    "text": "hello",
    "": 0,
    "a/b": 1,
    "m~n": 2,
    "~1": 3,
    "é": 4,
    "one": [1],
    "raw": opaque("bytes", "b''"),
    "mixed": {"good": 1, "bad": [opaque("float", "nan")]},
}


@pytest.mark.parametrize(
    ("pointer", "tokens"),
    [
        ("", ()),
        ("/", ("",)),
        ("/a", ("a",)),
        ("/a/", ("a", "")),
        ("/a//b", ("a", "", "b")),
        ("/a~1b/m~0n", ("a/b", "m~n")),
        ("/~01", ("~1",)),
        ("/é ", ("é ",)),
    ],
)
def test_a_pointer_and_its_tokens_are_one(pointer, tokens):
    assert parse(pointer) == tokens
    assert join(tokens) == pointer


@given(st.lists(st.text(st.sampled_from("a~/01é"), max_size=5)))
def test_joined_tokens_parse_back(tokens):
    assert parse(join(tokens)) == tuple(tokens)


@pytest.mark.parametrize(
    ("pointer", "message"),
    [
        ("a", "'a' must be empty or start with '/'; perhaps '/a' is meant"),
        ("#/a", "'#/a' must be empty or start with '/'; perhaps '/a' is meant"),
        ("$.a.b", "'$.a.b' must be empty or start with '/'; perhaps '/a/b' is meant"),
        ("/a~", "'/a~' has a bare '~' at 2; write '~0' for '~', '~1' for '/'"),
        ("/a~2b", "'/a~2b' has a bare '~' at 2; write '~0' for '~', '~1' for '/'"),
    ],
)
def test_what_is_no_pointer_is_refused_with_what_would_be(pointer, message):
    with pytest.raises(ValueError, match=r".") as refusal:
        parse(pointer)

    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", 1),
        ("/", 0),
        ("/order/amount", 700),
        ("/order/lines/1/id", "b"),
        ("/order/lines/0", {"id": "a"}),
        ("/order/note", None),
        ("/a~1b", 1),
        ("/m~0n", 2),
        ("/~01", 3),
        ("/é", 4),
        ("/mixed/good", 1),
    ],
)
def test_a_pointer_leads_to_its_value(pointer, value):
    document = DOCUMENT if pointer else value

    assert resolve(document, pointer) == Found(value)


@pytest.mark.parametrize("pointer", ["", "/raw", "/raw/text", "/mixed", "/mixed/bad/0/x"])
def test_a_pointer_to_or_through_what_was_not_recorded_is_opaque(pointer):
    assert resolve(DOCUMENT, pointer) == Opaque(pointer)


@pytest.mark.parametrize(
    ("pointer", "parent_resolved", "sentence"),
    [
        ("/order/amout", True, "/order resolves, 'amout' is not a key there; nearest is 'amount'"),
        (
            "/order/AMOUNT",
            True,
            "/order resolves, 'AMOUNT' is not a key there; nearest is 'amount'",
        ),
        ("/order/zzz", True, "/order resolves, 'zzz' is not a key there"),
        ("/ordr/a", False, "the document resolves, 'ordr' is not a key there; nearest is 'order'"),
        ("/order/lines/3", True, "/order/lines resolves, index 3 is past the end (2 items)"),
        ("/order/lines/3/id", False, "/order/lines resolves, index 3 is past the end (2 items)"),
        ("/one/1", True, "/one resolves, index 1 is past the end (1 item)"),
        (
            "/one/01",
            False,
            "/one resolves, '01' is not an index of the array there (1 item)",
        ),
        ("/one/-", False, "/one resolves, '-' is not an index of the array there (1 item)"),
        ("/one/-1", False, "/one resolves, '-1' is not an index of the array there (1 item)"),
        (
            "/one/\u0660",
            False,
            "/one resolves, '\u0660' is not an index of the array there (1 item)",
        ),
        (
            "/one/" + "9" * 5000,
            True,
            f"/one resolves, index {'9' * 40} is past the end (1 item)",
        ),
        ("/text/0", False, "/text is a string, it has no keys"),
        ("/order/amount/x/y", False, "/order/amount is an integer, it has no keys"),
        ("/order/note/x", False, "/order/note is null, it has no keys"),
        ("/order/paid/x", False, "/order/paid is a boolean, it has no keys"),
    ],
)
def test_a_missing_value_says_how_far_the_pointer_led(pointer, parent_resolved, sentence):
    missing = resolve(DOCUMENT, pointer)

    assert isinstance(missing, Missing)
    assert (missing.sentence(), missing.parent_resolved) == (sentence, parent_resolved)


def test_a_missing_value_carries_its_parts():
    assert resolve(DOCUMENT, "/order/amout/x") == Missing(
        pointer="/order/amout/x",
        resolved="/order",
        token="amout",
        reason="resolves, 'amout' is not a key there; nearest is 'amount'",
        nearest="amount",
        parent_resolved=False,
    )


def test_a_long_missing_key_is_cut_in_its_sentence():
    missing = resolve({"a": 1}, "/" + "k" * 5000)

    assert isinstance(missing, Missing)
    assert missing.reason == f'resolves, "{"k" * 119}… (5,000 characters) is not a key there'


def test_a_malformed_pointer_is_not_resolved():
    with pytest.raises(ValueError, match="must be empty or start"):
        resolve(DOCUMENT, "order")


@pytest.mark.parametrize(
    ("name", "names", "expected"),
    [
        ("amout", ["amount", "about"], "amount"),
        ("ID", ["idle", "id"], "id"),
        ("x", ["completely", "different"], None),
        ("x", [], None),
        ("k" * 300, ["k" * 299], None),
        ("kk", ["k" * 300], None),
    ],
)
def test_nearest_finds_what_was_meant(name, names, expected):
    assert nearest(name, names) == expected
