"""The guard: while it is up, no socket of this process connects to anything beyond this machine.

It hears of connections by Python's audit events, so it is no promise for libraries in C that open
sockets of their own.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from ipaddress import IPv6Address, ip_address
from typing import Any, Final, TypeAlias

Report: TypeAlias = Callable[[str], None]

# An audit hook can be added but never removed, so it needs a switch that outlives a call.
_UP: Final[list[Report]] = []
_TO_PEER: Final = {"socket.connect", "socket.sendto", "socket.sendmsg"}


class NetworkBlocked(ConnectionError):  # noqa: N818 - what became of the connection
    """A connection that the guard did not let through."""


@contextmanager
def guarded(report: Report) -> Iterator[None]:
    """Block connections off loopback, from any thread, and report each as `HOST:PORT`."""
    _install()
    _UP.append(report)
    try:
        yield
    finally:
        _UP.remove(report)


@cache
def _install() -> None:
    sys.addaudithook(_heard)


def _heard(event: str, args: tuple[Any, ...]) -> None:
    """Refuse what leads off this machine. Python calls this for every audited event: be quick."""
    if not _UP:
        return
    if event in _TO_PEER:
        _check_peer(*args)
    elif event == "socket.getaddrinfo":
        _check_name(args[0], args[1])


def _check_peer(connecting: socket.socket, address: Any) -> None:  # noqa: ANN401 - by its family
    inet = connecting.family in {socket.AF_INET, socket.AF_INET6}
    if inet and isinstance(address, tuple) and not _is_here(address[0]):
        _refuse(address[0], address[1])


def _check_name(host: Any, port: Any) -> None:  # noqa: ANN401 - whatever the program asks for
    """Refuse to look up a name; an address is no question, and connecting to it is refused."""
    if not _is_here(host) and _address(host) is None:
        _refuse(host, port)


def _refuse(host: object, port: object) -> None:
    name = host.decode(errors="replace") if isinstance(host, bytes) else host
    where = f"{name}:{port.decode() if isinstance(port, bytes) else port}"
    for report in tuple(_UP):
        report(where)
    raise NetworkBlocked(f"connection to {where} is blocked on `data: replay`")


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
