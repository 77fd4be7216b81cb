"""Roles: which spans are nodes of the workflow, calls of tools or of models.

Instrumentations name these in their own ways, and several may have watched one run. So the words of
one of them are chosen for the nodes of a whole trace, and never mixed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from flowjury.model import Json
from flowjury.sources._spans import Span, Tree, plain

Kind: TypeAlias = Literal["node", "agent", "tool", "model"]


@dataclass(frozen=True, slots=True)
class Role:
    """What a span was in the run."""

    kind: Kind
    name: str
    visit: str | None = None
    """What tries of one arrival share; None where nothing tells."""

    @classmethod
    def named(cls, kind: Kind, name: str, visit: str | None = None) -> Role:
        """Make a role; its names can be those of nodes and tools."""
        return cls(kind, plain(name), visit and plain(visit))


_MODEL_WORK: Final = {"chat", "text_completion", "generate_content", "embeddings"}
_MODEL_KINDS: Final = {"LLM", "EMBEDDING"}
_STEP_KINDS: Final = {"CHAIN", "RETRIEVER", "RERANKER", "GUARDRAIL", "EVALUATOR", "DECISION"}
_MARKS: Final = {
    "haystack.component.name": "",
    "koog.node.name": "",
    "flow.node.name": "",
    "executor.id": "executor.process",
    "node_id": "run node ",
}
"""Attributes that name a node of an engine, and how the names of such spans begin."""
_SAYING: Final = ("execute_tool ", "invoke_agent ", "invoke_workflow ", "invoke_node ")
"""How names of spans begin where they say what was done; old emitters say it only there."""
_KIND: Final = ("traceloop.span.kind", "ioa_observe.span.kind")
_ENTITY: Final = ("traceloop.entity.name", "ioa_observe.entity.name")
_AGENT: Final = ("gen_ai.agent.name", "graph.node.id", "agent.name", "agent_name", *_ENTITY)
_TOOL: Final = ("gen_ai.tool.name", "tool.name", "tool_name", *_ENTITY)
_TAGS: Final = ("tags", "tag.tags")
_STEP_TAG: Final = "graph:step:"
_LANGGRAPH: Final = "langgraph_"


def roles(tree: Tree) -> dict[str, Role]:
    """Return the roles of the spans that have one, by id."""
    found = {span.id: role for span in tree.spans if (role := _call(span))}
    for dialect in (_of_engine, _of_langgraph, _of_agents, _of_steps):
        if nodes := dialect(tree):
            return found | {key: role for key, role in nodes.items() if key not in found}
    return found


def work(span: Span) -> str | None:
    """Return what was done in a span, in the words of the conventions for generative AI."""
    said = span.text("gen_ai.operation.name")
    named = next((word.strip() for word in _SAYING if span.name.startswith(word)), None)
    return said or named


def _kind(span: Span) -> str:
    return (span.text("openinference.span.kind") or "").upper()


def _call(span: Span) -> Role | None:
    """Return the role of a call of a tool or a model."""
    done, kind = work(span), _kind(span)
    if done == "execute_tool" or kind == "TOOL" or span.text(*_KIND) == "tool":
        return Role.named("tool", span.text(*_TOOL) or _said_name(span))
    if done in _MODEL_WORK or kind in _MODEL_KINDS or span.text("llm.request.type"):
        return Role.named("model", span.name)
    return None


def _said_name(span: Span) -> str:
    """Return the name of a span without what it says was done."""
    word = next((word for word in _SAYING if span.name.startswith(word)), "")
    return span.name.removeprefix(word) or span.name or span.id


def _of_engine(tree: Tree) -> dict[str, Role]:
    """Find what an engine marked as its nodes."""
    named = ((span, _marked(span)) for span in tree.spans)
    return {span.id: Role.named("node", name) for span, name in named if name}


def _marked(span: Span) -> str | None:
    for mark, start in _MARKS.items():
        name = span.text(mark)
        if name and span.name.startswith(start) and not name.startswith("__"):
            return name
    return _said_name(span) if work(span) == "invoke_node" else None


def _of_langgraph(tree: Tree) -> dict[str, Role]:
    """Find the nodes of a LangGraph: the runs that it tagged, or the first in each namespace."""
    about = {span.id: _about(span) for span in tree.spans}
    named = [span for span in tree.spans if _node_of(about[span.id])]
    tagged = [span for span in named if _is_tagged(span)]
    root = tree.root
    trusted = root is None or not about[root.id].get("langgraph_checkpoint_ns")
    firsts = (span for span in named if _is_first(span, tree.parent(span), about))
    return {
        span.id: Role.named(
            "node", _node_of(about[span.id]), _visit(about[span.id]) if trusted else None
        )
        for span in tagged or firsts
    }


def _about(span: Span) -> Mapping[str, Json]:
    """Return what LangGraph says of a run, wherever an instrumentation has put it."""
    found: dict[str, Json] = {}
    for key, value in span.attributes.items():
        if key == "metadata" and isinstance(value, str) and _LANGGRAPH in value:
            found |= _object(value)
        elif key.rpartition(".")[2].startswith(_LANGGRAPH):
            found[key.rpartition(".")[2]] = value
    return found


def _object(text: str) -> dict[str, Json]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _node_of(about: Mapping[str, Json]) -> str:
    name = about.get("langgraph_node")
    return name if isinstance(name, str) and not name.startswith("__") else ""


def _visit(about: Mapping[str, Json]) -> str | None:
    """Return the task's name, which its retries and its resumption share."""
    namespace = about.get("langgraph_checkpoint_ns")
    return namespace if isinstance(namespace, str) and namespace else None


def _is_tagged(span: Span) -> bool:
    tags = span.first(*_TAGS)
    listed = tags if isinstance(tags, list) else [tags]
    return any(isinstance(tag, str) and tag.startswith(_STEP_TAG) for tag in listed)


def _is_first(span: Span, around: Span | None, about: Mapping[str, Mapping[str, Json]]) -> bool:
    """Tell whether a run is that of a node, not of something of the same name inside."""
    mine = about[span.id]
    outer = about[around.id] if around else {}
    same = outer.get("langgraph_checkpoint_ns") == mine.get("langgraph_checkpoint_ns")
    return (span.text(*_ENTITY) or span.name) == _node_of(mine) and not (around and same)


def _of_agents(tree: Tree) -> dict[str, Role]:
    """Find agents and tasks."""
    named = ((span, _agent(span)) for span in tree.spans)
    return {span.id: role for span, role in named if role}


def _agent(span: Span) -> Role | None:
    done, kind, said = work(span), _kind(span), span.text(*_KIND)
    if said == "workflow" or done == "invoke_workflow":
        return None
    if done == "invoke_agent" or kind == "AGENT" or said == "agent" or span.name == "agent run":
        return Role.named("agent", span.text(*_AGENT) or _said_name(span))
    if said == "task" or done == "execute_task":
        return Role.named("node", span.text(*_ENTITY) or _said_name(span))
    return None


def _of_steps(tree: Tree) -> dict[str, Role]:
    """Take any step for a node where nothing says more; the outermost is the run."""
    return {
        span.id: Role.named(
            "node", span.text("graph.node.id", "graph.node.name") or _said_name(span)
        )
        for span in tree.spans
        if _kind(span) in _STEP_KINDS and tree.parent(span)
    }
