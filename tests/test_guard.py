"""What connects while the guard is up, and what does not."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from flowjury.guard import NetworkBlocked, guarded

FAR = "192.0.2.1"  # reserved for documentation: nobody answers there


def blocked(connect):
    reports = []
    with guarded(reports.append), pytest.raises(NetworkBlocked) as caught:
        connect()
    assert str(caught.value) == f"connection to {reports[0]} is blocked on `data: replay`"
    return reports


def tcp(family=socket.AF_INET):
    return socket.socket(family, socket.SOCK_STREAM)


def connect_in_a_loop():
    async def run():
        await asyncio.open_connection(FAR, 443)

    asyncio.run(run())


def test_a_connection_off_this_machine_is_blocked_and_reported():
    with tcp() as one:
        assert blocked(lambda: one.connect((FAR, 443))) == ["192.0.2.1:443"]
        assert blocked(lambda: one.connect_ex((FAR, 80))) == ["192.0.2.1:80"]


@pytest.mark.parametrize(
    ("connect", "where"),
    [
        (connect_in_a_loop, "192.0.2.1:443"),
        (lambda: socket.create_connection((FAR, 443), timeout=0.1), "192.0.2.1:443"),
        (lambda: socket.getaddrinfo("api.example.org", 443), "api.example.org:443"),
        (lambda: socket.getaddrinfo(b"api.example.org", "https"), "api.example.org:https"),
    ],
)
def test_however_it_is_made(connect, where):
    assert blocked(connect) == [where]


@pytest.mark.parametrize(
    ("look_up", "where"),
    [
        (lambda: socket.gethostbyname("api.example.org"), "api.example.org"),
        (lambda: socket.gethostbyname_ex("api.example.org"), "api.example.org"),
        (lambda: socket.gethostbyaddr("api.example.org"), "api.example.org"),
        (lambda: socket.gethostbyaddr(FAR), FAR),
        (lambda: socket.getnameinfo((FAR, 443), 0), FAR),
        (lambda: socket.getaddrinfo("api.example.org", None), "api.example.org"),
    ],
)
def test_names_are_looked_up_nowhere_else(look_up, where):
    assert blocked(look_up) == [where]


def test_datagrams_are_blocked_as_well():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        assert blocked(lambda: one.sendto(b"x", (FAR, 53))) == ["192.0.2.1:53"]


def test_a_thread_that_knows_nothing_of_it_is_blocked():
    errors = []

    def connect():
        try:
            socket.create_connection((FAR, 443), timeout=0.1)
        except OSError as error:
            errors.append(type(error))

    reports = []
    with guarded(reports.append):
        thread = threading.Thread(target=connect)
        thread.start()
        thread.join()

    assert (errors, reports) == ([NetworkBlocked], ["192.0.2.1:443"])


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::ffff:127.0.0.1"])
def test_this_machine_is_reached(host):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server(("127.0.0.1", 0)) as server, guarded(pytest.fail), tcp(family) as one:
        one.connect((host, server.getsockname()[1]))


@pytest.mark.parametrize(
    "look_up",
    [
        lambda: socket.getaddrinfo("localhost", 80),
        lambda: socket.getaddrinfo(None, 80),
        lambda: socket.getaddrinfo(FAR, 80, flags=socket.AI_NUMERICHOST),
        lambda: socket.gethostbyname("localhost"),
        lambda: socket.gethostbyname(FAR),
        lambda: socket.getnameinfo(("127.0.0.1", 80), 0),
        lambda: socket.getfqdn("localhost"),
    ],
)
def test_looking_up_what_is_no_strange_name_is_no_connection(look_up):
    with guarded(pytest.fail):
        assert look_up()


def test_local_sockets_are_free():
    one, other = socket.socketpair()
    with one, other, guarded(pytest.fail):
        one.send(b"x")
        assert other.recv(1) == b"x"


def test_an_address_of_version_four_inside_version_six_is_what_it_is():
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as one:
        assert blocked(lambda: one.connect(("::ffff:192.0.2.1", 443))) == ["::ffff:192.0.2.1:443"]


def test_once_it_is_down_nothing_is_reported():
    reports = []
    with guarded(reports.append):
        pass

    with tcp() as one:
        one.settimeout(0)
        assert one.connect_ex((FAR, 443)) != 0
    assert reports == []


SHOW = "import os; print(os.environ.get('https_proxy'), os.environ.get('NO_PROXY'))"
DEAD = "http://127.0.0.1:9 localhost,127.0.0.1,::1"


def shown(**options):
    command = [sys.executable, "-c", SHOW]
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def test_programs_are_named_and_have_a_proxy_that_leads_nowhere(monkeypatch):
    monkeypatch.setenv("https_proxy", "http://real.example.org:3128")
    monkeypatch.delenv("NO_PROXY", raising=False)
    own = {**os.environ, "OWN": "1"}
    started = []

    with guarded(pytest.fail, started=started.append):
        inherited, given = shown(), shown(env=own)
        os.system("KEY=secret true")  # noqa: S605 - as programs do

    assert (inherited.strip(), given.strip()) == (DEAD, DEAD)
    assert list(dict.fromkeys(started)) == [Path(sys.executable).name, "true"]
    assert os.environ["https_proxy"] == own["https_proxy"] == "http://real.example.org:3128"
    assert "NO_PROXY" not in os.environ
    assert "NO_PROXY" not in own


def test_what_code_itself_made_of_its_environment_meanwhile_stays(monkeypatch):
    monkeypatch.delenv("https_proxy", raising=False)
    with guarded(pytest.fail):
        shown()
        os.environ["https_proxy"] = "theirs"

    assert os.environ["https_proxy"] == "theirs"


def test_who_takes_that_proxy_in_this_process_is_blocked_as_well():
    with tcp() as one:
        assert blocked(lambda: one.connect(("127.0.0.1", 9))) == [
            "the dead proxy that stands for anything beyond this machine"
        ]


@pytest.mark.skipif(not hasattr(os, "posix_spawn"), reason="no spawning here")
def test_a_program_that_is_spawned_is_named():
    started = []
    with guarded(pytest.fail, started=started.append):
        os.waitpid(os.posix_spawn("/bin/sh", ["sh", "-c", "true"], os.environ), 0)

    assert started == ["sh"]
