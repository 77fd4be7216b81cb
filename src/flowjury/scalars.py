"""The scalars: flags and numbers of files, which no text and no other kind stands in for."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Field

Flag: TypeAlias = Annotated[bool, Field(strict=True)]
"""True or false; `no` and `yes` are texts in YAML 1.2, and 0 and 1 are numbers."""

Whole: TypeAlias = Annotated[int, Field(strict=True)]
"""A whole number; not the text of one, and not true."""

Real: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False)]
"""A finite number."""

Amounts: TypeAlias = dict[str, Whole | Real]
"""Numbers by unit."""
