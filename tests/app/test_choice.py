from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowjury.app.choice import Choice, Shard, chosen, shard_of
from flowjury.app.project import suite_model
from flowjury.errors import UsageError

ADVICE = "join words by `and` or `or`, and quote a text with spaces"


def _suite(*cases, name="shop"):
    target = {"kind": "trace", "trace": "{id}.json"}
    return suite_model().model_validate(
        {"format": 1, "name": name, "target": target, "cases": [{"checks": []} | c for c in cases]}
    )


TAGGED = _suite(
    {"id": "a", "tags": ["smoke"]},
    {"id": "b", "tags": ["fast"]},
    {"id": "c", "tags": ["fast", "smoke"], "title": "A slow Order"},
    {"id": "d", "tags": ["x,y"]},
    {"id": "e"},
)


@pytest.mark.parametrize(
    ("choice", "ids"),
    [
        (Choice(), "abcde"),
        (Choice(tags=("smoke", "fast")), "abc"),
        (Choice(tags=("smoke,fast",)), "c"),
        (Choice(tags=(" fast , smoke ", "x,y")), "cd"),
        (Choice(tags=("smoke",), words="order or fast"), "c"),
        (Choice(failed={"shop": frozenset("ac")}), "ac"),
        (Choice(failed={"shop": frozenset("ac")}, tags=("fast",)), "c"),
    ],
)
def test_what_is_asked_for_must_agree(choice, ids):
    [cases] = chosen([TAGGED], choice)

    assert "".join(case.id for case in cases) == ids


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (Choice(tags=("smoke,fats",)), "no tag is named 'fats'; nearest is 'fast'"),
        (Choice(tags=("x,z",)), "no tag is named 'x' (known: fast, smoke, x,y)"),
        (Choice(tags=("fast,",)), "no tag is named '' (known: fast, smoke, x,y)"),
        (
            Choice(tags=("fast",), failed={"shop": frozenset("a")}),
            "no case is selected by --tag fast --last-failed; `-k` looks into ids, titles and tags",
        ),
        (
            Choice(ids=("a",), words="a b"),
            f"-k 'a b': 'b' is not expected there; {ADVICE}",
        ),
    ],
)
def test_what_chooses_nothing_is_refused(choice, message):
    with pytest.raises(UsageError) as caught:
        chosen([TAGGED], choice)

    assert str(caught.value) == message


def test_only_the_suite_that_has_failing_cases_is_chosen():
    other = _suite({"id": "a"}, name="other")
    picked = chosen([TAGGED, other], Choice(failed={"other": frozenset("a")}))

    assert [[case.id for case in cases] for cases in picked] == [[], ["a"]]


@given(st.lists(st.text(), max_size=30), st.integers(1, 9))
def test_each_case_is_in_exactly_one_shard(ids, of):
    shards = [Shard(number=number, of=of) for number in range(1, of + 1)]

    assert [sum(shard.holds(each) for shard in shards) for each in ids] == [1] * len(ids)


@given(st.integers(1, 9), st.permutations(["smoke,fast", "smoke", "fast"]))
def test_the_shards_of_a_choice_are_the_choice(of, tags):
    choice = Choice(tags=tuple(tags[:2]))
    whole = chosen([TAGGED], choice)[0]
    parts = [
        case
        for number in range(1, of + 1)
        for case in chosen([TAGGED], Choice(tags=choice.tags, shard=shard_of(f"{number}/{of}")))[0]
    ]

    assert sorted(case.id for case in parts) == [case.id for case in whole]


def test_the_shard_of_a_case_is_the_same_everywhere():
    # As `printf a | sha256sum` prints them, the digests end in bb, 9d and c6.
    numbers = {"a": 0xB + 1, "b": 0xD + 1, "c": 0x6 + 1}
    found = {
        case: [n for n in range(1, 17) if Shard(number=n, of=16).holds(case)] for case in numbers
    }

    assert found == {case: [number] for case, number in numbers.items()}


def test_shards_are_about_equal():
    held = [sum(Shard(number=n, of=4).holds(f"case-{i}") for i in range(4_000)) for n in (1, 2, 3)]

    assert all(900 < number < 1_100 for number in held)


@pytest.mark.parametrize(
    "text", ["0/3", "4/3", "1", "1/0", "-1/3", "1/3 ", "a/b", "", "1/3/5", "\u0661/\u0663"]
)
def test_a_shard_is_written_as_a_number_of_how_many(text):
    with pytest.raises(UsageError) as caught:
        shard_of(text)

    assert str(caught.value) == (f"--shard {text!r}: write I/N with 1 <= I <= N, for example 1/3")
