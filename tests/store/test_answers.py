from __future__ import annotations

from pathlib import Path

import pytest

from flowjury.errors import InputError
from flowjury.json_values import loads
from flowjury.judging import content_hash
from flowjury.request import Judge, Judgement, Parts, Quote, Ruling, Ticket
from flowjury.store.answers import Answers

REQUEST, OTHER = "a" * 64, "b" * 64
PARTS = Parts(question="c" * 64, criteria={"polite": "d" * 64}, evidence={"/output": "e" * 64})
TICKET = Ticket(digest=REQUEST, parts=PARTS, suite="refunds", case="over-limit")


def judgement(judge: str = "human", **fields: object) -> Judgement:
    quote = Quote(pointer="/output", text="Sehr geehrte Frau Müller")
    values = {
        "request": REQUEST,
        "judge": Judge(name=judge),
        "criteria": (Ruling(id="polite", verdict="met", quotes=(quote,)),),
        "created": "2026-10-01T12:00:00Z",
    }
    return Judgement.model_validate({**values, **fields})


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    return Answers(tmp_path / "judgements")


def faults(answers: Answers, error: InputError) -> list[str]:
    return [str(fault).replace(f"{answers.folder}/", "") for fault in error.faults]


def test_a_folder_that_is_not_there_has_no_answers(answers: Answers) -> None:
    assert answers.all_for(REQUEST) == ()
    assert answers.requests() == ()
    assert answers.ticket(REQUEST) is None


def test_answers_come_back_by_content_hash_with_their_ticket(answers: Answers) -> None:
    given = [judgement(name) for name in ("human", "model", "other")]
    for each in given:
        answers.keep(each, TICKET)

    assert answers.all_for(REQUEST) == tuple(sorted(given, key=content_hash))
    assert answers.requests() == (REQUEST,)
    assert answers.ticket(REQUEST) == TICKET


def test_an_answer_is_a_file_that_people_can_read(answers: Answers) -> None:
    answers.keep(judgement(), TICKET)

    path = answers.folder / REQUEST / f"{content_hash(judgement())}.json"
    assert "Frau Müller" in path.read_text("utf-8")
    assert loads(path.read_bytes()) == {
        "format": 1,
        "request": REQUEST,
        "judge": {"name": "human"},
        "criteria": [
            {
                "id": "polite",
                "verdict": "met",
                "quotes": [{"pointer": "/output", "text": "Sehr geehrte Frau Müller"}],
            }
        ],
        "created": "2026-10-01T12:00:00Z",
    }


def test_the_same_answer_is_kept_once_whatever_defaults_it_spells_out(answers: Answers) -> None:
    first = answers.keep(judgement(), TICKET)
    second = answers.keep(judgement(score=None, unsupported_claims=()), TICKET)

    assert (first, second) == ("kept", "already-there")
    assert answers.all_for(REQUEST) == (judgement(),)


def test_an_answer_that_was_torn_is_written_again(answers: Answers) -> None:
    answers.keep(judgement(), TICKET)
    (answers.folder / REQUEST / f"{content_hash(judgement())}.json").write_bytes(b"")

    assert answers.keep(judgement(), TICKET) == "kept"
    assert answers.all_for(REQUEST) == (judgement(),)


@pytest.mark.parametrize("text", ["\ud800", "x" * 100_000])
def test_an_answer_holds_any_text(answers: Answers, text: str) -> None:
    given = judgement(provenance={"raw": text, "seed": 10**5000, "rate": 1.0})

    answers.keep(given, TICKET)

    assert answers.all_for(REQUEST) == (given,)


def test_every_file_that_is_no_answer_is_said(answers: Answers) -> None:
    answers.keep(judgement(), TICKET)
    folder = answers.folder / REQUEST
    (folder / "0.json").write_text("{")
    (folder / "1.json").write_text('{"format": 2}')
    (folder / "2.json").write_text(f'{{"format": 1, "request": "{REQUEST}", "judge": 5}}')
    (folder / "3.txt").touch()
    (folder / "4.json").mkdir()
    (folder / ".hidden").touch()

    with pytest.raises(InputError) as caught:
        answers.all_for(REQUEST)

    said = faults(answers, caught.value)
    assert [line.replace(f"{REQUEST}/", "").partition(": ")[0] for line in said] == [
        *("0.json:1", "1.json:1", "2.json:1", "2.json:1", "2.json:1", "3.txt", "4.json"),
    ]
    assert said[1].endswith(
        "/format: format 2 is newer than this FlowJury reads (1); upgrade flowjury"
    )
    assert said[-1] == (
        f"{REQUEST}/4.json: this is not where an answer lies; hand it in with `flowjury attach`, "
        "or remove it"
    )


def test_an_answer_that_was_edited_is_not_taken_for_what_was_handed_in(answers: Answers) -> None:
    answers.keep(judgement(), TICKET)
    [path] = (answers.folder / REQUEST).glob("[!t]*.json")
    path.write_text(path.read_text("utf-8").replace("human", "humane"), "utf-8")

    with pytest.raises(InputError) as caught:
        answers.all_for(REQUEST)

    [said] = faults(answers, caught.value)
    assert said == (
        f"{REQUEST}/{path.name}: this was changed or renamed: its name is not the digest of its "
        "content; move it out of here and hand it in with `flowjury attach`"
    )


def test_an_answer_in_the_folder_of_another_request_is_said(answers: Answers) -> None:
    answers.keep(judgement(), TICKET)
    (answers.folder / REQUEST).rename(answers.folder / OTHER)

    with pytest.raises(InputError) as caught:
        answers.all_for(OTHER)
    with pytest.raises(InputError) as of_ticket:
        answers.ticket(OTHER)

    message = f"'{REQUEST}' is not the name of this folder; move the file out of here"
    name = content_hash(judgement())
    assert faults(answers, caught.value) == [f"{OTHER}/{name}.json: /request: {message}"]
    assert faults(answers, of_ticket.value) == [f"{OTHER}/ticket.json: /digest: {message}"]


def test_what_may_be_a_lost_answer_beside_the_folders_is_said(answers: Answers) -> None:
    answers.keep(judgement(), TICKET)
    (answers.folder / "README.md").touch()
    assert answers.requests() == (REQUEST,)
    (answers.folder / "bob.json").touch()
    (answers.folder / "results").mkdir()

    with pytest.raises(InputError) as caught:
        answers.requests()

    rest = "this is not where an answer lies; hand it in with `flowjury attach`, or remove it"
    assert faults(answers, caught.value) == [f"bob.json: {rest}", f"results: {rest}"]


def test_a_ticket_follows_the_case_that_asked_last(answers: Answers) -> None:
    answers.keep(judgement(), TICKET)
    renamed = TICKET.model_copy(update={"case": "renamed", "step": "first"})

    answers.keep(judgement(), renamed)

    assert answers.ticket(REQUEST) == renamed
