"""Exceptions made again from what a fixture says of them."""

from __future__ import annotations

import json

import pytest

from flowjury.trace import ErrorInfo
from flowjury.tracer.revival import full_name, revived


class Outer:
    class InnerError(Exception):
        def __init__(self, *, response):
            super().__init__(response)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ValueError", ValueError),
        ("KeyError", KeyError),
        ("UnicodeDecodeError", UnicodeDecodeError),
        ("ExceptionGroup", Exception),
        ("json.decoder.JSONDecodeError", json.JSONDecodeError),
        (f"{__name__}.Outer.InnerError", Outer.InnerError),
        ("RateLimitError", Exception),
        ("unknown.module.RateLimitError", Exception),
        ("json.dumps", Exception),
        ("SystemExit", Exception),
        ("int", Exception),
    ],
)
def test_the_class_that_is_named_is_raised_again_with_its_name_and_message(name, kind):
    error = revived(ErrorInfo(type=name, message="the message"))

    assert isinstance(error, kind)
    assert isinstance(error, Exception)
    assert (type(error).__name__, str(error)) == (name.rpartition(".")[2], "the message")


@pytest.mark.parametrize("kind", [ValueError, KeyError, json.JSONDecodeError, Outer.InnerError])
def test_an_exception_made_again_has_the_same_full_name(kind):
    name = full_name(kind)

    assert full_name(type(revived(ErrorInfo(type=name, message="m")))) == name
