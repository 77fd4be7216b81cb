"""The target `http`: services that answer, those that do anything else, and what is kept of it."""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest
from pydantic import ValidationError

from flowjury.case import Resume
from flowjury.errors import InputError
from flowjury.job import Job, Place, Turn
from flowjury.targets.http import HttpTarget
from flowjury.trace import ErrorInfo, Execution

pytest.importorskip("httpx2", reason="HTTP is an extra: pip install 'flowjury[http]'")

SECRET = "s3cr3t-0123456789"
JSON = {"content-type": "application/json"}
EXECUTION = {
    "id": "e1",
    "node": "draft",
    "visit": "e1",
    "status": "ok",
    "output": "hello",
    "start_ns": 0,
    "end_ns": 1,
}
TRACE = {"executions": [EXECUTION], "complete": {"executions": True}}


@dataclass
class Asked:
    method: str
    path: str
    headers: dict
    body: object


@dataclass
class Service:
    """Answers with what a test has written, the last of it again and again."""

    url: str
    replies: list = field(default_factory=list)
    asked: list = field(default_factory=list)

    def says(self, *bodies):
        self.replies = [(200, JSON, json.dumps(body).encode()) for body in bodies]

    def reply(self):
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        service = self.server.service
        sent = self.rfile.read(int(self.headers.get("content-length", 0)))
        body = json.loads(sent) if sent else None
        headers = {name.lower(): value for name, value in self.headers.items()}
        service.asked.append(Asked(self.command, self.path, headers, body))
        answer = service.reply()
        status, headers, content = answer(service.asked[-1]) if callable(answer) else answer
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_PUT = do_POST  # noqa: N815 - the names that its base looks for

    def log_message(self, *_):
        pass


@contextmanager
def serving():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        server.service = Service(f"http://127.0.0.1:{server.server_port}")
        Thread(target=server.serve_forever, daemon=True, kwargs={"poll_interval": 0.01}).start()
        yield server.service
        server.shutdown()


@pytest.fixture
def service():
    with serving() as one:
        yield one


