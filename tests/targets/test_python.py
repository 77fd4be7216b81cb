"""The target `python`: what is called, and what is observed."""

from __future__ import annotations

import sys
from textwrap import dedent

import pytest

from flowjury.case import Resume
from flowjury.errors import InputError
from flowjury.job import Job, Place, Turn
from flowjury.record import CaseFault
from flowjury.targets.python import PythonTarget

PROGRAM = """
    import sys

    import flowjury

    @flowjury.boundary
    def fetch(key):
        return {"key": key}

    def plain(given):
        given["seen"] = True
        return fetch(given["key"])

    async def asynchronous(given):
        return plain(given)

    def streaming(given):
        yield plain(given)
        yield 2

    async def streaming_async(given):
        yield plain(given)
        yield 2

    def outcome(given):
        return flowjury.Outcome("over", plain(given))

    class Callable:
        async def __call__(self, given):
            return plain(given)

    an_object = Callable()
    a_number = 3

    def make_plain():
        return plain

    def make_number():
        return a_number

    def make_nothing():
        raise ValueError("no")

    def tell_all():
        raise ValueError("no entry with Client(api_key='abc')")

    def leave_at_once():
        sys.exit(0)

    def make_graph():
        from typing import TypedDict
        from langgraph.graph import START, StateGraph

        class State(TypedDict):
            key: int

        builder = StateGraph(State)
        builder.add_node("only", lambda state: {"key": state["key"] + 1})
        builder.add_edge(START, "only")
        return builder.compile()

    def __getattr__(name):
        if name == "a_graph":
            return make_graph()
        if name == "a_trap":
            raise GeneratorExit("caught")
        raise AttributeError(name)

    def stop_at_once():
        raise BaseException("enough")

    class Odd:
        def __call__(self, given):
            return given

        @property
        def __signature__(self):
            raise RuntimeError

    odd = Odd()

    def leave(given):
        raise SystemExit("bye")
"""


@pytest.fixture
def place(tmp_path):
    path, modules = sys.path[:], set(sys.modules)
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "sample_program.py").write_text(dedent(PROGRAM))
    yield Place(root=tmp_path, workflow=None, read=lambda file: file.read_bytes())
    sys.path[:] = path
    for name in sys.modules.keys() - modules:
        del sys.modules[name]


def target(name):
    return PythonTarget(kind="python", call=f"sample_program:{name}", path=("code",))


def job(*turns, **options):
    usual = {
        "case": "c",
        "trial": 1,
        "turns": turns or (Turn(id=None, input={"key": "k"}),),
        "data": "live",
        "fixtures": {},
        "ignore": {},
        "mask": (),
        "timeout": 5,
    }
    return Job(**{**usual, **options})


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("plain", {"key": "k"}),
        ("asynchronous", {"key": "k"}),
        ("streaming", [{"key": "k"}, 2]),
        ("streaming_async", [{"key": "k"}, 2]),
        ("outcome", {"key": "k"}),
        ("an_object", {"key": "k"}),
    ],
)
def test_whatever_can_be_called_gets_the_whole_input_and_its_answer_is_the_output(
    place, name, output
):
    given = job()

    seen = target(name).prepare(place).observe(given)

    assert (seen.fault, seen.trace.status, seen.trace.output) == (None, "finished", output)
    assert seen.trace.input == given.turns[0].input == {"key": "k"}
    assert [(e.node, e.input) for e in seen.trace.executions] == [("fetch", {"key": "k"})]


def test_a_program_without_nodes_has_no_executions_that_could_be_counted(place):
    seen = PythonTarget(kind="python", call="builtins:str").prepare(place).observe(job())

    assert "executions" not in seen.trace.model_fields_set


def test_every_turn_is_a_call(place):
    turns = (Turn(id="s1", input={"key": 1}), Turn(id="s2", input={"key": 2}))

    seen = target("plain").prepare(place).observe(job(*turns))

    assert [(s.id, s.trace.output) for s in seen.trace.steps] == [
        ("s1", {"key": 1}),
        ("s2", {"key": 2}),
    ]


def test_a_plain_callable_never_waits(place):
    turn = Turn(id="s1", resume=Resume(wait="w", action="approve"))

    seen = target("plain").prepare(place).observe(job(turn))

    assert seen.fault == CaseFault(
        kind="target",
        step="s1",
        message=(
            "step 's1' resumes the wait 'w', but a plain callable never waits; give the step an"
            " `input`, or use a target that can wait"
        ),
    )


def test_what_does_not_say_what_it_takes_is_called(place):
    assert target("odd").prepare(place).observe(job()).trace.output == {"key": "k"}


def test_a_program_that_leaves_is_a_crash(place):
    seen = target("leave").prepare(place).observe(job())

    assert (seen.fault.kind, seen.trace.status) == ("crash", "crashed")


@pytest.mark.parametrize("name", ["make_plain", "Callable"])
def test_what_takes_no_input_is_a_factory_of_what_is_called(place, name):
    assert target(name).prepare(place).observe(job()).trace.output == {"key": "k"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a_number", "'sample_program:a_number' is an object of type 'int', which cannot be"),
        ("make_number", "'sample_program:make_number' gives an object of type 'int', which"),
        ("make_nothing", "factory 'sample_program:make_nothing' fails: ValueError: no"),
        ("tell_all", r"fails: ValueError: no entry with Client\(api_key='\*\*\*'\)"),
        ("stop_at_once", "factory 'sample_program:stop_at_once' fails: BaseException: enough"),
        ("a_trap", "'a_trap' cannot be read: GeneratorExit: caught"),
        ("leave_at_once", "factory 'sample_program:leave_at_once' fails: SystemExit: 0"),
    ],
)
def test_what_cannot_be_called_with_an_input_is_refused(place, name, message):
    with pytest.raises(InputError, match=message):
        target(name).prepare(place)


def test_an_object_that_a_recorder_recognises_is_observed_by_it(place):
    pytest.importorskip("langgraph")

    graphs = [target(name).prepare(place) for name in ("make_graph", "a_graph")]

    assert [list(graph.workflow.nodes) for graph in graphs] == [["only"], ["only"]]
    for graph in graphs:
        seen = graph.observe(job(Turn(id=None, input={"key": 1})))
        assert [(e.node, e.output) for e in seen.trace.executions] == [("only", {"key": 2})]


def test_what_cannot_be_found_is_refused_with_the_nearest_name(place):
    with pytest.raises(InputError, match="has no 'plane'; nearest is 'plain'"):
        target("plane").prepare(place)
