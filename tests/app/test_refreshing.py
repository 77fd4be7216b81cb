from __future__ import annotations

import pytest

from flowjury.errors import InputError, UsageError

EVALUATORS = """
def short(context, parameters):
    assert context.observation["status"] == "finished"
    return {"passed": len(context.observation["output"]["text"]) <= parameters["most"],
            "evidence": context.observation["output"]["text"]}

async def slow(context, parameters):
    return True

def broken(context, parameters):
    raise ValueError("secret text")

def leaving(context, parameters):
    raise SystemExit(0)

def stopping(context, parameters):
    raise BaseException("secret text")

async def cancelled(context, parameters):
    import asyncio
    raise asyncio.CancelledError

def hostile(context, parameters):
    from collections.abc import Mapping
    class Answer(Mapping):
        def __getitem__(self, key):
            raise GeneratorExit
        __iter__ = __len__ = __getitem__
    return Answer()

def odd(context, parameters):
    return "yes"

def changing(context, parameters):
    context.observation["output"] = 1
    return True

def all_passed(context, parameters):
    return all(case["status"] == "passed" for case in context.cases)
"""


def outcome(shop, use, **parameters):
    shop.write("evaluators.py", EVALUATORS)
    check = {"kind": "evaluator", "use": f"evaluators:{use}", "with": parameters}
    finding = shop.run_case({"checks": [check]}).trials[0].findings[-1]
    return finding.verdict.value, finding.message


def test_nothing_changed_makes_the_same_files(shop):
    shop.suite({"id": "c", "checks": [shop.check], "rubric": shop.rubric})
    shop.run()
    before = shop.files()

    shop.refresh()

    assert shop.files() == before


def test_changed_checks_are_weighed_again_without_running(shop):
    shop.suite({"id": "c", "checks": [shop.check]})
    shop.run()
    shop.write("nodes.py", shop.nodes)
    shop.suite({"id": "c", "checks": [shop.check | {"value": "another"}]})

    assert [shop.refresh().exit, len(shop.told)] == [1, 1]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda shop: shop.suite(
                {
                    "id": "c",
                    "checks": [shop.check],
                    "fixtures": {"look_up": [{"output": {"id": "A-1", "price": 81}}]},
                }
            ),
            "fixtures",
        ),
        (
            lambda shop: shop.suite({"id": "c", "checks": [shop.check], "input": {"id": "B"}}),
            "input",
        ),
        (lambda shop: shop.write("nodes.py", shop.nodes + "\n"), "nodes.py"),
        (lambda shop: (shop.root / "nodes.py").unlink(), "nodes.py"),
        (lambda shop: shop.write("flow.json", {**shop.flow, "visit_limit": 9}), "workflow"),
        (lambda shop: shop.suite({"id": "c", "checks": [shop.check]}, mask=["text"]), "settings"),
    ],
)
def test_what_a_trace_depends_on_leaves_the_case_not_run_and_is_named(shop, change, reason):
    shop.suite({"id": "c", "checks": [shop.check]})
    shop.run()
    change(shop)

    report = shop.refresh()

    assert (report.cases[0].status, report.exit) == ("not-run", 3)
    assert report.cases[0].reason == f"stimulus changed: {reason}"


def test_a_fixture_file_beside_the_suite_is_part_of_the_stimulus(shop):
    shop.suite({"id": "c", "fixtures": {}, "checks": [shop.check | {"value": "A-1 costs 7"}]})
    shop.ran(data="record")
    shop.run()
    path = shop.root / "fixtures/c.yaml"
    text = path.read_text()
    path.write_text(text.replace("price: 7", "price: 8"))
    changed = shop.refresh()
    path.write_text(text)

    assert changed.cases[0].reason == "stimulus changed: fixtures"
    assert shop.refresh().exit == 0


