"""What decorated programs do, and what is recorded of them."""

from __future__ import annotations

import asyncio
import inspect
import threading
from contextlib import suppress
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowjury import Outcome, boundary, carry, node, span, spend, tool_call
from flowjury.evidence import Evidence
from flowjury.fixtures import Shelf
from flowjury.tracer.active import Recording, active


@node
def add(x, y=2, *, z=3):
    return x + y + z


@node
def everything(first, /, *rest, **named):
    return [first, rest, named]


@boundary
def fetch(key):
    if key == "bad":
        raise LookupError(key)
    return {"key": key}


@boundary(name="items", writes=True)
def stream(n):
    yield from range(n)


@boundary(name="async_items")
async def stream_async(n):
    await asyncio.sleep(0)
    for number in range(n):
        yield number


@boundary(name="async_fetch")
async def fetch_async(key):
    await asyncio.sleep(0)
    return [key]


@node
def decide(amount):
    return Outcome("over" if amount > 500 else "under", amount)


@node
def factorial(n):
    return 1 if n == 0 else n * factorial(n - 1)


class Tools:
    @node
    def method(self, x):
        return x

    @classmethod
    @node(name="of_class")
    def made(cls, x):
        return x

    @node(name="static")
    @staticmethod
    def plain(x):
        return x


class CallableObject:
    async def __call__(self, x):
        return x


def recorded(program, **options):
    ticks = count()
    recording = Recording(lambda: next(ticks), **options)
    with active(recording), suppress(LookupError):
        program()
    return recording


def values(recording):
    return [(e.node, e.input, e.output, e.status) for e in recording.executions()]


def test_without_a_recording_everything_is_as_it_was():
    with span("block", input=1) as block:
        block.output(2)
        block.spend({"tokens": 1})
    spend(tokens=1)
    tool_call("t", {})

    async def run():
        return await fetch_async("k"), [item async for item in stream_async(2)]

    assert (add(1), everything(1, 2, a=3)) == (6, [1, (2,), {"a": 3}])
    assert list(stream(2)) == [0, 1]
    assert asyncio.run(run()) == (["k"], [0, 1])
    assert decide(700) == Outcome("over", 700)


def test_a_decorated_function_stays_a_function_of_its_kind():
    assert inspect.isgeneratorfunction(stream)
    assert inspect.isasyncgenfunction(stream_async)
    assert inspect.iscoroutinefunction(fetch_async)
    assert (add.__name__, str(inspect.signature(add))) == ("add", "(x, y=2, *, z=3)")
    assert (stream.__flowjury__.name, stream.__flowjury__.writes) == ("items", True)


@pytest.mark.parametrize(
    ("program", "given", "output"),
    [
        (lambda: add(1), {"x": 1, "y": 2, "z": 3}, 6),
        (lambda: add(1, z=0, y=5), {"x": 1, "y": 5, "z": 0}, 6),
        (
            lambda: everything(1, 2, 3, a=4),
            {"first": 1, "rest": [2, 3], "named": {"a": 4}},
            [1, [2, 3], {"a": 4}],
        ),
        (lambda: everything(1), {"first": 1, "rest": [], "named": {}}, [1, [], {}]),
        (lambda: Tools().method(1), {"x": 1}, 1),
        (lambda: Tools.made(1), {"x": 1}, 1),
        (lambda: Tools.plain(1), {"x": 1}, 1),
        (lambda: asyncio.run(node(CallableObject())(1)), {"x": 1}, 1),
        (lambda: node(max)(1, 2), {"args": [1, 2], "kwargs": {}}, 2),
    ],
)
def test_the_input_is_what_the_parameters_were_bound_to(program, given, output):
    assert [(e.input, e.output) for e in recorded(program).executions()] == [(given, output)]


@pytest.mark.parametrize("called", [add, everything])
def test_a_call_that_does_not_fit_fails_as_it_always_did(called):
    recording = Recording(lambda: 0)

    with active(recording), pytest.raises(TypeError, match="missing 1 required positional"):
        called()

    (execution,) = recording.executions()
    assert set(execution.input) == {"args", "kwargs"}
    assert execution.status == "error"


def test_a_node_may_leave_its_values_out():
    quiet = node(values=False)(lambda x: x)
    streaming = node(values=False, name="s")(lambda: (yield 1))

    recording = recorded(lambda: (quiet(1), list(streaming())))

    assert [(e.recorded("input"), e.recorded("output")) for e in recording.executions()] == [
        (False, False)
    ] * 2


