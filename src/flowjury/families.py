"""The families: members found in the folders of this package and by entry points, on first use."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from importlib.util import find_spec
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType
from typing import Any, Literal, TypeVar, get_args, get_origin

from flowjury.errors import PluginError, UsageError
from flowjury.pointer import nearest
from flowjury.reason import reason_of

T = TypeVar("T")


@cache
def members(family: str, *needs: str) -> Mapping[str, ModuleType]:
    """Return the modules of a family by name, sorted; each must define the names that it needs.

    Raises PluginError that names every member that cannot be used, and why.
    """
    loaded: dict[str, ModuleType] = {}
    faults: list[str] = []
    for name, origin in _found(family).items():
        try:
            loaded[name] = _load(origin, *needs)
        except PluginError as error:
            faults.append(str(error))
    _raise_any(faults)
    return MappingProxyType(loaded)


def member(family: str, name: str, *needs: str) -> ModuleType:
    """Return one module of a family; the others are not imported.

    Raises UsageError for an unknown name, and PluginError if it cannot be used.
    """
    found = _found(family)
    if name not in found:
        near = nearest(name, found)
        hint = f"; nearest is {near!r}" if near else ""
        known = ", ".join(found) or "none"
        raise UsageError(f"no member of {family} is named {name!r}{hint} (known: {known})")
    return _load(found[name], *needs)


def names(family: str) -> tuple[str, ...]:
    """Return the names of a family's members, sorted; nothing is imported.

    Raises PluginError where two members have one name.
    """
    return tuple(_found(family))


def classes(family: str, base: type[T]) -> tuple[type[T], ...]:
    """Return the subclasses of a base that the modules of a family define, sorted by `kind`.

    Raises PluginError for a module without any, and where two classes have one kind.
    """
    found: dict[str, type[T]] = {}
    for origin in _found(family).values():
        for kind, each in _kinds_in(_load(origin), origin, base):
            _refuse_double(found.get(kind), kind, each, origin)
            found[kind] = each
    return tuple(dict.fromkeys(found[kind] for kind in sorted(found)))


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where a member comes from."""

    family: str
    name: str
    entry: EntryPoint | None = None
    """The entry point of a plugin; None for a module of this package."""

    def __str__(self) -> str:
        """Name the member for a message, and for a plugin the distribution that brings it."""
        if self.entry is None:
            return f"{self.family}: built-in {self.name!r}"
        dist = self.entry.dist
        source = "an unknown distribution" if dist is None else f"{dist.name} {dist.version}"
        return f"{self.family}: plugin {self.name!r} of {source} ({self.entry.value})"


@cache
def _found(family: str) -> Mapping[str, _Origin]:
    """Find the members of a family by name, sorted; nothing is imported but the folder itself."""
    origins = [*_built_in(family), *_plugins(family)]
    found = {origin.name: origin for origin in reversed(origins)}
    _raise_any(
        f"{origin}: there is also {found[origin.name]}; uninstall or rename one"
        for origin in origins
        if found[origin.name] is not origin
    )
    return MappingProxyType(dict(sorted(found.items())))


def _built_in(family: str) -> Iterator[_Origin]:
    if find_spec(f"flowjury.{family}") is not None:
        for module in iter_modules(import_module(f"flowjury.{family}").__path__):
            if not module.name.startswith("_"):
                yield _Origin(family, module.name)


def _plugins(family: str) -> Iterator[_Origin]:
    found = _entry_points(tuple(sys.path)).select(group=f"flowjury.{family}")
    for entry in sorted(found, key=lambda each: each.value):
        yield _Origin(family, entry.name, entry)


@cache
def _entry_points(_path: tuple[str, ...]) -> EntryPoints:
    """Read the entry points of every distribution on a path, which takes long, once for all."""
    return entry_points()  # type: ignore[return-value]  # typeshed still has the one of 3.9


@cache
def _load(origin: _Origin, *needs: str) -> ModuleType:
    try:
        module: Any = (
            import_module(f"flowjury.{origin.family}.{origin.name}")
            if origin.entry is None
            else origin.entry.load()
        )
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the module is a stranger's: it may raise anything
        raise PluginError(f"{origin} cannot be imported: {reason_of(error)}") from error
    if not isinstance(module, ModuleType):
        raise PluginError(f"{origin} is of type {type(module).__name__}, not a module")
    if missing := [name for name in needs if not hasattr(module, name)]:
        raise PluginError(f"{origin} does not define {' and '.join(missing)}")
    return module


def _kinds_in(module: ModuleType, origin: _Origin, base: type[T]) -> Iterator[tuple[str, type[T]]]:
    own = [
        each
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, base)
        and each.__module__ == module.__name__
        and "kind" in getattr(each, "model_fields", ())
    ]
    if not own:
        raise PluginError(f"{origin} defines no subclass of {base.__name__} with a field `kind`")
    for each in dict.fromkeys(own):
        for kind in _kinds_of(each, origin):
            yield kind, each


def _kinds_of(each: Any, origin: _Origin) -> Iterable[str]:  # noqa: ANN401 - a class of a plugin
    kind = each.model_fields["kind"].annotation
    if get_origin(kind) is Literal and all(isinstance(name, str) for name in get_args(kind)):
        return [str(name) for name in get_args(kind)]
    raise PluginError(
        f"{origin}: the field `kind` of {each.__name__} must be a Literal of text, "
        'such as Literal["count"]'
    )


def _refuse_double(first: type | None, kind: str, second: type, origin: _Origin) -> None:
    if first is not None and first is not second:
        place = f"{first.__module__}.{first.__qualname__}"
        raise PluginError(f"{origin}: {second.__qualname__} has the kind {kind!r} of {place}")


def _raise_any(faults: Iterable[str]) -> None:
    if text := "\n".join(faults):
        raise PluginError(text)
