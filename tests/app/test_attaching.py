from __future__ import annotations

import json
import os

import pytest

from flowjury.app import attaching


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


@pytest.mark.parametrize("named", [True, False])
def test_a_file_that_cannot_be_read_stops_no_other(shop, asked, named):
    results = shop.root / ".flowjury/results"
    os.mkfifo(results / "a.json")
    (results / "b.json").symlink_to("b.json")
    (results / "c.json").symlink_to("nowhere")
    shop.write(".flowjury/results/d.json", shop.answer(asked))
    places = [str(results / f"{name}.json") for name in "abcd"] if named else []
    attachment = shop.attach(*places)

    assert [(fate, why.partition(";")[0]) for fate, _, why in fates(attachment)] == [
        ("malformed", "cannot be read: this is a pipe or a device, which may never end"),
        ("malformed", "cannot be read: Too many levels of symbolic links"),
        ("malformed", "cannot be read: no such file"),
        ("attached", ""),
    ]
    assert attaching.exit_of(attachment, named=named) == 2


def test_places_that_are_not_there_are_malformed(shop, asked):
    attachment = shop.attach("nowhere/at/all.json", "a\ud800")

    assert [(fate, why) for fate, _, why in fates(attachment)] == [
        ("malformed", "cannot be read: no such file: the folder 'nowhere' does not exist"),
        ("malformed", "cannot be read: 'a\\ud800': no file has such a name"),
    ]
    assert asked


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


def test_a_misspelt_criterion_is_named_with_the_nearest(shop, asked):
    ruling = {"id": "claer", "verdict": "met"}
    shop.write("a.json", shop.answer(asked, criteria=[ruling]))

    assert fates(shop.attach(str(shop.root / "a.json"))) == [
        (
            "half-filled",
            "c",
            (
                "no criterion is named 'claer'; nearest is 'clear' (known: clear); "
                "criterion 'clear' is not answered"
            ),
        )
    ]


QUOTES = [
    ([], "no quote given"),
    ([{"pointer": "/output/text", "text": "free"}], 'quote not found: "free" in /output/text'),
    ([{"pointer": "/output", "text": "costs 80"}], 'quote not found: "costs 80" in /output'),
    (
        [{"pointer": "/output", "text": "x"}, {"pointer": "/output/text", "text": "costs 80"}],
        None,
    ),
]


@pytest.mark.parametrize(("quotes", "why"), QUOTES)
def test_a_met_without_its_quote_is_told(shop, quotes, why):
    criterion = {"id": "clear", "text": "It is clear"}
    shop.suite({"id": "c", "rubric": {**shop.rubric, "criteria": [criterion]}})
    shop.run()
    [one] = shop.pending()
    ruling = {"id": "clear", "verdict": "met", "quotes": quotes}
    shop.write("a.json", shop.answer(one.request, criteria=[ruling]))
    rehearsed = shop.rehearse(str(shop.root / "a.json"))
    attachment = shop.attach(str(shop.root / "a.json"))

    message = f"criterion 'clear' counts as cannot-tell: {why}" if why else ""
    assert fates(rehearsed) == fates(attachment) == [("attached", "c", message)]
    assert attaching.exit_of(attachment, named=True) == (3 if why else 0)


def test_where_nothing_is_found_what_is_open_decides(shop, asked):
    before = shop.attach()
    shop.write("a.json", shop.answer(asked))
    shop.attach(str(shop.root / "a.json"))
    after = shop.attach()

    assert [attaching.exit_of(one, named=False) for one in (before, after)] == [3, 0]
    assert (before.reports, after.reports) == ((), ())


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