def test_checks_titles_and_rubrics_are_no_part_of_the_stimulus(shop):
    shop.suite({"id": "c", "checks": [shop.check]})
    shop.run()
    shop.suite(
        {
            "id": "c",
            "title": "T",
            "tags": ["x"],
            "checks": [shop.check],
            "timeout": 9,
            "expect": "finished",
        },
        judges=["ann"],
        title="S",
    )

    assert shop.refresh().exit == 0


def test_a_judgement_counts_no_more_while_the_evidence_differs(shop):
    case = {"id": "c", "rubric": shop.rubric}
    dear = {"look_up": [{"output": {"id": "A-1", "price": 1000}}]}
    shop.suite(case)
    shop.run()
    [asked] = shop.pending()
    shop.write(".flowjury/results/ann.json", shop.answer(asked.request))
    shop.attach()
    answered = shop.refresh().exit

    shop.suite({**case, "fixtures": dear})
    stale = shop.refresh().cases[0]
    again = shop.run()
    [pending] = shop.pending()
    shop.suite(case)
    back = shop.run()

    assert answered == 0
    assert (stale.status, stale.reason) == ("not-run", "stimulus changed: fixtures")
    assert (again.exit, again.cases[0].status) == (3, "needs-judge")
    assert (asked.changed, pending.changed) == ((), ("/output/text changed",))
    assert again.unused[0].judges == ("ann",)
    assert (back.exit, shop.pending()) == (0, [])


@pytest.mark.parametrize(
    ("use", "parameters", "found"),
    [
        ("short", {"most": 99}, ("passed", "evaluators:short passed")),
        ("short", {"most": 1}, ("failed", "evaluators:short did not pass")),
        ("slow", {}, ("passed", "evaluators:slow passed")),
        ("broken", {}, ("error", "evaluators:broken broke: ValueError")),
        ("leaving", {}, ("error", "evaluators:leaving broke: SystemExit")),
        ("stopping", {}, ("error", "evaluators:stopping broke: BaseException")),
        ("cancelled", {}, ("error", "evaluators:cancelled broke: CancelledError")),
        ("hostile", {}, ("error", "evaluators:hostile broke: GeneratorExit")),
        ("changing", {}, ("error", "evaluators:changing broke: TypeError")),
        (
            "odd",
            {},
            ("error", "evaluators:odd broke: it answered neither a boolean nor {passed, evidence}"),
        ),
    ],
)
def test_an_evaluator_answers_while_running(shop, use, parameters, found):
    assert outcome(shop, use, **parameters) == found


def test_refresh_executes_no_evaluator_unless_it_is_told_to(shop):
    shop.write("evaluators.py", EVALUATORS)
    check = {"kind": "evaluator", "use": "evaluators:short", "with": {"most": 99}}
    shop.suite({"id": "c", "checks": [check]})
    shop.run()
    shop.suite({"id": "c", "checks": [{**check, "with": {"most": 98}}]})

    assert [shop.refresh().exit, shop.refresh(evaluate=True).exit, shop.refresh().exit] == [3, 0, 0]


def test_what_an_evaluator_imports_is_its_code(shop):
    shop.write("evaluators.py", "import rules\ndef short(context, _):\n    return rules.ANSWER\n")
    shop.write("rules.py", "ANSWER = True\n")
    shop.suite({"id": "c", "checks": [{"kind": "evaluator", "use": "evaluators:short"}]})
    before = shop.run().exit
    shop.write("rules.py", "ANSWER = False\n")

    assert (before, shop.refresh().exit) == (0, 3)


def test_an_evaluator_that_broke_answers_anew(shop):
    code = (
        "from pathlib import Path\ndef read(context, _):\n    return bool(Path({!r}).read_text())\n"
    )
    shop.write("evaluators.py", code.format(str(shop.root / "model.txt")))
    shop.suite({"id": "c", "checks": [{"kind": "evaluator", "use": "evaluators:read"}]})
    before = shop.run().exit
    shop.write("model.txt", "there now")

    assert [before, shop.refresh().exit, shop.refresh(evaluate=True).exit] == [4, 4, 0]