def test_the_items_of_a_generator_are_its_output_and_it_lasts_until_exhausted():
    def program():
        for _ in stream(2):
            add(1)

    recording = recorded(program)

    assert values(recording)[0] == ("items", {"n": 2}, [0, 1], "ok")
    assert [(e.node, e.parent) for e in recording.executions()] == [
        ("items", None),
        ("add", None),
        ("add", None),
    ]


def test_a_generator_that_is_closed_early_is_cancelled_and_keeps_what_it_yielded():
    def program():
        stream_of = stream(5)
        next(stream_of)
        stream_of.close()

    assert values(recorded(program)) == [("items", {"n": 5}, [0], "cancelled")]


def test_what_is_sent_or_thrown_reaches_the_generator_and_its_result_comes_back():
    @node
    def echo():
        got = []
        while len(got) < 2:
            try:
                got.append((yield len(got)))
            except ValueError as error:
                got.append(str(error))
        return got

    results = []

    def program():
        running = echo()
        results.append(next(running))
        results.append(running.send("sent"))
        try:
            running.throw(ValueError("thrown"))
        except StopIteration as stop:
            results.append(stop.value)

    assert values(recorded(program)) == [("echo", {}, [0, 1], "ok")]
    assert results == [0, 1, ["sent", "thrown"]]


def test_what_a_node_calls_while_streaming_is_inside_it():
    @node
    def outer():
        yield add(1)

    recording = recorded(lambda: list(outer()))

    assert [(e.node, e.caller) for e in recording.executions()] == [
        ("outer", None),
        ("add", "outer"),
    ]


def test_an_asynchronous_generator_is_recorded_likewise():
    async def program():
        async for _ in stream_async(2):
            await fetch_async("k")
        closing = stream_async(9)
        await anext(closing)
        await closing.aclose()

    assert values(recorded(lambda: asyncio.run(program()))) == [
        ("async_items", {"n": 2}, [0, 1], "ok"),
        ("async_fetch", {"key": "k"}, ["k"], "ok"),
        ("async_fetch", {"key": "k"}, ["k"], "ok"),
        ("async_items", {"n": 9}, [0], "cancelled"),
    ]


def test_a_cancelled_coroutine_is_cancelled():
    async def program():
        @node
        async def forever():
            await asyncio.sleep(99)

        task = asyncio.create_task(forever())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    assert [(n, s) for n, _, _, s in values(recorded(lambda: asyncio.run(program())))] == [
        ("forever", "cancelled")
    ]


def test_tasks_are_inside_the_node_that_made_them():
    @node
    async def parent():
        await asyncio.gather(fetch_async("a"), fetch_async("b"))

    recording = recorded(lambda: asyncio.run(parent()))

    assert [(e.node, e.caller) for e in recording.executions()] == [
        ("parent", None),
        ("async_fetch", "parent"),
        ("async_fetch", "parent"),
    ]


def test_a_thread_belongs_to_the_recording_and_to_the_node_only_if_its_function_is_carried():
    @node
    def parent():
        for work in (add, carry(add)):
            thread = threading.Thread(target=work, args=(1,))
            thread.start()
            thread.join()

    recording = recorded(parent)

    assert [(e.node, e.caller) for e in recording.executions()] == [
        ("parent", None),
        ("add", None),
        ("add", "parent"),
    ]


def test_recursion_is_nested_visits_of_one_node():
    recording = recorded(lambda: factorial(2))

    assert [(e.node, e.parent, e.output) for e in recording.executions()] == [
        ("factorial", None, 2),
        ("factorial", "e1", 1),
        ("factorial", "e2", 1),
    ]


def test_a_block_is_an_execution_with_the_output_that_it_says():
    def program():
        with span("rank", input=[3, 1]) as rank:
            rank.output([1, 3])
        with span("silent"):
            spend(tokens=1)
            tool_call("search", {"q": 1}, result=[])

    recording = recorded(program)

    rank, silent = recording.executions()
    assert (rank.input, rank.output) == ([3, 1], [1, 3])
    assert (silent.recorded("input"), silent.recorded("output"), silent.usage) == (
        False,
        False,
        {"tokens": 1},
    )
    assert [(c.name, c.arguments, c.result) for c in recording.trace().tools] == [
        ("search", {"q": 1}, [])
    ]


