"""A server of chat completions on the loopback interface that gives the replies of a script."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


@dataclass(frozen=True)
class Reply:
    """What the server sends; `promised` bytes more than it sends, and `after` some seconds."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    promised: int = 0
    after: float = 0


def completion(content: Any, finish: str = "stop", **fields: Any) -> Reply:
    """Reply with a chat completion; `fields` stand in it or, as None, are left out."""
    message = {"role": "assistant", "content": content, "refusal": fields.pop("refusal", None)}
    whole = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "served-2026-01-01",
        "system_fingerprint": "fp_1",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": USAGE,
        **fields,
    }
    return Reply(body=json.dumps({k: v for k, v in whole.items() if v is not None}).encode())


def error(status: int, *, headers: dict[str, str] | None = None, **fields: Any) -> Reply:
    """Reply with an error as OpenAI words it; a client that retries does so at once."""
    body = {"error": {"message": f"fake {status}", "type": "e", "code": None, **fields}}
    return Reply(status, json.dumps(body).encode(), headers or {"retry-after-ms": "1"})


class Loopback(ThreadingHTTPServer):
    """Replies in order, the last one again and again; keeps every request body."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, replies: Sequence[Reply]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.replies = list(replies)
        self.bodies: list[dict[str, Any]] = []
        self.lock = threading.Lock()
        self.in_flight = self.peak = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def next(self, body: dict[str, Any]) -> Reply:
        with self.lock:
            self.bodies.append(body)
            return self.replies[min(len(self.bodies), len(self.replies)) - 1]

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Loopback

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        reply = self.server.next(json.loads(self.rfile.read(length)))
        with self.server.lock:
            self.server.in_flight += 1
            self.server.peak = max(self.server.peak, self.server.in_flight)
        time.sleep(reply.after)
        with self.server.lock:
            self.server.in_flight -= 1
        try:
            self._send(reply)
        except (BrokenPipeError, ConnectionResetError):  # the client did not wait
            self.close_connection = True

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        headers = {"content-type": "application/json", "x-request-id": "req_1", **reply.headers}
        headers["content-length"] = str(len(reply.body) + reply.promised)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body)
        self.close_connection = bool(reply.promised)