def test_what_an_evaluator_shows_is_masked(shop):
    code = (
        "def show(*_):\n    return {'passed': False, 'evidence': {'pin': 1234, 'password': 'x'}}\n"
    )
    shop.write("evaluators.py", code)
    shop.suite(
        {"id": "c", "checks": [{"kind": "evaluator", "use": "evaluators:show"}]}, mask=["pin"]
    )
    finding = shop.run().cases[0].trials[0].findings[-1]

    assert finding.actual.value == {"pin": "***", "password": "***"}


def test_an_evaluator_of_the_whole_suite_sees_all_cases(shop):
    shop.write("evaluators.py", EVALUATORS)
    check = {"kind": "evaluator", "use": "evaluators:all_passed"}
    shop.suite({"id": "c", "checks": [shop.check]}, checks=[check])
    passed = shop.run()
    shop.suite({"id": "c", "checks": [shop.check | {"value": "x"}]}, checks=[check])

    assert (passed.exit, [f.verdict.value for f in passed.findings]) == (0, ["passed"])
    assert shop.refresh().findings[0].verdict == "unknown"
    assert shop.refresh(evaluate=True).findings[0].verdict == "failed"


def test_an_older_run_can_be_looked_at_without_becoming_the_latest(shop):
    shop.suite({"id": "c", "rubric": shop.rubric})
    shop.run()
    shop.suite({"id": "c", "checks": [shop.check]})
    shop.run()
    before = shop.files()

    old = shop.refresh(run="r1")

    latest = shop.root / ".flowjury/reports/shop/latest"
    assert (old.run, latest.resolve().name) == ("r1", "r2")
    assert {name for name in shop.files() if "requests" in name} == set()
    assert shop.files().keys() == before.keys()


def test_a_run_of_another_suite_is_refused(shop):
    shop.suite({"id": "c", "checks": [shop.check]})
    shop.run()
    other = shop.suite({"id": "c", "checks": [shop.check]}, name="other")

    with pytest.raises(UsageError, match=r"run r1 is one of suite 'shop', not of .*other"):
        shop.refresh(run="r1", suites=[other])


def test_a_suite_without_a_run_says_how_to_run_it(shop):
    path = shop.suite({"id": "c", "checks": [shop.check]})

    with pytest.raises(UsageError, match="no run is stored here; run a suite first"):
        shop.refresh()
    with pytest.raises(UsageError, match="suite 'shop' has no run yet: flowjury run"):
        shop.refresh(suites=[path])


def test_a_misspelt_name_in_an_edited_suite_is_found_on_refresh(shop):
    shop.suite({"id": "c", "checks": [shop.check]})
    shop.run()
    shop.suite({"id": "c", "checks": [{"kind": "count", "node": "lookup", "exactly": 0}]})

    with pytest.raises(InputError, match="no node is named 'lookup'; nearest is 'look_up'"):
        shop.refresh()


def test_an_edited_answer_file_is_an_error_that_names_it(shop):
    shop.suite({"id": "c", "rubric": shop.rubric})
    shop.run()
    [asked] = shop.pending()
    shop.write(".flowjury/results/a.json", shop.answer(asked.request, "not-met"))
    shop.attach()
    [kept] = [p for p in (shop.root / "judgements").rglob("*.json") if p.name != "ticket.json"]
    kept.write_text(kept.read_text().replace("not-met", "met"))

    with pytest.raises(InputError, match="changed or renamed"):
        shop.refresh()


def test_answers_to_live_runs_stay_in_the_store_unless_committed(shop):
    shop.suite({"id": "c", "rubric": shop.rubric}, data="live")
    shop.run()
    [asked] = shop.pending()
    shop.write(".flowjury/results/a.json", shop.answer(asked.request))
    shop.attach()
    in_store = (shop.root / "judgements").exists()
    exits = [shop.refresh().exit]
    shop.attach(commit=True)

    assert (in_store, exits) == (False, [0])
    assert (shop.root / "judgements" / asked.request.digest).is_dir()
