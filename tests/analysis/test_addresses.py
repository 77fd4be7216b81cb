from __future__ import annotations

import pytest

from flowjury.analysis.addresses import Place, address_fault
from flowjury.names import Names
from flowjury.workflow import Declared

NAMES = Names(None, Declared(nodes=("look_up", "sub:draft", "a", "b:a", "c:x", "d:x")))
CASE = Place("case", ("one", "two"))


@pytest.mark.parametrize(
    "at",
    [
        "",
        "/output/anything/at/all",
        "/nodes",
        "/nodes/look_up/0/attempts/1/error/type",
        "/nodes/sub:draft/3/output/x",
        "/executions/0/node",
        "/tools/2/arguments/x",
        "/messages/0/role",
        "/files/a~1b.txt",
        "/usage/tokens",
        "/steps",
        "/steps/one",
        "/steps/two/nodes/a/0/input",
        "/error/message",
    ],
)
def test_a_pointer_that_can_lead_somewhere_is_let_be(at):
    assert address_fault(at, CASE, NAMES) is None


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("/otput", "no key of the evidence is named 'otput'; nearest is 'output' (known: "),
        ("/summary/status", "no key of the evidence is named 'summary'"),
        ("/nodes/lookup/0", "no node is named 'lookup'; nearest is 'look_up' (known: "),
        ("/nodes/draft/0", "a pointer has the full name of a node: write /nodes/sub:draft"),
        ("/nodes/x/0", "'x' is ambiguous: write one of c:x, d:x"),
        ("/nodes/a/first", "'first' is no index into /nodes/a; write a number from 0"),
        ("/nodes/a/0/ouput/x", "no key of /nodes/a/0 is named 'ouput'; nearest is 'output'"),
        ("/nodes/a/0/attempts/0/attempts", "no key of /nodes/a/0/attempts/0 is named 'attempts'"),
        ("/tools/0/args", "no key of /tools/0 is named 'args'"),
        ("/executions/-/node", "'-' is no index into /executions; write a number from 0"),
        ("/error/text", "no key of /error is named 'text' (known: message, type)"),
        ("/steps/tow", "no step is named 'tow'; nearest is 'two' (known: one, two)"),
        ("/steps/one/otput", "no key of the evidence is named 'otput'"),
        (
            "/steps/one/steps/two",
            "a step sees its own turn only: write the pointer without /steps/…",
        ),
    ],
)
def test_a_pointer_that_can_lead_nowhere_is_a_fault(at, message):
    assert (address_fault(at, CASE, NAMES) or "").startswith(message)


@pytest.mark.parametrize(
    ("at", "place", "message"),
    [
        ("/steps/one", Place("case"), "the case has no steps"),
        ("/steps/one", Place("step"), "a step sees its own turn only"),
        ("/summary", Place("suite"), None),
        ("/cases/0/status", Place("suite"), None),
        ("/output", Place("suite"), "no key of the suite's evidence is named 'output'"),
    ],
)
def test_a_pointer_is_followed_in_the_evidence_of_its_place(at, place, message):
    found = address_fault(at, place, NAMES)

    assert (found or "").startswith(message or "")
    assert (found is None) == (message is None)


def test_where_no_nodes_are_known_any_node_may_be_named():
    assert address_fault("/nodes/any/0", CASE, Names()) is None
