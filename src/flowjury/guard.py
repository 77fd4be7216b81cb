"""The guard: while it is up, no socket of this process connects to anything beyond this machine.

It hears of connections by Python's audit events, so it is no promise for libraries in C that open
sockets of their own; nor for other programs, which it can only name, and give a dead proxy.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from ipaddress import IPv6Address, ip_address
from typing import Any, Final, TypeAlias

Report: TypeAlias = Callable[[str], None]
_Environment: TypeAlias = MutableMapping[str, str]

_DEAD: Final = "127.0.0.1", 9
"""Where nobody listens: the port of a protocol that is long gone."""
_LOCAL: Final = "localhost,127.0.0.1,::1"
_PROXIES: Final = {
    name: value
    for upper, value in {
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9"),
        "NO_PROXY": _LOCAL,
    }.items()
    for name in (upper, upper.lower())
}
"""What programs are told that this process starts; most clients of HTTP obey."""


@dataclass(frozen=True, slots=True)
class _Watch:
    """What is told, and undone, of what is heard while one guard is up."""

    connected: Report
    started: Report
    told: list[tuple[_Environment, dict[str, str | None]]] = field(default_factory=list)
    """Environments that were given the dead proxies, with what they had before."""

    def mislead(self, environment: _Environment) -> None:
        """Give an environment the dead proxies, once."""
        if all(environment is not each for each, _ in self.told):
            self.told.append((environment, {name: environment.get(name) for name in _PROXIES}))
        environment.update(_PROXIES)

    def undo(self) -> None:
        """Give environments back what they had, save where somebody has changed it meanwhile."""
        for environment, before in self.told:
            for name, value in before.items():
                if environment.get(name) == _PROXIES[name]:
                    environment.pop(name)
                    environment.update({} if value is None else {name: value})


# An audit hook can be added but never removed, so it needs a switch that outlives a call.
_UP: Final[list[_Watch]] = []


class NetworkBlocked(ConnectionError):  # noqa: N818 - what became of the connection
    """A connection that the guard did not let through."""


@contextmanager
def guarded(report: Report, *, started: Report = lambda _: None) -> Iterator[None]:
    """Block connections off loopback, from any thread, and report each as `HOST:PORT`.

    Names are looked up nowhere else either. Programs that are started are reported by name.
    """
    _install()
    watch = _Watch(report, started)
    _UP.append(watch)
    try:
        yield
    finally:
        _UP.remove(watch)
        watch.undo()


@cache
def _install() -> None:
    sys.addaudithook(_heard)


def _heard(event: str, args: tuple[Any, ...]) -> None:
    """Refuse what leads off this machine. Python calls this for every audited event: be quick."""
    if not _UP:
        return
    answer = _ANSWERS.get(event)
    if answer is not None:
        answer(*args)


def _check_peer(connecting: socket.socket, address: Any) -> None:  # noqa: ANN401 - by its family
    inet = connecting.family in {socket.AF_INET, socket.AF_INET6}
    if inet and isinstance(address, tuple):
        if address[:2] == _DEAD:
            _refuse("the dead proxy that stands for anything beyond this machine")
        if not _is_here(address[0]):
            _refuse(address[0], address[1])


def _check_name(host: Any, port: Any = None, *_: object) -> None:  # noqa: ANN401 - what is asked
    """Refuse to look up a name; an address is no question, and connecting to it is refused."""
    if not _is_here(host) and _address(host) is None:
        _refuse(host, port)


def _check_reverse(host: Any) -> None:  # noqa: ANN401 - what is asked
    """Refuse to look up whose address it is, which asks others of any address but ours."""
    if not _is_here(host):
        _refuse(host)


def _refuse(host: object, port: object = None) -> None:
    where = _text(host) if port is None else f"{_text(host)}:{_text(port)}"
    for watch in tuple(_UP):
        watch.connected(where)
    raise NetworkBlocked(f"connection to {where} is blocked on `data: replay`")


def _start(program: Any, environment: Any = None) -> None:  # noqa: ANN401 - as it was given
    """Tell of a program that is started, and give it the dead proxies."""
    command = program[0] if isinstance(program, list | tuple) and program else program
    name = os.path.basename(_text(command))  # noqa: PTH119 - it may be no path
    for watch in tuple(_UP):
        watch.mislead(os.environ)
        if isinstance(environment, dict):
            watch.mislead(environment)
        watch.started(name)


def _first(command: object) -> str:
    """Return the first word of a command, but no setting before it: it may be a secret."""
    return next((word for word in _text(command).split() if "=" not in word), "a shell")


def _text(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


_ANSWERS: Final[dict[str, Callable[..., None]]] = {
    "socket.connect": _check_peer,
    "socket.sendto": _check_peer,
    "socket.sendmsg": _check_peer,
    "socket.getaddrinfo": _check_name,
    "socket.gethostbyname": _check_name,
    "socket.gethostbyaddr": _check_reverse,
    "socket.getnameinfo": lambda address: _check_reverse(address[0]),
    "subprocess.Popen": lambda _, args, __, environment: _start(args, environment),
    "os.system": lambda command: _start(_first(command)),
    "os.posix_spawn": lambda path, _, environment: _start(path, environment),
    "os.spawn": lambda _, path, __, environment: _start(path, environment),
    "os.exec": lambda path, _, environment: _start(path, environment),
}


def _is_here(host: object) -> bool:
    """Tell whether a host is this machine."""
    address = _address(host)
    if address is None:
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
        return name in {None, "", "localhost", "localhost.localdomain", socket.gethostname()}
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    address = mapped or address
    return address.is_loopback or address.is_unspecified


def _address(host: object) -> Any:  # noqa: ANN401 - an address of either version
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    try:
        return ip_address(text) if isinstance(text, str) else None
    except ValueError:
        return None
