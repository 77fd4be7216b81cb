from __future__ import annotations

from pydantic import create_model

from flowjury.app.field_docs import field_docs
from flowjury.model import Model


class Base(Model):
    """A model."""

    first: int
    """The first.

    It goes on.
    """
    second: int = 2


class Derived(Base):
    """Another."""

    third: str
    "The third."
    first: int = 1
    """Said anew."""


def test_a_field_is_described_by_the_text_below_it():
    assert field_docs(Base) == {"first": "The first.\n\nIt goes on."}


def test_the_fields_of_parents_are_described_unless_they_are_said_anew():
    assert field_docs(Derived) == {"first": "Said anew.", "third": "The third."}


def test_a_model_without_source_has_no_docs_of_its_own():
    made = create_model("Made", __base__=Base, fourth=(int, 4))

    assert field_docs(made) == field_docs(Base)
