"""The places of what runs beside each other: the same in every run, whatever the clock says."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

import flowjury
from flowjury.evidence import Evidence
from flowjury.tracer.active import Recording, active


@flowjury.node
async def leaf(name, turns=0):
    for _ in range(turns):
        await asyncio.sleep(0)
    return name


@flowjury.node
async def branch(name, first, second):
    for _ in range(first):
        await asyncio.sleep(0)
    await asyncio.gather(leaf(f"{name}z", second), leaf(f"{name}y", first))
    return await leaf(f"{name}a")


def seen(main):
    """Return what each node answered, in the order of its visits."""
    ticks = count()
    recording = Recording(lambda: next(ticks))
    with active(recording):
        main()
    nodes = Evidence(recording.trace()).visits
    return {node: [visit.last.output for visit in visits] for node, visits in nodes.items()}


@pytest.mark.parametrize("pace", [(0, 0), (0, 9), (9, 0), (3, 3)])
def test_gathered_siblings_stand_in_the_order_in_which_their_tasks_were_made(pace):
    async def main():
        await leaf("x")
        await asyncio.gather(branch("q", *pace), branch("p", *pace[::-1]))
        await leaf("b")

    assert seen(lambda: asyncio.run(main())) == {
        "leaf": ["x", "b", "qz", "qy", "qa", "pz", "py", "pa"],
        "branch": ["qa", "pa"],
    }


@pytest.mark.parametrize("one_at_a_time", [True, False])
def test_siblings_that_happen_not_to_overlap_stand_where_others_would(one_at_a_time):
    async def main():
        lock = asyncio.Lock()

        async def held(name, turns):
            async with lock if one_at_a_time else asyncio.Lock():
                await leaf(name, turns)

        await asyncio.gather(held("b", 5), held("c", 1), held("a", 3))

    assert seen(lambda: asyncio.run(main())) == {"leaf": ["b", "c", "a"]}


def test_a_loop_stands_in_its_order_though_each_round_is_a_task_of_its_own():
    async def main():
        for name in "cab":
            await asyncio.wait_for(leaf(name), 5)

    assert seen(lambda: asyncio.run(main())) == {"leaf": ["c", "a", "b"]}


def test_tasks_that_share_a_queue_stand_by_what_they_were_given():
    async def main():
        queue = list("dcba")

        async def work(turns):
            while queue:
                await leaf(queue.pop(0), turns)

        await asyncio.gather(work(1), work(5))

    assert seen(lambda: asyncio.run(main())) == {"leaf": ["a", "b", "c", "d"]}


@flowjury.node
def inner(name):
    return name


@flowjury.node
def outer(name):
    return [inner(name), inner(name.upper())]


@pytest.mark.parametrize("workers", [1, 3])
def test_what_is_carried_into_threads_stands_in_the_order_in_which_it_was_carried(workers):
    def main():
        with ThreadPoolExecutor(workers) as pool:
            futures = [pool.submit(flowjury.carry(outer), name) for name in "cab"]
            assert [future.result()[0] for future in futures] == list("cab")

    assert seen(main) == {
        "outer": [["c", "C"], ["a", "A"], ["b", "B"]],
        "inner": ["c", "C", "a", "A", "b", "B"],
    }


def test_a_generator_goes_on_in_its_own_strand_after_each_item():
    @flowjury.node
    def stream():
        for name in "ba":
            inner(name)
            yield name

    def main():
        for name in stream():
            inner(name * 2)

    assert seen(main)["inner"] == ["bb", "aa", "b", "a"]


def test_places_are_told_only_where_tasks_ran_beside_each_other():
    async def main():
        outer("x")
        await asyncio.gather(leaf("a"), leaf("b"))

    recording = Recording(iter(range(99)).__next__)
    with active(recording):
        asyncio.run(main())
    places = [each.place for each in recording.executions()]

    own, first, second = places[0][1], places[3][3], places[4][3]
    assert places == [(0, own, 1), (), (), (0, own, 1, first, 1), (0, own, 1, second, 1)]
    assert own < first < second
