"""The pages: README and docs as data; their fenced blocks, links and headings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
LANGUAGES = frozenset({"console", "json", "python", "sh", "text", "toml", "yaml"})

_FENCE = re.compile(r"^(`{3,})(\w*) *(.*)$")
_SAMPLE = re.compile(r"^<!-- runs in a copy of (\S+) -->$", re.MULTILINE)
_LINK = re.compile(r"(?<!`)\[[^\]\n]*\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: what its info string says, and the lines inside."""

    language: str
    file: str | None
    """The file that it is, as in ```yaml file=a.yaml."""
    lines: tuple[str, ...]
    start: int
    """Where its first line stands in the page, from 0."""

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


@dataclass(frozen=True, slots=True)
class Page:
    """One Markdown file."""

    path: Path

    @property
    def name(self) -> str:
        inside = self.path.is_relative_to(ROOT)
        return self.path.relative_to(ROOT).as_posix() if inside else self.path.name

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def sample(self) -> Path | None:
        """The folder in a copy of which the blocks run, if the page says so."""
        found = _SAMPLE.search(self.text)
        return ROOT / found[1] if found else None

    @property
    def prose(self) -> str:
        """The text outside of fenced blocks."""
        lines = self.text.splitlines()
        for block in self.blocks():
            lines[block.start : block.start + len(block.lines)] = [""] * len(block.lines)
        return "\n".join(lines)

    def blocks(self) -> list[Block]:
        found: list[Block] = []
        lines = self.text.splitlines()
        opened: tuple[int, re.Match[str]] | None = None
        for number, line in enumerate(lines):
            fence = _FENCE.match(line)
            if fence is None:
                continue
            if opened is None:
                opened = (number + 1, fence)
            elif line.rstrip() == opened[1][1]:
                found.append(_block(opened[1], lines[opened[0] : number], opened[0]))
                opened = None
        assert opened is None, f"{self.name}: a fence is never closed"
        return found

    def links(self) -> list[str]:
        return [link or source for link, source in _LINK.findall(self.prose)]

    def anchors(self) -> set[str]:
        """The fragments that lead to headings, as GitHub makes them."""
        return {_anchor(heading) for heading in _HEADING.findall(self.prose)}


def pages() -> list[Page]:
    return [Page(ROOT / "README.md"), *map(Page, sorted(DOCS.rglob("*.md")))]


def _block(fence: re.Match[str], lines: list[str], start: int) -> Block:
    info = dict(word.partition("=")[::2] for word in fence[3].split())
    return Block(fence[2], info.get("file"), tuple(lines), start)


def _anchor(heading: str) -> str:
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.replace(" ", "-")
