from __future__ import annotations

from flowjury.app.choice import Choice
from flowjury.app.listing import line, listed


def test_nothing_is_listed_or_made_where_nothing_was_run(shop):
    assert listed(shop.project) == ()
    assert not (shop.root / ".flowjury").exists()


def test_runs_are_listed_newest_first(shop):
    shop.suite({"id": "c", "checks": [shop.check]}, {"id": "d", "fixtures": {}})
    shop.run()
    shop.run(choice=Choice(ids=("c",)))

    assert [line(run) for run in listed(shop.project)] == [
        "r2  shop  replay  1 trial  partial",
        "r1  shop  replay  2 trials  1 fault",
    ]
