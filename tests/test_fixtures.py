"""Which fixture answers which call."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from flowjury.case import Fixture
from flowjury.errors import FixtureMiss
from flowjury.fixtures import Call, Shelf
from flowjury.json_values import digest


def answers(*outputs, **keys):
    return tuple(Fixture(output=output, **keys) for output in outputs)


def outputs(shelf, *calls, value=None):
    return [shelf.take(call, value).fixture.output for call in calls]


A = Call(node="a")


def test_entries_without_keys_answer_the_visits_in_order():
    assert outputs(Shelf({"a": answers(1, 2, 3)}), A, A, A) == [1, 2, 3]


def test_a_visit_past_the_last_entry_is_a_miss_that_says_what_to_do():
    shelf = Shelf({"a": answers(1)}, case="c-1")
    shelf.take(A, None)

    with pytest.raises(FixtureMiss) as caught:
        shelf.take(Call(node="a", caller="b", step="s", index=()), None)

    assert str(caught.value) == (
        "no fixture answers boundary node 'a' called by 'b' in step 's': 1 of its 1 fixtures were"
        " served before; record them with `flowjury record SUITE --case c-1`, or write one by hand"
        " under `fixtures: {a: [{output: …}]}`"
    )


def test_a_node_without_fixtures_is_a_miss_that_says_so():
    with pytest.raises(FixtureMiss, match=r"in iteration \[2\]: it has none; record them"):
        Shelf().take(Call(node="a", index=(2,)), None)


def test_a_node_without_fixtures_is_told_the_nearest_name_that_has_some():
    shelf = Shelf({"lllm": answers(1), "other": answers(1)})

    with pytest.raises(FixtureMiss, match=r"it has none; nearest is 'lllm'; record them"):
        shelf.take(Call(node="sub:llm"), None)


def test_what_answered_nothing_is_said_in_words():
    step = {"s": {"a": answers(1), "c": answers(1)}}
    shelf = Shelf({"a": answers(1, 2, 3), "b": answers(1)}, steps=step)
    outputs(shelf, A, Call(node="a", step="s"))

    assert shelf.unused() == (
        "2 of 3 of 'a'",
        "1 of 1 of 'b' (no boundary node asked)",
        "1 of 1 of 'c' (no boundary node asked) in step 's'",
    )


@pytest.mark.parametrize(
    ("key", "agreeing", "other"),
    [
        ("caller", Call(node="a", caller="x"), Call(node="a", caller="y")),
        ("step", Call(node="a", step="x"), Call(node="a", step="y")),
        ("index", Call(node="a", index=(1, 2)), Call(node="a", index=(2,))),
    ],
)
def test_an_entry_with_a_key_is_served_only_where_it_agrees(key, agreeing, other):
    value = getattr(agreeing, key)

    assert outputs(Shelf({"a": answers(1, **{key: value})}), agreeing) == [1]
    with pytest.raises(FixtureMiss):
        Shelf({"a": answers(1, **{key: value})}).take(other, None)


def test_the_entry_that_says_most_is_served_first():
    shelf = Shelf({"a": answers("any") + answers("x", caller="x")})

    assert outputs(shelf, *[Call(node="a", caller="x")] * 2) == ["x", "any"]


def test_inside_an_iteration_its_number_chooses_the_entry_whatever_comes_first():
    calls = [Call(node="a", index=(7, number)) for number in (2, 0, 1, 0)]

    assert outputs(Shelf({"a": answers("p", "q", "r")}), *calls) == ["r", "p", "q", "p"]


def test_a_node_of_a_later_branch_needs_only_one_entry():
    call = Call(node="a", index=(2,))

    assert outputs(Shelf({"a": answers("only")}), call, call) == ["only", "only"]


def test_one_entry_does_not_answer_two_iterations():
    shelf = Shelf({"a": answers("only")})
    shelf.take(Call(node="a", index=(1,)), None)

    with pytest.raises(FixtureMiss):
        shelf.take(Call(node="a", index=(0,)), None)


def test_entries_of_an_iteration_answer_its_visits_in_order_and_nothing_else_does():
    shelf = Shelf({"a": answers(1, 2, index=(0,)) + answers("loose")})
    call = Call(node="a", index=(0,))

    assert outputs(shelf, call, call) == [1, 2]
    with pytest.raises(FixtureMiss):
        shelf.take(call, None)


def test_the_fixtures_of_a_step_come_before_those_of_the_case():
    shelf = Shelf({"a": answers("c1", "c2")}, steps={"s": {"a": answers("s1")}, "t": {}})
    inside, after = Call(node="a", step="s"), Call(node="a", step="t")

    assert outputs(shelf, inside, inside, after) == ["s1", "c1", "c2"]


def test_an_entry_recorded_for_this_input_is_preferred_to_its_place():
    shelf = Shelf(
        {"a": answers("for 1", input=digest({"x": 1})) + answers("for 2", input=digest({"x": 2}))}
    )

    served = [shelf.take(A, {"x": 2}), shelf.take(A, {"x": 1})]

    assert [(one.fixture.output, one.other_input) for one in served] == [
        ("for 2", False),
        ("for 1", False),
    ]


def test_an_entry_recorded_for_another_input_is_served_and_says_so():
    served = Shelf({"a": answers(1, input=digest({"x": 1}))}).take(A, {"x": 3})

    assert (served.fixture.output, served.other_input) == (1, True)


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/at", {"x": 1, "at": "now"}),
        ("/deep/at", {"x": 1, "deep": {"at": "now"}}),
        ("/list/0/at", {"x": 1, "list": [{"at": "now"}]}),
        ("/list/0", {"x": 1, "list": ["now"]}),
        ("", "now"),
        ("/missing/at", {"x": 1}),
        ("/x/at", {"x": 1}),
    ],
)
def test_what_is_ignored_of_an_input_does_not_make_it_another(pointer, value):
    shelf = Shelf(ignore={"sub:a": (pointer,)})
    later = later_of(value)

    assert shelf.digest("sub:a", value) == shelf.digest("sub:a", later)
    assert (shelf.digest("b", value) == shelf.digest("b", later)) is (later == value)


def later_of(value):
    if isinstance(value, dict):
        return {key: later_of(item) for key, item in value.items()}
    if isinstance(value, list):
        return [later_of(item) for item in value]
    return "later" if value == "now" else value


def test_a_short_name_is_resolved_by_what_knows_the_workflow():
    shelf = Shelf({"a": answers(1)}, resolve={"a": "sub:a"}.__getitem__)

    assert outputs(shelf, Call(node="sub:a")) == [1]
    with pytest.raises(FixtureMiss):
        shelf.take(Call(node="other:a"), None)


def test_a_short_name_stands_for_one_node_only_where_nothing_is_known():
    shelf = Shelf({"a": answers(1, 2)})

    assert outputs(shelf, Call(node="sub:a")) == [1]
    with pytest.raises(FixtureMiss):
        shelf.take(Call(node="other:a"), None)


def test_many_threads_never_get_the_same_entry():
    shelf = Shelf({"a": answers(*range(200))})

    with ThreadPoolExecutor(8) as pool:
        served = list(pool.map(lambda _: shelf.take(A, None).fixture.output, range(200)))

    assert sorted(served) == list(range(200))
