from __future__ import annotations

import json

import pytest

from flowjury.app import attaching
from flowjury.errors import InputError


@pytest.fixture
def asked(shop):
    shop.suite({"id": "c", "rubric": shop.rubric})
    shop.run()
    [one] = shop.pending()
    return one.request


def fates(attachment):
    return [(answer.fate, answer.case, answer.message) for answer in attachment.answers]


def test_an_answer_is_attached_once_and_decides(shop, asked):
    shop.write(".flowjury/results/ann.json", shop.answer(asked))
    first = shop.attach()
    before = shop.files()
    second = shop.attach()

    assert [fates(first), fates(second)] == [
        [("attached", "c", "")],
        [("already there", "c", "")],
    ]
    assert [refreshed.report.exit for refreshed in first.reports] == [0]
    assert shop.files() == before
    assert attaching.exit_of(second, named=True) == 0


def test_answers_come_from_files_folders_lines_arrays_and_standard_input(shop, asked):
    answers = [shop.answer(asked, judge={"name": name}) for name in "abcdef"]
    shop.write("in/one.json", answers[0])
    shop.write("in/lines.jsonl", "\n".join(json.dumps(answer) for answer in answers[1:3]))
    shop.write("array.json", answers[3:5])
    attachment = shop.attach(
        str(shop.root / "in"),
        "-",
        str(shop.root / "array.json"),
        stdin=json.dumps(answers[5]).encode(),
    )

    assert [fate for fate, _, _ in fates(attachment)] == ["attached"] * 6
    assert [answer.place.removeprefix(f"{shop.root}/") for answer in attachment.answers] == [
        "in/lines.jsonl:1",
        "in/lines.jsonl:2",
        "in/one.json:1",
        "array.json:1: /0",
        "array.json:1: /1",
        "standard input:1",
    ]


@pytest.mark.usefixtures("asked")
def test_a_file_that_is_not_there_is_refused(shop):
    with pytest.raises(InputError, match=r"no\.json"):
        shop.attach("no.json")


BROKEN = [
    (lambda *_: "{", "malformed"),
    (lambda *_: "", "malformed"),
    (lambda *_: "[]", "malformed"),
    (lambda *_: "3", "malformed"),
    (lambda *_: {"request": [1]}, "malformed"),
    (lambda shop, r: shop.answer(r, format=2), "malformed"),
    (lambda shop, r: shop.answer(r, "yes"), "malformed"),
    (lambda shop, r: shop.answer(r, scores=3), "malformed"),
    (lambda shop, r: shop.answer(r, "not-applicable"), "malformed"),
    (lambda shop, r: shop.answer(r, criteria=3), "half-filled"),
    (lambda shop, r: shop.answer(r, criteria=[]), "half-filled"),
    (lambda shop, r: shop.answer(r, criteria=None), "half-filled"),
    (lambda shop, r: shop.answer(r, criteria=[{"id": ["x"]}]), "half-filled"),
    (lambda shop, r: shop.answer(r, criteria=[{"id": "clear"}]), "half-filled"),
    (lambda shop, r: shop.answer(r, None), "half-filled"),
    (lambda shop, r: shop.answer(r) | {"request": "0" * 64}, "foreign"),
]


@pytest.mark.parametrize(("make", "fate"), BROKEN)
def test_a_bad_answer_says_why_and_never_stops_the_others(shop, asked, make, fate):
    shop.write("results/a.json", make(shop, asked))
    shop.write("results/b.json", shop.answer(asked))
    attachment = shop.attach(str(shop.root / "results"))

    assert [answer.fate for answer in attachment.answers] == [fate, "attached"]
    assert attachment.answers[0].message
    assert attachment.reports[0].report.exit == 0
    assert attaching.exit_of(attachment, named=True) == 2
    assert attaching.exit_of(attachment, named=False) == (0 if fate == "foreign" else 2)


def test_what_is_half_filled_is_named(shop):
    two = [*shop.rubric["criteria"], {"id": "short", "text": "It is short", "quote": False}]
    shop.suite({"id": "c", "rubric": {**shop.rubric, "criteria": two, "minimum_score": 3}})
    shop.run()
    [one] = shop.pending()
    shop.write("a.json", shop.answer(one.request, criteria=[{"id": "clear", "verdict": ""}]))

    assert fates(shop.attach(str(shop.root / "a.json"))) == [
        (
            "half-filled",
            "c",
            (
                "criterion 'clear' has no verdict; criterion 'short' is not answered; "
                "it has no score from 1 to 5"
            ),
        )
    ]


def test_an_answer_to_a_question_of_the_past_is_stale_and_says_what_changed(shop, asked):
    shop.write("a.json", shop.answer(asked))
    shop.suite({"id": "c", "rubric": {**shop.rubric, "question": "Is it clear?"}})
    changed = fates(shop.attach(str(shop.root / "a.json")))
    shop.suite({"id": "c", "checks": [shop.check]})
    gone = fates(shop.attach(str(shop.root / "a.json")))

    assert changed == [
        (
            "stale",
            "c",
            "question changed since it was asked; answer the open request instead",
        )
    ]
    assert gone == [("stale", "c", "the case asks no judge now")]


def test_a_rehearsal_writes_nothing(shop, asked):
    shop.write(".flowjury/results/ann.json", shop.answer(asked))
    shop.write(".flowjury/results/bad.json", "{")
    before = shop.files()
    attachment = shop.rehearse()

    assert [answer.fate for answer in attachment.answers] == ["attached", "malformed"]
    assert attachment.reports == ()
    assert shop.files() == before


def test_an_answer_is_kept_for_every_suite_that_asks(shop):
    for name in ("one", "two"):
        text = shop.suite({"id": "c", "rubric": shop.rubric}, name=name).read_text()
        (shop.root / f"{name}.suite.json").unlink()
        shop.write(f"{name}/{name}.suite.json", text)
        shop.write(f"{name}/flow.json", shop.flow)
        shop.write(f"{name}/nodes.py", shop.nodes)
    shop.ran()
    requests = [one.request for one in shop.pending()]
    shop.write(".flowjury/results/ann.json", shop.answer(requests[0]))
    attachment = shop.attach()

    assert len({request.digest for request in requests}) == 1
    assert [refreshed.report.exit for refreshed in attachment.reports] == [0, 0]
    assert all((shop.root / name / "judgements").is_dir() for name in ("one", "two"))


def test_what_was_attached_is_told_as_data(shop, asked):
    shop.write(".flowjury/results/ann.json", shop.answer(asked))
    said = attaching.said(shop.attach())

    assert [(one.fate, one.case, one.message) for one in said.answers] == [("attached", "c", "")]
    assert [report.exit for report in said.reports] == [0]
