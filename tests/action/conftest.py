"""The scripts of the action, loaded as they stand, and a GitHub on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class GitHub:
    """The comments of one pull request, and what was asked."""

    comments: list[dict[str, Any]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    account: str | None = None
    """Whose the token is; that of a job is nobody's."""
    refusal: int | None = None
    """What writing is answered with."""
    url: str = ""

    def add(self, body: str, *, login: str = "github-actions[bot]", kind: str = "Bot") -> None:
        number = len(self.comments) + 1
        user = {"login": login, "type": kind}
        self.comments.append(
            {"id": number, "body": body, "user": user, "html_url": f"https://x/{number}"}
        )

    def answer(self, method: str, target: str, body: dict[str, str]) -> tuple[int, Any]:
        parts = urlsplit(target)
        self.asked.append(f"{method} {parts.path}")
        match method, parts.path.split("/")[1:]:
            case "GET", ["user"]:
                return (200, {"login": self.account}) if self.account else (403, {})
            case "GET", ["repos", "o", "r", "issues", "7", "comments"]:
                query = parse_qs(parts.query)
                size, page = int(query["per_page"][0]), int(query["page"][0])
                return 200, self.comments[size * (page - 1) : size * page]
            case _ if self.refusal:
                return self.refusal, {}
            case "POST", ["repos", "o", "r", "issues", "7", "comments"]:
                self.add(body["body"])
                return 201, self.comments[-1]
            case "PATCH", ["repos", "o", "r", "issues", "comments", number]:
                self.comments[int(number) - 1]["body"] = body["body"]
                return 200, self.comments[int(number) - 1]
            case _:
                return 404, {}


@pytest.fixture
def github() -> Iterator[GitHub]:
    hub = GitHub()

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            assert self.headers["Authorization"] == "Bearer secret"
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else {}
            code, value = hub.answer(self.command, self.path, body)
            self.send_response(code)
            self.end_headers()
            self.wfile.write(json.dumps(value).encode())

        do_GET = do_POST = do_PATCH = _answer  # noqa: N815 - the names that http.server asks for

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield hub
    server.shutdown()
    thread.join()
    server.server_close()
