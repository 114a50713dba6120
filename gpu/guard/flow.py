"""Counts the barriers that a block passes on its way around a chunk loop.

The chunk loop is known by its multiply-adds: of all ways from a basic block
full of them back to itself that pass a barrier, the one with the fewest is one
turn of the loop. Code that is entered only when urgent work has come lies on no
such way, wherever the compiler put it.
"""

import heapq


class Block:
    """A basic block: what it holds, and where control may go from it."""

    def __init__(self):
        self.barriers = 0
        self.multiplies = 0
        self.next = []


def _fewest(blocks, start):
    """Fewest barriers in blocks entered on a way of one step or more."""
    least = {}
    heap = [(blocks[n].barriers, n) for n in blocks[start].next]
    heapq.heapify(heap)
    while heap:
        cost, at = heapq.heappop(heap)
        if at in least:
            continue
        least[at] = cost
        for n in blocks[at].next:
            if n not in least:
                heapq.heappush(heap, (cost + blocks[n].barriers, n))
    return least


def chunk_loop_barriers(blocks):
    """Barriers of one turn of each loop around multiply-adds, in code order.

    A kernel holds more than one such loop: that of its tile, and that of urgent
    tiles. Loops without a barrier (an inner loop of arithmetic) do not count.
    """
    most = max((b.multiplies for b in blocks), default=0)
    if most == 0:
        return []
    counts = []
    for i, block in enumerate(blocks):
        if block.multiplies * 2 < most:
            continue
        there = _fewest(blocks, i)
        turns = []
        for at, cost in there.items():
            if blocks[at].barriers == 0:
                continue
            back = 0 if at == i else _fewest(blocks, at).get(i)
            if back is not None:
                turns.append(cost + back)
        if turns:
            counts.append(min(turns))
    return counts


def split(instructions, targets):
    """Basic blocks of a function.

    instructions: (place, opcode, conditional, target or None, ends) in order,
    where `ends` says that nothing falls through (a return, a plain branch).
    targets: places that are branched to.
    """
    blocks, index = [], {}
    current = None
    falls = False
    for place, opcode, conditional, target, ends in instructions:
        if current is None or place in targets:
            fresh = Block()
            index[place] = len(blocks)
            if current is not None and falls:
                current.next.append(place)
            blocks.append(fresh)
            current = fresh
        current.barriers += opcode == "barrier"
        current.multiplies += opcode == "multiply"
        falls = True
        if target is not None or ends:
            if target is not None:
                current.next.append(target)
            if conditional or not ends:
                # The block after is entered by falling through.
                targets = targets | {place + 1}
            falls = conditional or not ends
            if not falls:
                current = None
    for block in blocks:
        block.next = [index[n] for n in block.next if n in index]
    return blocks
