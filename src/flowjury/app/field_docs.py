"""The docs of fields: what stands below a field in the source of its model, for schemas.

Pydantic could read them (`use_attribute_docstrings`), but it does so whenever a model is made, and
no command but `schema` needs them: that alone would be a third of what the others take to start.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from itertools import pairwise
from textwrap import dedent

from flowjury.model import Model


def field_docs(model: type[Model]) -> dict[str, str]:
    """Return the doc of each field of a model that has one, its parents' fields included."""
    parents = (each for each in reversed(model.__mro__) if issubclass(each, Model))
    return {name: doc for each in parents for name, doc in _own(each)}


def _own(model: type[Model]) -> Iterator[tuple[str, str]]:
    """Yield the fields that a class itself declares, each with the text below it."""
    try:
        source = inspect.getsource(model)
    except OSError:  # made by a program, or shipped without its source
        return
    for node in ast.parse(dedent(source)).body:
        for field, below in pairwise(node.body if isinstance(node, ast.ClassDef) else ()):
            match field, below:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str() as doc)),
                ):
                    yield name, inspect.cleandoc(doc)
