"""Keep one comment on a pull request up to date, found again by a hidden first line.

A comment is an aside: where it cannot be written, that is said and the step ends well.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

LIMIT = 65_000
"""How many characters a comment has at most: GitHub takes 65,536."""
_SECONDS = 20
_PER_PAGE = 100
_MOST_PAGES = 50
_REFUSED = frozenset({401, 403, 404})


def main(environment: Mapping[str, str]) -> int:
    """Write the comment."""
    event = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    pull = event.get("pull_request")
    if not isinstance(pull, dict):
        print("no comment: this run is not of a pull request")
        return 0
    text = Path(environment["SUMMARY"]).read_text(encoding="utf-8")
    body = body_of(marker(environment["NAME"]), text)
    issue = Issue(
        api=environment.get("GITHUB_API_URL", "https://api.github.com"),
        repository=environment["GITHUB_REPOSITORY"],
        number=int(pull["number"]),
        token=environment["TOKEN"],
    )
    try:
        print(f"comment {issue.put(body)}")
    except HTTPError as error:
        print(f"::{_said(error, from_fork=_is_of_fork(pull, issue.repository))}")
    except (OSError, ValueError, LookupError, TypeError) as error:
        print(f"::warning title=FlowJury::no comment: {_escaped(repr(error))}")
    return 0


def marker(name: str) -> str:
    """Return the hidden first line by which a comment is found again."""
    return "<!-- flowjury -->" if name == "flowjury" else f"<!-- flowjury {quote(name)} -->"


def body_of(first: str, text: str) -> str:
    """Return the comment; of a text that is too long, the beginning, and that is said above it."""
    if len(first) + len(text) < LIMIT:
        return f"{first}\n{text}"
    said = "The report is too long for a comment: the artifact of this run has the whole.\n"
    kept = text[: LIMIT - len(first) - len(said) - 2]
    return f"{first}\n{said}\n{kept.rpartition(chr(10))[0]}"


@dataclass(frozen=True)
class Issue:
    """The comments of one pull request."""

    api: str
    repository: str
    number: int
    token: str

    def put(self, body: str) -> str:
        """Change our comment, or write it; return where it is."""
        first = body.partition("\n")[0]
        base = f"/repos/{self.repository}/issues"
        for comment in self._comments():
            if str(comment.get("body", "")).partition("\n")[0].strip() == first:
                path = f"{base}/comments/{int(comment['id'])}"
                return str(self._ask("PATCH", path, body)["html_url"])
        return str(self._ask("POST", f"{base}/{self.number}/comments", body)["html_url"])

    def _comments(self) -> Iterator[dict[str, Any]]:
        """Yield the comments that a bot or our own account wrote: others may copy the marker."""
        login = self._login()
        for page in range(1, _MOST_PAGES + 1):
            path = f"/repos/{self.repository}/issues/{self.number}/comments"
            found = self._ask("GET", f"{path}?per_page={_PER_PAGE}&page={page}")
            for comment in found:
                user = comment.get("user") or {}
                if user.get("type") == "Bot" or (login and user.get("login") == login):
                    yield comment
            if len(found) < _PER_PAGE:
                return

    def _login(self) -> str | None:
        """Return whose the token is; the token of a job has no account."""
        try:
            return str(self._ask("GET", "/user")["login"])
        except HTTPError as error:
            if error.code in _REFUSED:
                return None
            raise

    def _ask(self, method: str, path: str, body: str | None = None) -> Any:  # noqa: ANN401 - JSON
        request = Request(  # noqa: S310 - the address is that of the server the job runs on
            f"{self.api}{path}",
            method=method,
            data=None if body is None else json.dumps({"body": body}).encode(),
            headers={
                "Accept": "application/vnd.github+json",
                "Authorization": f"Bearer {self.token}",
                "Content-Type": "application/json",
                "X-GitHub-Api-Version": "2022-11-28",
            },
        )
        with urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310 - likewise
            return json.loads(answer.read())


def _is_of_fork(pull: dict[str, Any], repository: str) -> bool:
    """Tell whether the branch is another repository's; that of a deleted fork is null."""
    head = (pull.get("head") or {}).get("repo") or {}
    return head.get("full_name") != repository


def _said(error: HTTPError, *, from_fork: bool) -> str:
    if error.code not in _REFUSED:
        return f"warning title=FlowJury::no comment: GitHub answered {error.code}"
    if from_fork:
        return "notice title=FlowJury::no comment: the token of a fork's pull request only reads"
    return (
        f"warning title=FlowJury::no comment: GitHub answered {error.code}; give the job "
        "`permissions: {pull-requests: write}`"
    )


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


if __name__ == "__main__":
    sys.exit(main(os.environ))
