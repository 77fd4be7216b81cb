"""The nodes of the refund desk. Live, they call an orders service and a model over HTTP."""

from __future__ import annotations

import json
import os
import re
from typing import Any
from urllib.request import Request, urlopen

from flowjury import Outcome, spend

LIMIT = 500
"""Above this amount a manager must approve."""

_ORDER = re.compile(r"\b[A-Z]-\d+\b")
_INSTRUCTIONS = (
    "You answer customers of a shop about refunds. State what was decided, the amount and the"
    " order. Claim nothing that the data does not say. If a manager rejected the refund, say so"
    " and give the manager's reason."
)


def look_up_order(given: dict[str, Any]) -> dict[str, Any] | None:
    """Return the order that the message names; nothing if it names none, or the shop has none."""
    named = _ORDER.search(given["message"])
    return _call("ORDERS_URL", f"/orders/{named.group()}") if named else None


def check_limit(given: dict[str, Any]) -> Outcome:
    """Decide who may allow the refund."""
    order = given["order"]
    if not order:
        return Outcome("none")
    amount = order["amount"]
    return Outcome("over" if amount > LIMIT else "under", {"amount": amount, "limit": LIMIT})


def calculate(given: dict[str, Any]) -> dict[str, Any]:
    """Say what is left to pay back."""
    order = given["order"]
    return {"order": order["id"], "amount": order["amount"] - order.get("refunded", 0)}


def create_refund(given: dict[str, Any]) -> dict[str, Any]:
    """Pay the money back."""
    return _call("ORDERS_URL", "/refunds", given["refund"])


def nothing_left(context: dict[str, Any]) -> dict[str, Any]:
    """Say that there is nothing to pay back."""
    return {**context["calculate"], "status": "paid before"}


def reply(given: dict[str, Any]) -> dict[str, str]:
    """Have a model write the answer to the customer."""
    answer = _call("MODEL_URL", "/answers", {"instructions": _INSTRUCTIONS, "data": given})
    spend(**answer["usage"])
    return {"message": answer["text"]}


def no_order(context: dict[str, Any]) -> dict[str, str]:
    """Ask for an order number, in words that never change."""
    del context
    return {"message": "I could not find that order. Please send me its number, such as A-17."}


def apologise(context: dict[str, Any]) -> dict[str, str]:
    """Answer when the orders service does not."""
    reason = context["look_up_order"]["error"]["type"]
    return {"message": "Our order system is not available. Please try again.", "reason": reason}


def _call(service: str, path: str, body: object = None) -> dict[str, Any]:
    """Call a service whose address an environment variable holds."""
    content = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    request = Request(os.environ[service] + path, data=content, headers=headers)  # noqa: S310 - ours
    with urlopen(request, timeout=20) as response:  # noqa: S310 - likewise
        answer: dict[str, Any] = json.load(response)
        return answer
