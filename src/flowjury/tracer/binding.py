"""The binding of a call: its arguments by the names of the parameters, at the speed of a tracer."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import Parameter
from typing import Any, TypeAlias

Binder: TypeAlias = Callable[[tuple[Any, ...], dict[str, Any]], dict[str, Any]]

_OWNERS = {"self", "cls"}
_VARIADIC = {Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD}


def binder(function: Callable[..., Any]) -> Binder:
    """Return what names the arguments of a call, with defaults, in the order of the signature.

    A first parameter `self` or `cls` is left out. A call that does not fit the signature, or a
    function without one, has `args` and `kwargs`.
    """
    try:
        signature = inspect.signature(function)
    except (ValueError, TypeError):
        return _unnamed
    names = list(signature.parameters)
    owner = names[0] if names and names[0] in _OWNERS else None
    variadic = any(each.kind in _VARIADIC for each in signature.parameters.values())
    return _by_signature(signature, owner) if variadic else _by_position(signature, owner)


def _unnamed(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    return {"args": [*args], "kwargs": kwargs}


def _by_position(signature: inspect.Signature, owner: str | None) -> Binder:
    names = tuple(signature.parameters)
    defaults = {
        name: each.default
        for name, each in signature.parameters.items()
        if each.default is not Parameter.empty
    }

    def bound(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        named = dict(zip(names, args, strict=False))
        try:
            for name in names[len(args) :]:
                named[name] = kwargs[name] if name in kwargs else defaults[name]
        except KeyError:
            return _unnamed(args, kwargs)
        if owner is not None:
            del named[owner]
        return named

    return bound


def _by_signature(signature: inspect.Signature, owner: str | None) -> Binder:
    def bound(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        try:
            call = signature.bind(*args, **kwargs)
        except TypeError:
            return _unnamed(args, kwargs)
        call.apply_defaults()
        return {name: value for name, value in call.arguments.items() if name != owner}

    return bound
