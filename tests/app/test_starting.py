from __future__ import annotations

import pytest

from flowjury.app.starting import said, start
from flowjury.errors import UsageError


def test_what_is_started_runs_and_needs_only_a_judge(shop):
    started = start(shop.root / "x")
    report = shop.run(shop.root / "x" / "support.suite.yaml")

    assert sorted(path.relative_to(started.folder).as_posix() for path in started.files) == [
        "judges/openai_rubric.py",
        "support.suite.yaml",
        "support_nodes.py",
        "workflow.yaml",
    ]
    assert report.totals == {"passed": 2, "needs-judge": 1}
    assert said(started).files == tuple(map(str, started.files))


def test_nothing_that_is_there_is_touched(shop):
    shop.write("x/workflow.yaml", "mine")

    with pytest.raises(UsageError, match=r"workflow\.yaml is there already; name another folder"):
        start(shop.root / "x")

    assert [name for name in shop.files() if name.startswith("x/")] == ["x/workflow.yaml"]