@contextmanager
def speaking(content, *, then=None):
    """Write the same bytes to everyone who connects, and end or wait."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve():
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with connection, suppress(BrokenPipeError, ConnectionResetError):
                    heard = b""
                    while not heard.endswith(b"}"):
                        heard += connection.recv(65536)
                    for piece in content:
                        connection.sendall(piece)
                        if then is not None:
                            then.wait(0.05)

        Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/ask"


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SHOP_TOKEN", SECRET)
    monkeypatch.setenv("SHOP_PIN", "20261201")
    return monkeypatch


def prepared(url, **options):
    target = HttpTarget.model_validate({"kind": "http", "url": url, **options})
    return target.prepare(Place(root=Path("suites"), workflow=None, read=Path.read_bytes))


def job(*turns, timeout=5.0, mask=()):
    return Job(
        case="c",
        trial=1,
        turns=turns or (Turn(id=None, input={"order": "A-1"}),),
        data="live",
        fixtures={},
        ignore={},
        mask=mask,
        timeout=timeout,
    )


def observed(url, *turns, timeout=5.0, mask=(), **options):
    return prepared(url, **options).observe(job(*turns, timeout=timeout, mask=mask))


def fault(url, **options):
    seen = observed(url, **options)
    assert seen.trace is not None, "what was seen before the fault is kept"
    return (seen.fault.kind, seen.fault.message.replace(url, "URL"))


# What is sent


def test_the_input_is_the_body_and_the_answer_the_output(service):
    service.says({"message": "hello"})

    seen = observed(service.url + "/ask")

    assert seen.fault is None
    assert (seen.trace.status, seen.trace.output) == ("finished", {"message": "hello"})
    assert seen.trace.input == {"order": "A-1"}
    [asked] = service.asked
    assert (asked.method, asked.path, asked.body) == ("POST", "/ask", {"order": "A-1"})
    assert asked.headers["content-type"] == "application/json"


def test_nothing_is_said_of_what_a_program_would_leave_behind(service):
    service.says("hello")

    trace = observed(service.url).trace

    assert (trace.effects, trace.files, trace.exit_code, trace.complete) == (None, None, None, {})


def test_the_input_can_stand_under_a_key_and_be_sent_by_another_method(service):
    service.says("hello")

    observed(service.url, under="question", method="PUT")

    assert [(each.method, each.body) for each in service.asked] == [
        ("PUT", {"question": {"order": "A-1"}})
    ]


def test_headers_carry_what_the_environment_holds(service, environment):
    environment.setenv("TEAM", "blue")
    service.says("hello")

    observed(
        service.url,
        headers={"Authorization": "Bearer $SHOP_TOKEN", "X-Team": "${TEAM}s", "X-Price": "$$5"},
    )

    headers = service.asked[0].headers
    assert headers["authorization"] == f"Bearer {SECRET}"
    assert (headers["x-team"], headers["x-price"]) == ("blues", "$5")


def test_an_address_can_be_of_the_environment(service, environment):
    environment.setenv("SHOP_URL", service.url)
    service.says("hello")

    assert observed("$SHOP_URL/ask?mode=test").fault is None
    assert service.asked[0].path == "/ask?mode=test"


def test_the_turns_of_a_conversation_carry_one_id_that_no_other_has(service):
    service.says("hello")
    turns = [Turn(id="a", input={"text": "hi"}), Turn(id="b", input={"text": "bye"})]

    service_under_test = prepared(service.url, session={"key": "conversation"})
    service_under_test.observe(job(*turns))
    service_under_test.observe(job(*turns))

    ids = [each.body["conversation"] for each in service.asked]
    assert (ids[0], ids[2]) == (ids[1], ids[3])
    assert ids[0] != ids[2]
    assert service.asked[1].body == {"text": "bye", "conversation": ids[0]}


def test_the_id_of_a_conversation_can_be_a_header(service):
    service.says("hello")

    observed(service.url, Turn(id=None, input="hi"), session={"header": "X-Conversation"})

    assert len(service.asked[0].headers["x-conversation"]) == 36
    assert service.asked[0].body == "hi"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "hi",
            (
                "the input is no object, so that 'id' cannot stand beside it in the body; write"
                " `under: input` in the target, or have the id sent as a header"
            ),
        ),
        ({"id": 1}, "the input has the key 'id', which is that of the session"),
    ],
)
def test_an_id_that_has_no_place_in_the_body_is_a_fault(service, given, message):
    seen = observed(service.url, Turn(id=None, input=given), session={"key": "id"})

    assert (seen.fault.kind, seen.fault.message, service.asked) == ("target", message, [])


def test_a_service_that_waits_is_resumed(service):
    service.says({"wait": "manager", "text": None}, {"wait": None, "text": "paid"})
    turns = [
        Turn(id="ask", input={}),
        Turn(id="go", resume=Resume(wait="manager", action="approve", content={"by": "mia"})),
    ]

    seen = observed(service.url, *turns, session={"key": "id"}, wait="/wait", output="/text")

    assert seen.fault is None
    assert [step.trace.status for step in seen.trace.steps] == ["wait", "finished"]
    assert seen.trace.output == "paid"
    assert service.asked[1].body == {
        "resume": {"wait": "manager", "action": "approve", "content": {"by": "mia"}},
        "id": service.asked[0].body["id"],
    }


def test_what_does_not_wait_is_not_resumed(service):
    service.says({"text": "paid"})
    turns = [
        Turn(id="ask", input={}),
        Turn(id="go", resume=Resume(wait="manager", action="approve")),
    ]

    seen = observed(service.url, *turns, session={"key": "id"}, wait="/wait", output="/text")

    assert (seen.fault.kind, seen.fault.step) == ("not-waiting", "go")
    assert len(service.asked) == 1


def test_a_resumption_needs_a_conversation(service):
    service.says({"wait": "manager"})
    turns = [
        Turn(id="ask", input={}),
        Turn(id="go", resume=Resume(wait="manager", action="approve")),
    ]

    seen = observed(service.url, *turns, wait="/wait")

    assert seen.fault.message == (
        "step 'go' resumes a wait, and nothing tells the service in which conversation; write"
        " `session: {key: NAME}` or `session: {header: NAME}`"
    )


def test_no_cookie_goes_from_one_request_to_the_next(service):
    service.replies = [(200, {**JSON, "set-cookie": "seen=1; Path=/"}, b"1")]
    turns = [Turn(id="a", input=1), Turn(id="b", input=2)]

    observed(service.url, *turns)

    assert [each.headers.get("cookie") for each in service.asked] == [None, None]


# What is answered


def test_what_a_service_raised_and_spent_is_observed(service):
    service.says({"error": {"type": "NoOrder", "message": "Z-9"}, "usage": {"ai_units": 2}})

    seen = observed(service.url, error="/error", usage="/usage", output="/text")

    assert seen.fault is None
    assert (seen.trace.status, seen.trace.usage) == ("error", {"ai_units": 2})
    assert seen.trace.error.described() == ErrorInfo(type="NoOrder", message="Z-9").model_dump()


def test_a_trace_comes_in_the_answer(service):
    service.says({"text": "hello", "debug": {"trace": TRACE}})

    seen = observed(service.url, output="/text", trace="/debug/trace")

    assert seen.fault is None
    assert seen.trace.executions == (Execution(**EXECUTION),)
    assert seen.trace.complete == {"executions": True}


def test_a_trace_is_fetched_as_soon_as_it_is_there(service):
    later = (404, JSON, b'{"detail": "not yet"}')
    service.replies = [
        (200, JSON, b'{"text": "hello", "id": "a/b c"}'),
        later,
        (202, {}, b""),
        (200, JSON, json.dumps({"data": TRACE}).encode()),
    ]

    seen = observed(
        service.url + "/ask",
        headers={"Authorization": "$SHOP_TOKEN"},
        output="/text",
        trace_from={"url": service.url + "/traces/{id}", "id": "/id", "at": "/data"},
    )

    assert seen.fault is None
    assert seen.trace.executions == (Execution(**EXECUTION),)
    fetched = service.asked[1:]
    assert {(each.method, each.path) for each in fetched} == {("GET", "/traces/a%2Fb%20c")}
    assert [each.headers.get("authorization") for each in fetched] == [None] * 3


def test_a_trace_that_does_not_come_in_time_is_a_fault(service):
    service.replies = [(200, JSON, b'{"id": 7}'), (404, JSON, b"{}")]
    source = {"url": service.url + "/t/{id}", "id": "/id", "within": 0.2}

    kind, message = fault(service.url, trace_from=source)

    assert (kind, message) == ("target", "its trace is not at URL/t/7 within 0.2 seconds")


@pytest.mark.parametrize("named", ["", "..", True, None, ["a"], "\ud800", "a" * 999, 10**200])
def test_a_trace_that_is_not_named_is_not_fetched(service, named):
    service.says({"id": named})

    kind, message = fault(service.url, trace_from={"url": service.url + "/{id}", "id": "/id"})

    assert kind == "target"
    assert message.startswith("the id of its trace ")
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    ("trace", "message"),
    [
        (None, "its trace is of type null, not an object"),
        ({"effects": {}}, "its trace has 'effects', which it cannot tell"),
        ({"input": 1}, 'its trace has input 1, but {"order":"A-1"} is so'),
        ({"executions": [{**EXECUTION, "node": 3}]}, "its trace: /executions/0/node"),
    ],
)
def test_a_trace_that_is_none_is_a_fault(service, trace, message):
    service.says({"trace": trace})

    kind, told = fault(service.url, trace="/trace")

    assert kind == "target"
    assert told.replace('": "', '":"').startswith(message)


def test_a_trace_that_contradicts_itself_is_not_kept(service):
    service.says({"trace": {"executions": [{**EXECUTION, "parent": "e9"}]}})

    seen = observed(service.url, trace="/trace")

    assert (seen.trace, seen.fault.kind) == (None, "target")
    assert seen.fault.message.startswith("its trace: ")


def test_a_number_that_json_does_not_have_is_opaque(service):
    service.replies = [(200, JSON, b'{"text": {"score": NaN}}')]

    seen = observed(service.url, output="/text/score")

    assert seen.trace.output == {"$flowjury.opaque": "float", "text": "NaN"}


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (
            (500, JSON, b'{"detail": "db"}'),
            'URL answered 500 Internal Server Error: {"detail": "db"}',
        ),
        ((404, {}, b""), "URL answered 404 Not Found"),
        ((204, {}, b""), "URL answered 204 without content"),
        ((200, JSON, b" \n"), "URL answered 200 without content"),
        (
            (200, {"content-type": "text/html; charset=utf-8"}, b"<p>Hi</p>"),
            "URL answered with 'text/html; charset=utf-8', not 'application/json': \"<p>Hi</p>\"",
        ),
        ((200, {}, b"{}"), "URL answered with no content type, not 'application/json': {}"),
        (
            (200, {"content-type": "application/json; charset=latin-1"}, b"{}"),
            "URL answered in 'latin-1', not UTF-8: {}",
        ),
        (
            (200, {**JSON, "content-encoding": "gzip"}, b"x"),
            "URL answered packed by 'gzip', though it was asked for plain JSON: \"x\"",
        ),
        (
            (200, JSON, b'"\xff"'),
            r'URL answered in what is not UTF-8: byte 0xff at offset 1: "\"\\xff\""',
        ),
        (
            (200, JSON, b'{"a": 1, "a": 2}'),
            (
                'URL answered what is no JSON: the key "a" occurs 2 times in one object:'
                r' "{\"a\": 1, \"a\": 2}"'
            ),
        ),
        (
            (200, JSON, b"{} {}"),
            'URL answered what is no JSON: Extra data: line 1 column 4 (char 3): "{} {}"',
        ),
        (
            (200, JSON, b"[" * 1000 + b"]" * 1000),
            "URL answered what is no JSON: nested deeper than 240 levels",
        ),
    ],
)
def test_what_is_no_answer_is_refused_by_name(service, reply, message):
    service.replies = [reply]

    kind, told = fault(service.url + "/ask")

    assert kind == "target"
    assert told.startswith(message)


@pytest.mark.parametrize("kind", ["application/problem+json", "Application/JSON; charset=UTF-8"])
def test_json_under_another_name_is_json(service, kind):
    service.replies = [(200, {"content-type": kind}, b"\xef\xbb\xbf1")]

    assert observed(service.url).trace.output == 1


def test_an_answer_without_its_output_names_the_nearest_key(service):
    service.says({"reply": {"texts": 1}})

    assert fault(service.url, output="/reply/text") == (
        "target",
        "its answer has no output: /reply resolves, 'text' is not a key there; nearest is 'texts'",
    )


def test_an_output_that_is_nested_too_deep_is_refused(service):
    value = 1
    for _ in range(220):
        value = [value]
    service.says(value)

    assert fault(service.url) == ("target", "its output is nested deeper than 200 levels")


def test_an_answer_with_two_ends_is_refused(service):
    service.says({"error": "no", "wait": "manager"})

    kind, message = fault(service.url, error="/error", wait="/wait")

    assert (kind, message) == (
        "target",
        "its answer: an answer has one of `output`, `error` and `wait`",
    )


def test_a_redirect_is_not_followed(service):
    with serving() as other:
        there = {"location": f"{other.url}/login?token=x"}
        service.replies = [(307, there, b"")]

        kind, message = fault(service.url, headers={"Authorization": "Bearer $SHOP_TOKEN"})

        assert other.asked == []
        assert (kind, message) == (
            "target",
            (
                f"URL answered 307 Temporary Redirect, and sends on to {other.url}/login; a"
                " redirect is never followed, as the headers would go with it: write the address"
                " that answers"
            ),
        )


def test_an_answer_that_says_that_it_is_too_large_is_not_read():
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99999999\r\n\r\n"
    with speaking([head]) as url:
        assert fault(url) == ("target", "URL answers with more than 16,777,216 bytes")


def test_an_answer_without_end_is_not_read_to_its_end():
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n"
    with speaking([head, *[b" " * 2**20] * 17]) as url:
        assert fault(url) == ("target", "URL answers with more than 16,777,216 bytes")


# What breaks


def test_a_service_that_is_not_there_is_named():
    with socket.create_server(("127.0.0.1", 0)) as gone:
        url = f"http://127.0.0.1:{gone.getsockname()[1]}"

    kind, message = fault(url)

    assert kind == "target"
    assert message.startswith("URL cannot be reached: ")
    assert "111" in message


def test_a_service_without_tls_is_named(service):
    url = service.url.replace("http:", "https:")

    kind, message = fault(url)

    assert kind == "target"
    assert message.startswith("URL cannot be trusted, or speaks no TLS: [SSL")


def test_an_address_that_is_too_long_is_a_fault():
    kind, message = fault("http://127.0.0.1:1/" + "a" * 70_000)

    assert (kind, message) == (
        "target",
        f"http://127.0.0.1:1/{'a' * 199}… is no address that can be asked",
    )


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"HTTP/1.1 200 OK\r\ncontent-length: " + b"9" * 5000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}",
        b"SSH-2.0-OpenSSH_9.6\r\n",
    ],
)
def test_an_answer_that_breaks_off_is_a_fault(content):
    with speaking([content]) as url:
        kind, message = fault(url)

    assert kind == "target"
    assert message.startswith("URL broke off before it had answered: ")


def test_a_service_that_answers_bit_by_bit_has_no_more_time_than_the_case():
    with speaking([b"x"] * 1000, then=Event()) as url:
        began = time.monotonic()
        seen = observed(url, timeout=0.5)

    assert time.monotonic() - began < 2
    assert (seen.fault.kind, seen.trace.status) == ("timeout", "timeout")
    assert seen.fault.message == f"{url} took longer than the timeout of 0.5 seconds"


def test_a_name_that_is_not_found_in_time_does_not_hold_up_the_case(environment):
    def lookup(*_, **__):
        time.sleep(4)
        raise socket.gaierror(-3, "Try again")

    environment.setattr(socket, "getaddrinfo", lookup)
    began = time.monotonic()

    seen = observed("http://shop.invalid/", timeout=0.3)

    assert time.monotonic() - began < 2
    assert seen.fault.kind == "timeout"


def test_a_proxy_is_not_asked_for_what_runs_here(service, environment):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        environment.setenv(name, "http://127.0.0.1:1")
    service.says("hello")

    assert observed(service.url).fault is None
    assert observed(service.url.replace("127.0.0.1", "localhost")).fault is None
    assert fault("http://shop.invalid/")[1].startswith("URL cannot be reached: ")


def test_all_turns_share_the_time_of_the_case(service):
    def slow(_):
        time.sleep(0.6)
        return (200, JSON, b"1")

    service.replies = [slow]

    turns = [Turn(id=str(number), input=number) for number in range(5)]
    seen = observed(service.url, *turns, timeout=1.0)

    assert (seen.fault.kind, seen.fault.step) == ("timeout", "1")
    assert [step.trace.status for step in seen.trace.steps] == ["finished", "timeout"]


# What is sent again


BUSY = (503, {}, b"busy")


def test_nothing_is_sent_again_unless_the_suite_says_so(service):
    service.replies = [BUSY, (200, JSON, b"1")]

    assert fault(service.url)[1] == 'URL answered 503 Service Unavailable: "busy"'
    assert len(service.asked) == 1


def test_a_request_is_sent_again_after_what_the_suite_names(service):
    service.replies = [BUSY, (502, {}, b""), (200, JSON, b"1")]

    seen = observed(service.url, retries={"n": 2, "on": [502, 503]})

    assert (seen.fault, seen.trace.output) == (None, 1)
    assert len(service.asked) == 3


def test_a_request_is_not_sent_again_after_anything_else(service):
    service.replies = [(500, {}, b""), (200, JSON, b"1")]

    kind, message = fault(service.url, retries={"n": 2, "on": [503, "connect"]})

    assert (kind, message) == ("target", "URL answered 500 Internal Server Error")


def test_a_request_is_sent_again_so_often_and_no_more(service):
    service.replies = [BUSY]

    kind, message = fault(service.url, retries={"n": 2, "on": [503]})

    assert (kind, message) == ("target", 'URL answered 503 Service Unavailable: "busy" (try 3)')
    assert len(service.asked) == 3


def test_a_service_says_when_it_wants_to_be_asked_again(service):
    service.replies = [(503, {"retry-after": "1"}, b""), (200, JSON, b"1")]
    began = time.monotonic()

    seen = observed(service.url, retries={"n": 1, "on": [503]})

    assert seen.fault is None
    assert time.monotonic() - began >= 1


@pytest.mark.parametrize("after", ["3600", "Wed, 21 Oct 2099 07:28:00 GMT"])
def test_nobody_waits_for_what_comes_after_the_time_of_the_case(service, after):
    service.replies = [(503, {"retry-after": after}, b"")]
    began = time.monotonic()

    kind, message = fault(service.url, retries={"n": 1, "on": [503]})

    assert time.monotonic() - began < 2
    assert kind == "target"
    assert message.startswith("URL answered 503 Service Unavailable; it asks to wait ")
    assert len(service.asked) == 1


@pytest.mark.parametrize("after", ["soon", "-5", "Wed, 21 Oct 2015 07:28:00 GMT", "1e9"])
def test_a_wish_that_is_none_is_not_waited_for(service, after):
    service.replies = [(503, {"retry-after": after}, b""), (200, JSON, b"1")]

    assert observed(service.url, retries={"n": 1, "on": [503]}).fault is None


def test_a_service_that_is_not_there_yet_is_asked_again():
    with socket.create_server(("127.0.0.1", 0)) as gone:
        url = f"http://127.0.0.1:{gone.getsockname()[1]}"

    _, message = fault(url, retries={"n": 1, "on": ["connect"]})

    assert message.endswith(" (try 2)")


def test_a_time_out_while_waiting_says_what_failed_before(service):
    service.replies = [BUSY]

    kind, message = fault(service.url, timeout=0.5, retries={"n": 20, "on": [503]})

    assert (kind, message) == (
        "timeout",
        (
            "URL took longer than the timeout of 0.5 seconds; before that, "
            'URL answered 503 Service Unavailable: "busy"'
        ),
    )


# What is kept


HEADERS = {"Authorization": "Bearer $SHOP_TOKEN", "X-Pin": "$SHOP_PIN"}


@pytest.mark.parametrize(
    "reply",
    [
        (200, JSON, json.dumps({"text": f"you sent {SECRET}", f"k{SECRET}": [SECRET]}).encode()),
        (200, JSON, json.dumps({"deep": [{"pin": 20261201}]}).encode()),
        (200, JSON, json.dumps({"trace": {**TRACE, "messages": [SECRET]}}).encode()),
        (200, JSON, json.dumps({"error": {"type": "E", "message": SECRET}}).encode()),
        (500, {}, f"{'x' * 190}{SECRET}".encode()),
        (500, JSON, json.dumps({"sent": SECRET}).encode()),
        (200, {"content-type": SECRET}, b"{}"),
        (200, {**JSON, "content-encoding": SECRET}, b"{}"),
        (307, {"location": f"/{SECRET}?{SECRET}"}, b""),
        (307, {"location": f"/{'x' * 190}{SECRET}"}, b""),
        (200, JSON, f"{{{SECRET}".encode()),
    ],
)
def test_a_value_of_the_environment_is_found_nowhere(service, caplog, reply):
    service.replies = [reply]
    caplog.set_level(logging.DEBUG)
    options = {"headers": HEADERS, "error": "/error", "trace": "/trace"}
    if b"trace" not in reply[2]:
        del options["trace"]

    under_test = prepared(service.url, **options)
    seen = under_test.observe(job())

    assert service.asked[0].headers["authorization"] == f"Bearer {SECRET}"
    assert SECRET not in repr(seen)
    assert SECRET[:8] not in repr(seen)
    assert "20261201" not in repr(seen)
    assert SECRET not in caplog.text
    assert SECRET not in repr(under_test)


def test_the_suite_can_be_sent_elsewhere_without_what_the_environment_holds():
    target = HttpTarget.model_validate({"kind": "http", "url": "http://h/", "headers": HEADERS})
    target.prepare(Place(root=Path(), workflow=None, read=Path.read_bytes))

    assert SECRET.encode() not in pickle.dumps(target)
    assert pickle.loads(pickle.dumps(target)) == target  # noqa: S301 - our own


@pytest.mark.parametrize(
    ("reply", "form"),
    [
        ((307, {"location": '/a+"b/c=<0123>'}, b""), "0123"),
        ((500, {}, b'{"sent": "a+\\"b/c=<0123>'), "0123"),
        ((500, {}, b"<p>a+&quot;b/c=&lt;0123&gt;</p>"), "0123"),
    ],
)
def test_a_value_is_hidden_however_it_is_written(service, environment, reply, form):
    environment.setenv("SHOP_TOKEN", 'a+"b/c=<0123>')
    service.replies = [reply]

    seen = observed(service.url, headers=HEADERS)

    assert "***" in seen.fault.message
    assert form not in seen.fault.message


def test_the_token_is_hidden_where_the_variable_holds_the_whole_header(service, environment):
    environment.setenv("SHOP_AUTH", f"Bearer {SECRET}")
    service.says({"text": f"a Bearer of {SECRET}"})

    seen = observed(service.url, headers={"Authorization": "$SHOP_AUTH"})

    assert seen.trace.output == {"text": "a Bearer of ***"}


def test_the_keys_that_the_suite_masks_are_masked_in_messages_too(service):
    service.replies = [(500, JSON, b'{"iban": "DE12 3456"}')]

    seen = observed(service.url, mask=("iban",))

    assert "DE12" not in seen.fault.message
    assert "***" in seen.fault.message


# What is wrong before the first case


def test_everything_that_the_environment_lacks_is_told_at_once(environment):
    environment.setenv("EMPTY", "")
    environment.setenv("LINE", f"{SECRET}\n")
    environment.setenv("SPLIT", f"{SECRET}\r\nX: 1")
    names = ("MISSING", "EMPTY", "LINE", "SPLIT")

    with pytest.raises(InputError) as raised:
        prepared("$NOWHERE/x", headers={f"X-{name}": f"${name}" for name in names})

    assert [(each.file, each.pointer, each.message) for each in raised.value.faults] == [
        ("suites", "/target/url", "not set in this environment: NOWHERE"),
        ("suites", "/target/headers/X-MISSING", "not set in this environment: MISSING"),
        ("suites", "/target/headers/X-EMPTY", "the value of EMPTY is empty"),
        (
            "suites",
            "/target/headers/X-LINE",
            "the value of LINE begins or ends with white space, such as the end of a line",
        ),
        (
            "suites",
            "/target/headers/X-SPLIT",
            "the value of SPLIT holds a character that no header can carry, such as a line feed",
        ),
    ]


@pytest.mark.parametrize(
    "url",
    [
        "ftp://h",
        f"http://h:{SECRET}",
        "h:80",
        f"http://u:{SECRET}@h",
        f"http://h?key={SECRET}",
        "http://h:x",
        "http://[h",
    ],
)
def test_an_address_of_the_environment_that_is_none_is_refused_unseen(environment, url):
    environment.setenv("SHOP_URL", url)

    with pytest.raises(InputError) as raised:
        prepared("$SHOP_URL")

    assert raised.value.faults[0].pointer == "/target/url"
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"url": "shop/refunds"}, "'shop/refunds' is no URL such as https://host/path"),
        ({"url": "http://u:pass@h/"}, "holds a secret"),
        ({"url": "http://u@h/"}, "has a user before its host"),
        ({"url": "http://h/#x"}, "has a `#`"),
        ({"url": "http://h/?key=$KEY"}, "a secret does not go behind the `?` of a URL"),
        ({"url": "http://h/?api_key=abcdefgh1234"}, "the URL holds a secret"),
        ({"url": "http://h/$-"}, "write $$ for the sign itself"),
        ({"headers": {"Authorization": f"Bearer {SECRET}"}}, "'Authorization' is a secret"),
        ({"headers": {"X-A": "blü"}}, "'X-A' holds a character that no header can carry"),
        ({"headers": {"X-A": "a\nb"}}, "'X-A' holds a character that no header can carry"),
        ({"headers": {"X-A": " a"}}, "'X-A' begins or ends with white space"),
        ({"headers": {"X-A": ""}}, "'X-A' is empty"),
        ({"url": "http://h/\n"}, "holds a character that no URL has"),
        ({"url": "http://h:99999/"}, "'http://h:99999/' is no URL"),
        ({"headers": {"X-Api-Key": SECRET}}, "write $NAME"),
        ({"headers": {"X-A": "1", "x-a": "2"}}, "'X-A' and 'x-a' are one header"),
        ({"headers": {"Host": "h"}}, "'Host' is set by FlowJury itself"),
        ({"headers": {"X Y": "h"}}, "should match pattern"),
        ({"session": {}}, "write one of `key`, for the body, and `header`"),
        ({"session": {"key": "a", "header": "b"}}, "write one of `key`"),
        ({"session": {"key": "a"}, "under": "a"}, "both name the key 'a'"),
        ({"session": {"header": "a"}, "headers": {"A": "b"}}, "both set the header 'a'"),
        ({"trace": "", "trace_from": {"url": "http://h/{id}", "id": "/id"}}, "exclude each other"),
        ({"trace_from": {"url": "http://h/", "id": "/id"}}, "`url` has no {id}"),
        ({"retries": {"n": 0, "on": [503]}}, "greater than or equal to 1"),
        ({"retries": {"n": 1, "on": []}}, "at least 1 item"),
        ({"retries": {"n": 1, "on": [404]}}, "Input should be 'connect', 408"),
        ({"retries": {"n": 1}}, "Field required"),
        ({"method": "GET"}, "Input should be 'POST', 'PUT' or 'PATCH'"),
    ],
)
def test_an_option_that_cannot_be_is_a_fault_of_the_suite(options, message):
    with pytest.raises(ValidationError) as raised:
        HttpTarget.model_validate({"kind": "http", "url": "http://h/", **options})

    told = [each["msg"] for each in raised.value.errors()]
    assert any(message in each for each in told), told
    assert not any(SECRET in each for each in told)


def test_a_service_cannot_be_replayed():
    assert HttpTarget.replays is False


def test_without_its_extra_it_says_how_to_install_it():
    program = (
        "import sys; sys.modules['httpx2'] = None\n"
        "from pathlib import Path\n"
        "from flowjury.errors import InputError\n"
        "from flowjury.job import Place\n"
        "from flowjury.targets.http import HttpTarget\n"
        "place = Place(root=Path('suite'), workflow=None, read=None)\n"
        "try:\n"
        "    HttpTarget(kind='http', url='http://h/').prepare(place)\n"
        "except InputError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout == (
        "suite: /target/kind: target http needs the package 'httpx2':"
        " pip install 'flowjury[http]'\n"
    )


# Several at once


def test_several_cases_are_asked_at_once(service):
    def slow(asked):
        time.sleep(0.3)
        return (200, JSON, json.dumps(asked.body).encode())

    service.replies = [slow]
    under_test = prepared(service.url)
    jobs = [job(Turn(id=None, input=number)) for number in range(8)]
    began = time.monotonic()

    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(under_test.observe, jobs))

    assert time.monotonic() - began < 2
    assert [each.trace.output for each in seen] == list(range(8))


def test_who_waits_for_an_answer_is_let_go_when_the_run_ends():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        under_test = prepared(f"http://127.0.0.1:{silent.getsockname()[1]}")
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(under_test.observe, job(timeout=60))
            connection, _ = silent.accept()
            with connection:
                under_test.close()
                seen = waiting.result(5)

    assert seen.fault.message == "the run was ended before the service had answered"
    assert under_test.observe(job()).fault == seen.fault


def test_a_case_can_be_asked_where_a_loop_runs_already(service):
    service.says("hello")

    async def asked():
        return observed(service.url)

    assert asyncio.run(asked()).trace.output == "hello"
