from __future__ import annotations

from flowjury.report.model import Unused


def asked(desk, output, **rubric):
    suite = desk.suite({"id": "c", "rubric": desk.rubric | rubric})
    return suite, [desk.record("c", desk.trace(output))]


def test_an_answer_to_what_is_asked_no_more_is_listed_with_what_changed(desk):
    old_suite, old_records = asked(desk, "old")
    [old] = desk.build(old_suite, old_records).requests
    suite, records = asked(desk, "new", question="Is it so?")

    built = desk.build(suite, records, judged=[desk.judgement(old)], tickets=[desk.ticket(old)])

    assert built.report.unused == (
        Unused(
            request=old.digest,
            case="c",
            judges=("ann",),
            changed=("question changed", "/output changed"),
        ),
    )
    assert built.report.cases[0].status == "needs-judge"


def test_an_answer_to_a_case_that_asks_nothing_now_is_listed(desk):
    suite, records = asked(desk, "yes")
    [old] = desk.build(suite, records).requests
    plain = desk.suite({"id": "c", "checks": [desk.yes]})

    [unused] = desk.build(plain, records, tickets=[desk.ticket(old)]).report.unused

    assert unused.changed == ("it asks no judge now",)


def test_answers_that_count_and_those_of_others_are_not_listed(desk):
    suite, records = asked(desk, "yes")
    [request] = desk.build(suite, records).requests
    ticket = desk.ticket(request)
    strange = ticket.model_copy(update={"digest": "0" * 64, "suite": "other"})
    gone = ticket.model_copy(update={"digest": "1" * 64, "case": "gone"})

    assert desk.build(suite, records, tickets=[ticket, strange, gone]).report.unused == ()


def test_answers_to_a_case_that_was_not_observed_are_not_listed(desk):
    suite, records = asked(desk, "yes")
    [request] = desk.build(suite, records).requests
    old = desk.ticket(request).model_copy(update={"digest": "0" * 64})

    assert desk.build(suite, [], tickets=[old]).report.unused == ()
