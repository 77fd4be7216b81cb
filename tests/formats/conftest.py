"""Reports to render: a realistic one with everything in it, a green one, and arbitrary ones."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from flowjury.finding import ABSENT, Actual, Finding
from flowjury.report import (
    CaseReport,
    CriterionReport,
    GateReport,
    Report,
    RubricReport,
    StepReport,
    TrialReport,
    Unused,
)
from flowjury.request import Judge, Judgement, Quote, Ruling
from flowjury.verdict import Status, Verdict

LONG = "It was a long story. " * 2_380 + "The end was near it."
HOSTILE = (
    "\x1b[31mred\x1b[0m \x00\x07 ]]> <script>alert(1)</script> <!-- --> | ``` # @octocat #1 "
    "[x](https://evil.example) \u202eright to left\u202c\r\nexit 0: passed \ud800 \ufffe"
)


@pytest.fixture(scope="session")
def long_text() -> str:
    return LONG


@pytest.fixture(scope="session")
def report() -> Report:
    return Report(
        suite="refunds",
        title="Refunds of the shop",
        suite_file="refunds/refunds.suite.yaml",
        run="20261130-101500-4f2a",
        started="2026-11-30T10:15:00Z",
        data="replay",
        status=Status.ERROR,
        exit=4,
        partial=True,
        totals={
            "passed": 2,
            "needs-judge": 1,
            "unknown": 1,
            "failed": 5,
            "error": 1,
            "skipped": 1,
            "not-run": 3,
        },
        warnings=1,
        noted=1,
        spent={"ai_units": 12, "cost_usd": 0.0042},
        gates=_gates(),
        findings=(_suite_check(),),
        cases=(*_usual_cases(), *_odd_cases()),
        unused=(_unused(),),
        notes=("other programs were not kept offline",),
    )


@pytest.fixture(scope="session")
def green() -> Report:
    return Report(
        suite="greetings",
        suite_file="greetings.suite.yaml",
        run="20261130-101500-0001",
        started="2026-11-30T10:15:00Z",
        data="replay",
        status=Status.PASSED,
        exit=0,
        partial=False,
        totals={"passed": 1},
        cases=(_passed("hello"),),
    )


def _gates() -> tuple[GateReport, ...]:
    return (
        GateReport(name="critical", bound="0", status="failed", message="1 failed, 0 open"),
        GateReport(
            name="pass_rate",
            bound="4/5",
            status="open",
            message="7 of 14 trials passed, 4 open",
        ),
    )


def _suite_check() -> Finding:
    return Finding(
        kind="value",
        verdict=Verdict.FAILED,
        message="/summary/error is 1, which is not at most 0",
        id="no-errors",
        expected=0,
        actual=Actual.of(1),
        where="/summary/error",
    )


def _unused() -> Unused:
    return Unused(
        request="ab" * 32, case="reply-is-friendly", judges=("human",), changed=("/output",)
    )


def _usual_cases() -> tuple[CaseReport, ...]:
    return (
        _passed("within-limit"),
        _over_limit(),
        _order_service_is_down(),
        _reply_is_friendly(),
        _nothing_is_invented(),
        _usage_is_known(),
    )


def _odd_cases() -> tuple[CaseReport, ...]:
    return (
        _manager_is_asked(),
        _reply_is_short(),
        _warned(),
        _hostile(),
        CaseReport(id="by-telephone", status=Status.SKIPPED, reason="no telephone yet"),
        CaseReport(
            id="lost-order", status=Status.NOT_RUN, reason="stimulus changed: input, workflow"
        ),
        CaseReport(id="old-order", status=Status.NOT_RUN, reason="not selected"),
        CaseReport(id="new-order", status=Status.NOT_RUN, reason="not selected"),
    )


def _of_one(case: str, status: Status, *, title: str | None = None, **trial: object) -> CaseReport:
    only = TrialReport.model_validate(
        {"number": 1, "status": status, "replayed": True, "seconds": 0.25, **trial}
    )
    return CaseReport(
        id=case,
        title=title,
        tags=("smoke",),
        status=status,
        reason=only.reason,
        passed=int(status is Status.PASSED),
        trials=(only,),
    )


def _ended() -> Finding:
    return Finding(
        kind="ending",
        verdict=Verdict.PASSED,
        message="it finished",
        expected="finished",
        actual=Actual.of("finished"),
    )


def _passed(case: str) -> CaseReport:
    return _of_one(case, Status.PASSED, findings=(_ended(),))


_LEFT = (
    "create_refund was not visited: left at check_limit by outcome `over`; "
    "create_refund is reachable only through `under`"
)


def _over_limit() -> CaseReport:
    route = Finding(
        kind="path",
        verdict=Verdict.FAILED,
        message=_LEFT,
        id="route",
        critical=True,
        children=(
            Finding(kind="path", verdict=Verdict.PASSED, message="look_up_order was visited"),
            Finding(
                kind="path",
                verdict=Verdict.FAILED,
                message=_LEFT,
                expected=["look_up_order", "check_limit", "create_refund"],
                actual=Actual.of(["look_up_order", "check_limit", "escalate"]),
                where="/nodes/check_limit/0",
            ),
        ),
    )
    return _of_one(
        "over-limit-needs-approval",
        Status.FAILED,
        title="A refund over the limit waits for a manager",
        findings=(_ended(), route, _amount(), *_compositions()),
        rubrics=(RubricReport(decision="not-asked", message="not asked: the case failed"),),
    )


def _amount() -> Finding:
    return Finding(
        kind="node",
        verdict=Verdict.FAILED,
        message="/amount is a huge number, which is not at most 500",
        label="The amount is modest",
        rule="R-12",
        expected=500,
        actual=Actual.of(int("7" * 300)),
        where="/nodes/look_up_order/0/output/amount",
    )


def _compositions() -> tuple[Finding, ...]:
    text = Finding(
        kind="value",
        verdict=Verdict.FAILED,
        message="the text contains 'story'",
        expected="story",
        actual=Actual.of(LONG),
        where="/output/message",
    )
    missing = [
        Finding(
            kind="value",
            verdict=Verdict.FAILED,
            message=f"/output/item_{number} is not there",
            actual=ABSENT,
            where=f"/output/item_{number}",
        )
        for number in range(15)
    ]
    return (
        Finding(kind="not", verdict=Verdict.FAILED, message=text.message, children=(text,)),
        Finding(
            kind="all",
            verdict=Verdict.FAILED,
            message=f"all: 15 of 15 failed: {'; '.join(each.message for each in missing[:3])}",
            children=tuple(missing),
        ),
        Finding(
            kind="value",
            verdict=Verdict.UNKNOWN,
            message="messages were not recorded",
            expected=None,
            where="/messages",
        ),
    )


def _order_service_is_down() -> CaseReport:
    reason = "fixture-miss: look_up_order has no fixture for visit 2; record or write one"
    return _of_one("order-service-is-down", Status.ERROR, reason=reason)


def _reply_is_friendly() -> CaseReport:
    rubric = RubricReport(
        decision="needs-judge",
        message="no judgement yet",
        request="3f2a9c" + "0" * 58,
        criteria=(
            CriterionReport(
                id="friendly", text="Thanks the customer", required=True, verdict="unanswered"
            ),
        ),
    )
    return _of_one("reply-is-friendly", Status.NEEDS_JUDGE, findings=(_ended(),), rubrics=(rubric,))


def _nothing_is_invented() -> CaseReport:
    criterion = CriterionReport(
        id="no-invention",
        text="Claims nothing that the evidence does not show",
        required=True,
        verdict="not-met",
        reason="it names a date",
        judges={"human": "not-met"},
    )
    judgement = Judgement(
        request="cd" * 32,
        judge=Judge(name="human"),
        criteria=(
            Ruling(
                id="no-invention",
                verdict="not-met",
                quotes=(Quote(pointer="/output", text="You get it\non Monday."),),
                reason="it names a date",
            ),
        ),
        unsupported_claims=("The refund arrives on Monday",),
        provenance={"mode": "hand", "odd": "\ud800"},
        created="2026-11-30T10:00:00Z",
    )
    rubric = RubricReport(
        decision="failed",
        message="no-invention is not met",
        request="cd" * 32,
        criteria=(criterion,),
        judgements=(judgement,),
    )
    return _of_one("nothing-is-invented", Status.FAILED, rubrics=(rubric,))


def _usage_is_known() -> CaseReport:
    budget = Finding(
        kind="budget",
        verdict=Verdict.UNKNOWN,
        message="ai_units were not recorded",
        expected={"max": 20},
        actual=ABSENT,
        where="/usage/ai_units",
    )
    return _of_one("usage-is-known", Status.UNKNOWN, findings=(_ended(), budget))


def _manager_is_asked() -> CaseReport:
    approval = Finding(
        kind="value",
        verdict=Verdict.FAILED,
        message="/output/approved is null, which is not true",
        expected=True,
        actual=Actual.of(None),
        where="/output/approved",
    )
    steps = (
        StepReport(id="ask", findings=(_ended(),)),
        StepReport(id="approve", findings=(_ended(), approval)),
        StepReport(id="thank", reason="not run: step approve broke"),
    )
    rubric = RubricReport(
        decision="unknown", message="/output did not resolve: it was not recorded", step="ask"
    )
    return _of_one("manager-is-asked", Status.FAILED, steps=steps, rubrics=(rubric,))


def _reply_is_short() -> CaseReport:
    """Flaky: three of five trials passed, and four must."""
    length = Finding(
        kind="value",
        verdict=Verdict.FAILED,
        message="the length is 412, which is not at most 300",
        expected=300,
        actual=Actual.of(412),
        where="/output/message",
    )
    failed = {"status": Status.FAILED, "findings": (length,)}
    trials = [
        TrialReport.model_validate(
            {"number": n, "status": Status.PASSED, "seconds": 1.5, **(failed if n % 2 == 0 else {})}
        )
        for n in range(1, 6)
    ]
    return CaseReport(
        id="reply-is-short",
        status=Status.FAILED,
        passed=3,
        needed=4,
        planned=5,
        trials=tuple(trials),
    )


def _warned() -> CaseReport:
    slow = Finding(
        kind="budget",
        verdict=Verdict.FAILED,
        message="3.2 seconds were spent, more than 2",
        enforcement="warn",
        expected={"max": 2},
        actual=Actual.of(3.2),
        where="/usage/seconds",
    )
    costs = Finding(
        kind="budget",
        verdict=Verdict.UNKNOWN,
        message="cost_usd was not recorded",
        enforcement="report",
    )
    return _of_one("reply-is-quick", Status.PASSED, findings=(_ended(), slow, costs))


def _hostile() -> CaseReport:
    text = HOSTILE.replace("\ud800", "")
    finding = Finding(
        kind="value",
        verdict=Verdict.FAILED,
        message=text,
        id="`a` | b",
        label="<b>bold</b>",
        expected=["\x1b[2J", {"@team": "|"}],
        actual=Actual.of(HOSTILE),
        where="/output/~1\u202e",
    )
    return _of_one(
        f"hostile {text}", Status.FAILED, title=f"</summary> {text}", findings=(finding,)
    )


@pytest.fixture(scope="session")
def reports() -> st.SearchStrategy[Report]:
    """Arbitrary reports: every text is arbitrary, and values hold lone surrogates, too."""
    cases = st.lists(_cases(), max_size=3).map(tuple)
    return st.builds(
        Report,
        suite=TEXT,
        title=st.none() | TEXT,
        suite_file=TEXT,
        run=TEXT,
        started=TEXT,
        data=TEXT,
        status=st.sampled_from(Status),
        exit=st.sampled_from([0, 1, 3, 4, 130]),
        partial=st.booleans(),
        totals=st.dictionaries(TEXT, st.integers(), max_size=2),
        spent=st.dictionaries(TEXT, st.integers() | FINITE, max_size=2),
        gates=st.lists(st.builds(GateReport, name=TEXT, bound=TEXT, message=TEXT), max_size=1),
        findings=st.lists(FINDINGS, max_size=1),
        cases=cases,
        unused=st.lists(st.builds(Unused, request=TEXT, case=TEXT), max_size=1),
        notes=st.lists(TEXT, max_size=1),
    )


SPICE = [
    "\x1b[31m",
    "]]>",
    "-->",
    "`",
    "``",
    "|",
    "\n\n",
    "<b>",
    "&amp;",
    "@me",
    "\u202e",
    "\ufffe",
]
TEXT = st.text(max_size=6) | st.lists(st.sampled_from(SPICE), max_size=3).map("".join)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | FINITE | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(ANY_TEXT, inner, max_size=2),
    max_leaves=3,
)
ACTUALS = st.just(ABSENT) | VALUES.map(Actual.of)


def _finding(children: st.SearchStrategy[Finding] | None = None) -> st.SearchStrategy[Finding]:
    inside = st.just(()) if children is None else st.lists(children, max_size=2).map(tuple)
    plain = st.builds(
        Finding,
        kind=TEXT,
        verdict=st.sampled_from(Verdict),
        message=TEXT,
        id=st.none() | TEXT,
        label=st.none() | TEXT,
        rule=st.none() | TEXT,
        critical=st.booleans(),
        enforcement=st.sampled_from(["fail", "warn", "report"]),
        actual=st.none() | ACTUALS,
        where=st.none() | TEXT,
        children=inside,
    )
    expecting = st.builds(
        Finding, kind=TEXT, verdict=st.sampled_from(Verdict), message=TEXT, expected=VALUES
    )
    return plain | expecting


FINDINGS = _finding(_finding())


def _rubrics() -> st.SearchStrategy[RubricReport]:
    answers = ["met", "not-met", "cannot-tell", "not-applicable"]
    quotes = st.builds(Quote, pointer=TEXT, text=TEXT.filter(bool))
    rulings = st.builds(
        Ruling,
        id=st.just("c"),
        verdict=st.sampled_from(answers),
        quotes=st.lists(quotes, max_size=1).map(tuple),
        reason=TEXT,
    )
    judgements = st.builds(
        Judgement,
        request=st.just("0" * 64),
        judge=st.builds(Judge, name=TEXT.filter(bool)),
        criteria=st.lists(rulings, max_size=1).map(tuple),
        score=st.none() | st.integers(1, 5),
        unsupported_claims=st.lists(TEXT, max_size=1).map(tuple),
        provenance=VALUES,
        created=st.just("2026-11-30T10:00:00Z"),
    )
    return st.builds(
        RubricReport,
        decision=st.sampled_from(["passed", "failed", "needs-judge", "unknown", "not-asked"]),
        message=TEXT,
        request=st.none() | TEXT,
        step=st.none() | TEXT,
        criteria=st.lists(
            st.builds(
                CriterionReport,
                id=st.just("c"),
                text=TEXT,
                verdict=st.sampled_from(answers) | TEXT,
                reason=TEXT,
            ),
            max_size=1,
        ).map(tuple),
        judgements=st.lists(judgements, max_size=1).map(tuple),
    )


def _cases() -> st.SearchStrategy[CaseReport]:
    some = st.lists(FINDINGS, max_size=2).map(tuple)
    steps = st.builds(StepReport, id=TEXT, reason=st.none() | TEXT, findings=some)
    trials = st.builds(
        TrialReport,
        number=st.integers(1, 9),
        status=st.sampled_from(Status),
        reason=st.none() | TEXT,
        seconds=st.none() | FINITE,
        findings=some,
        steps=st.lists(steps, max_size=1).map(tuple),
        rubrics=st.lists(_rubrics(), max_size=1).map(tuple),
    )
    return st.builds(
        CaseReport,
        id=TEXT,
        title=st.none() | TEXT,
        tags=st.lists(TEXT, max_size=1).map(tuple),
        status=st.sampled_from(Status),
        reason=st.none() | TEXT | st.just("not selected"),
        planned=st.integers(1, 4),
        trials=st.lists(trials, max_size=2).map(tuple),
    )
