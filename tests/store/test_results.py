from __future__ import annotations

import json
from pathlib import Path

import pytest

from flowjury.errors import InputError
from flowjury.request import Judge, Judgement, Ruling
from flowjury.store.results import RawAnswer, dropped, raw_answers, read_result

JUDGEMENT = {
    "format": 1,
    "request": "a" * 64,
    "judge": {"name": "human"},
    "criteria": [{"id": "polite", "verdict": "met"}],
    "created": "2026-10-01T12:00:00Z",
}
TEXT = json.dumps(JUDGEMENT)
MODEL = Judgement(
    request="a" * 64,
    judge=Judge(name="human"),
    criteria=(Ruling(id="polite", verdict="met"),),
    created="2026-10-01T12:00:00Z",
)


def said(answer: RawAnswer) -> list[str]:
    try:
        return [answer.judgement().judge.name]
    except InputError as error:
        return [str(fault) for fault in error.faults]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (TEXT, ["r.json:1"]),
        (json.dumps(JUDGEMENT, indent=2), ["r.json:1"]),
        (f"\ufeff\n{TEXT}\n", ["r.json:2"]),
        (f"[\n{TEXT},\n{TEXT}]", ["r.json:2: /0", "r.json:3: /1"]),
        (f"{TEXT}\n\n{TEXT}\r\n", ["r.json:1", "r.json:3"]),
    ],
    ids=["object", "indented", "marked", "array", "lines"],
)
def test_a_result_is_one_judgement_an_array_or_one_on_each_line(
    text: str, places: list[str]
) -> None:
    answers = raw_answers(text.encode(), name="r.json")

    assert [answer.judgement() for answer in answers] == [MODEL] * len(places)
    assert [answer.place for answer in answers] == places


def test_a_result_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "bob.json"
    path.write_text(TEXT)

    [answer] = read_result(path)

    assert answer.document.value == JUDGEMENT
    with pytest.raises(InputError, match="no such file"):
        read_result(tmp_path / "nobody.json")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b" \n", "r.json: the file is empty; write a judgement"),
        (b"[]", "r.json: the array is empty; write a judgement in it"),
        (b"\xff\xfe{\0", "r.json: not UTF-8: invalid start byte; save it as UTF-8"),
        (
            f"```json\n{TEXT}\n```".encode(),
            "r.json: this starts with a code fence; remove the lines that start with ```",
        ),
        (b'"met"', "r.json:1: this must be an object, not a string"),
        (
            b'{"format": 2}',
            "r.json:1: /format: format 2 is newer than this FlowJury reads (1); upgrade flowjury",
        ),
        (b'{"request": 1}', "r.json:1: key 'format' is missing; add `format: 1`"),
        (
            b'{"format": 1, "score": NaN}',
            "r.json:1: /score: NaN is not a JSON value; write null or a string",
        ),
    ],
)
def test_what_is_no_judgement_is_said_with_what_would_be_right(
    content: bytes, message: str
) -> None:
    answers = raw_answers(content, name="r.json")

    assert [said(answer) for answer in answers] == [[message]]


def test_a_bad_item_of_an_array_does_not_stop_the_others() -> None:
    bad = json.dumps({**JUDGEMENT, "score": 7, "criteria": [{"id": "polite", "verdict": "mett"}]})

    answers = raw_answers(f"[{TEXT},\n{bad},\n{TEXT}]".encode(), name="r.json")

    assert [said(answer) for answer in answers] == [
        ["human"],
        [
            (
                "r.json:2: /1/criteria/0/verdict: 'mett' is not one of met, not-met, cannot-tell, "
                "not-applicable; nearest is 'met'"
            ),
            "r.json:2: /1/score: 7 is not at most 5",
        ],
        ["human"],
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [("r.jsonl", f"{{]\n{TEXT}"), ("r.json", f"{TEXT}\n{{]"), ("stdin", f"{TEXT}\n{{]")],
)
def test_a_bad_line_does_not_stop_the_others(name: str, text: str) -> None:
    answers = raw_answers(text.encode(), name=name)

    verdicts = {answer.place: bool(answer.faults) for answer in answers}
    assert sorted(verdicts.values()) == [False, True]
    assert set(verdicts) == {f"{name}:1", f"{name}:2"}


def test_one_broken_text_over_several_lines_is_one_bad_answer() -> None:
    broken = json.dumps(JUDGEMENT, indent=2).replace("[", "(")

    [answer] = raw_answers(broken.encode(), name="r.json")

    assert said(answer)[0].startswith("r.json:7: not JSON: ")


def test_files_that_were_dropped_are_found_by_name(tmp_path: Path) -> None:
    for name in ("b.json", "a.txt", ".hidden"):
        (tmp_path / name).touch()
    (tmp_path / "done").mkdir()

    assert dropped(tmp_path) == (tmp_path / "a.txt", tmp_path / "b.json")
    assert dropped(tmp_path / "nowhere") == ()
