from __future__ import annotations

import pytest

from flowjury.app.graphing import described, graph_of
from flowjury.errors import InputError, UsageError

TEXT = [
    "workflow shop: 2 nodes, 1 edge",
    "look_up  (entry, boundary)",
    "  -> answer",
    "answer  (exit)",
]


def test_a_workflow_file_and_its_suite_show_the_same_graph(shop):
    suite = shop.suite({"id": "c", "checks": [shop.check]})

    for file in (shop.root / "flow.json", suite):
        assert [*described(graph_of(shop.project, file))] == TEXT


def test_a_suite_without_a_workflow_file_has_no_graph_before_a_run(shop):
    shop.write("answers.py", "def call(given):\n    return 1\n")
    suite = shop.suite(
        {"id": "c", "fixtures": {}},
        target={"kind": "python", "call": "answers:call"},
        workflow=None,
    )

    with pytest.raises(UsageError, match="no graph is known before a run"):
        graph_of(shop.project, suite)


def test_code_that_ran_without_a_graph_has_none(shop):
    shop.write("answers.py", "def call(given):\n    return 1\n")
    suite = shop.suite(
        {"id": "c", "fixtures": {}},
        target={"kind": "python", "call": "answers:call"},
        workflow=None,
    )
    shop.run()

    for load in (False, True):
        with pytest.raises(UsageError, match="names no workflow file, and its code has no graph"):
            graph_of(shop.project, suite, load=load)


def test_a_file_of_no_known_format_is_refused(shop):
    with pytest.raises(InputError, match="no known format of workflow files"):
        graph_of(shop.project, shop.write("x.txt", "hello"))
