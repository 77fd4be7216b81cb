"""Merging: what the parts of a run make together, and what they lack."""

from __future__ import annotations

import pytest

from flowjury.app.choice import Choice, shard_of
from flowjury.app.merging import merge
from flowjury.errors import InputError
from flowjury.store.runs import RunStore

EVALUATORS = """
def all_here(context, parameters):
    return {"passed": len(context.cases) == 9, "evidence": len(context.cases)}
"""
WIDE = [{"kind": "evaluator", "use": "evals:all_here"}]
NAMES = [f"c{number}" for number in range(9)]


@pytest.fixture
def parts(shop):
    """Run each third of a suite, and give the stores."""
    shop.write("evals.py", EVALUATORS)
    shop.suite(*({"id": name, "checks": [shop.check]} for name in NAMES), checks=WIDE)
    stores = []
    for number in (1, 2, 3):
        shop.ran(choice=Choice(shard=shard_of(f"{number}/3")))
        stores.append(moved(shop, f"part-{number}"))
    return stores


def moved(shop, name: str):
    """Move the store of a project to where another machine might have it."""
    (shop.root / name).mkdir()
    return (shop.root / ".flowjury").rename(shop.root / name / ".flowjury")


def statuses(report) -> set[str]:
    return {one.status.value for one in report.cases}


def test_evaluators_of_the_whole_suite_see_the_parts_together(shop, parts):
    [merged] = merge(shop.project, parts)

    assert statuses(merged.report) == {"passed"}
    assert [one.verdict.value for one in merged.report.findings] == ["passed"]
    assert merged.report.exit == 0


def test_a_database_is_enough_of_a_store(shop, parts):
    lone = []
    for number, folder in enumerate(parts):
        (shop.root / f"artifact-{number}").mkdir()
        lone.append((folder / "runs.db").rename(shop.root / f"artifact-{number}" / "runs.db"))

    [merged] = merge(shop.project, [lone[0], lone[1].parent, lone[2]])

    assert statuses(merged.report) == {"passed"}


def test_without_one_of_its_parts_a_run_is_not_at_its_end_and_can_be_resumed(shop, parts):
    [merged] = merge(shop.project, parts[:2])

    assert statuses(merged.report) == {"passed", "not-run"}
    assert not merged.report.partial
    with RunStore.open(shop.root) as store:
        assert not store.latest("shop").finished

    assert statuses(shop.run(resume=True)) == {"passed"}


@pytest.mark.usefixtures("parts")
def test_parts_of_a_selection_are_whole_with_what_was_selected(shop):
    for number in (1, 2, 3):
        shop.ran(choice=Choice(words="c1 or c2 or c3", shard=shard_of(f"{number}/3")))
        moved(shop, f"more-{number}")

    [merged] = merge(shop.project, [shop.root / f"more-{number}" for number in (1, 2, 3)])

    assert [one.id for one in merged.report.cases if one.selected] == ["c1", "c2", "c3"]
    assert {one.status.value for one in merged.report.cases if one.selected} == {"passed"}


def test_an_evaluator_that_cannot_be_loaded_is_said_before_anything_is_merged(shop, parts):
    (shop.root / "evals.py").unlink()

    with pytest.raises(InputError, match="evals"):
        merge(shop.project, parts)
    assert not (shop.root / ".flowjury").exists()
