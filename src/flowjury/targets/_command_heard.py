"""What is heard of standard error: its beginning and its end, however much there is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

_KEPT: Final = 2**16
"""How many bytes are kept of the beginning, and of the end, of standard error."""


@dataclass(slots=True)
class Heard:
    """What was written to standard error: its beginning and its end."""

    first: bytearray = field(default_factory=bytearray)
    last: bytearray = field(default_factory=bytearray)
    lost: int = 0
    """How many bytes between the two were not kept."""

    def add(self, content: bytes) -> None:
        """Hear more."""
        room = _KEPT - len(self.first)
        self.first += content[:room]
        self.last += content[room:]
        if (excess := len(self.last) - _KEPT) > 0:
            del self.last[:excess]
            self.lost += excess

    def text(self) -> str:
        """Return it as text; what is left out is said in its place."""
        gap = f"\n… {self.lost} bytes were not kept …\n" if self.lost else ""
        if not gap:
            return bytes(self.first + self.last).decode(errors="backslashreplace")
        parts = (bytes(each).decode(errors="backslashreplace") for each in (self.first, self.last))
        return gap.join(parts)