def test_an_outcome_is_returned_unchanged_and_replayed_as_one():
    decided = boundary(name="decide")(lambda amount: Outcome("over", amount))
    answers = []

    recording = recorded(lambda: answers.append(decided(1)), data="record")
    shelf = Shelf(recording.fixtures())
    again = recorded(lambda: answers.append(decided(1)), data="replay", shelf=shelf)

    assert answers == [Outcome("over", 1), Outcome("over", 1)]
    assert [(e.outcome, e.output, e.replayed) for e in again.executions()] == [("over", 1, True)]


def test_one_item_written_by_hand_is_what_a_generator_yields():
    items = []
    recording = recorded(lambda: items.extend(stream(3)), data="record")
    fixture = recording.fixtures()["items"][0].model_copy(update={"output": "one", "input": None})

    recorded(lambda: items.extend(stream(3)), data="replay", shelf=Shelf({"items": (fixture,)}))

    assert items == [0, 1, 2, "one"]


def trees(*concurrent):
    """Trees of calls, one after the other or concurrent in one of these ways."""
    return st.recursive(
        st.sampled_from(["fetch", "bad", "stream", "items", "async"]),
        lambda inner: (
            st.lists(inner, max_size=3).map(tuple)
            | st.tuples(st.sampled_from(concurrent), st.lists(inner, max_size=3).map(tuple))
        ),
        max_leaves=8,
    )


@node(name="leaf")
async def leaf(kind):
    match kind:
        case "fetch":
            return fetch(kind)
        case "bad":
            try:
                fetch(kind)
            except LookupError as error:
                return f"{type(error).__name__}: {error}"
        case "stream":
            return [item async for item in stream_async(2)]
        case "items":
            return list(stream(2))
        case _:
            return await fetch_async(kind)


@node(name="branch")
async def branch(tree):
    match tree:
        case str():
            return await leaf(tree)
        case ["gather", tuple(inner)]:
            return await asyncio.gather(*map(branch, inner))
        case ["thread", tuple(inner)]:
            return [
                await asyncio.to_thread(lambda one=one: asyncio.run(branch(one))) for one in inner
            ]
        case _:
            return [await branch(one) for one in tree]


@settings(max_examples=40, deadline=None)
@given(trees("gather", "thread"))
def test_whatever_is_nested_the_executions_are_a_tree_in_time(tree):
    executions = recorded(lambda: asyncio.run(branch(tree))).executions()
    by_id = {execution.id: execution for execution in executions}

    assert list(by_id) == [f"e{number + 1}" for number in range(len(executions))]
    for execution in executions:
        if execution.parent is not None:
            parent = by_id[execution.parent]
            assert parent.start_ns <= execution.start_ns <= execution.end_ns <= parent.end_ns
            assert execution.caller == parent.node


@settings(max_examples=40, deadline=None)
@given(trees("gather"))
def test_a_replay_of_what_was_recorded_is_the_same_evidence(tree):
    first, again = recorded_and_replayed(tree)

    assert without_replayed(again) == without_replayed(first)
    assert again.replayed() == bool(first.fixtures())


@settings(max_examples=20, deadline=None)
@given(trees("gather", "thread"))
def test_threads_get_the_answers_to_what_they_ask_in_whatever_order(tree):
    first, again = recorded_and_replayed(tree)

    assert answers(again) == answers(first)


def recorded_and_replayed(tree):
    def program():
        asyncio.run(branch(tree))

    first = recorded(program, data="record")
    again = recorded(program, data="replay", shelf=Shelf(first.fixtures()))
    assert (first.fault, again.fault) == (None, None)
    assert not any(execution.other_input for execution in again.executions())
    return first, again


def answers(recording):
    told = [(e, e.error and e.error.described()) for e in recording.executions()]
    return sorted(repr((e.node, e.input, e.output, error)) for e, error in told)


def without_replayed(recording):
    def cleared(value):
        if isinstance(value, dict):
            return {key: cleared(item) for key, item in value.items() if key != "replayed"}
        return [cleared(item) for item in value] if isinstance(value, list) else value

    return cleared(Evidence(recording.trace()).document)


def test_an_answer_is_replayed_where_no_loop_of_asyncio_runs():
    first = recorded(lambda: asyncio.run(fetch_async("k")), data="record")
    answered = []

    def program():
        running = fetch_async("k")
        try:
            running.send(None)
        except StopIteration as stop:
            answered.append(stop.value)

    recorded(program, data="replay", shelf=Shelf(first.fixtures()))

    assert answered == [["k"]]


def test_errors_are_recorded_with_the_type_that_was_raised():
    (execution,) = recorded(lambda: fetch("bad")).executions()

    assert execution.error.described() == {"type": "LookupError", "message": "bad"}
