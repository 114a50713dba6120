#!/usr/bin/env python3
"""Writes a kernel file's instruction streams from machine code.

    cuobjdump -sass kernel.cubin | tools/count_instructions.py
    nvdisasm -hex kernel.cubin > kernel.sass
    tools/count_instructions.py kernel.sass --function=sgemm

The encodings must be in the listing: stalls and scoreboards are in their upper
bits. What is printed is `streams { ... }`, to be pasted into a tile program of
data/kernels; model/cycle/instruction_stream.h explains the text.

A persistent kernel is a loop over tiles around a loop over chunks. The chunk
loop is the innermost loop that has the most FMA or tensor instructions (or
barriers, if no loop has any), the tile loop the outermost around it. `elect` is
what one thread does to take a ticket: the code around the atomic that other
threads branch over. Code that not every tile runs (what happens on urgent work,
a look's rare side) is left out and listed on stderr; --include takes it in.
"""

import argparse
import re
import sys

BYTES = 16
INSTRUCTION = re.compile(
    r"^\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;?\s*/\* 0x[0-9a-f]{16} \*/")
ENCODING = re.compile(r"/\* 0x([0-9a-f]{16}) \*/\s*$")
LABEL = re.compile(r"^\s*(\.L_[\w.$]+):")
FUNCTION = re.compile(
    r"^\s*(?:Function : (\S+)|\.text\.([\w$.]+):|//-+ \.text\.([\w$.]+) )")
CAPABILITY = re.compile(r"(?:EF_CUDA_SM|\bsm_)(\d+)")
GUARD = re.compile(r"^@(!?U?P[0-9T])\s+")
MATH = ("FFMA", "FADD", "FMUL", "HFMA2", "HADD2", "HMUL2")
TENSOR = ("HMMA", "IMMA", "BMMA", "DMMA")

# Multiply-adds of a tensor instruction by the shape in its name (m, n and k
# written one after the other).
SHAPES = {"884": 8 * 8 * 4, "8816": 8 * 8 * 16, "8832": 8 * 8 * 32,
          "1684": 16 * 8 * 4, "1688": 16 * 8 * 8, "16816": 16 * 8 * 16,
          "16832": 16 * 8 * 32, "16864": 16 * 8 * 64}


class Fault(Exception):
    """What is wrong with the input, in one line."""


class Instruction:
    """One line of the listing; `target` once labels are known."""

    def __init__(self, address, text, control):
        self.address = address
        self.text = text
        guard = GUARD.match(text)
        self.guard = guard.group(1) if guard else ""
        body = text[guard.end():] if guard else text
        self.name, _, self.operands = body.partition(" ")
        self.base = self.name.split(".")[0]
        self.stall = control & 15
        self.write = control >> 5 & 7
        self.read = control >> 8 & 7
        self.waits = control >> 11 & 63
        self.target = None


def parse(text):
    """The listing's functions: {name: (instructions, capability)}."""
    functions = {}
    name, capability = "", None
    labels, here, pending = {}, [], None

    def close():
        if here:
            for item in here:
                item.target = find_target(item, labels)
            functions[name or f"function {len(functions)}"] = (list(here),
                                                               capability)
        here.clear()
        labels.clear()

    for number, line in enumerate(text.splitlines(), 1):
        function = FUNCTION.match(line)
        if function:
            found = next(filter(None, function.groups()))
            if found != name:
                close()
                name = found
        for digits in CAPABILITY.findall(line):
            capability = int(digits)
        label = LABEL.match(line)
        if label:
            labels[label.group(1)] = (here[-1].address + BYTES) if here else 0
        found = INSTRUCTION.match(line)
        encoding = ENCODING.search(line)
        if pending and (found or (line.strip() and not encoding)):
            raise Fault(f"line {number}: the second half of the encoding of "
                        f"instruction 0x{pending[0]:x} is missing; a listing "
                        "with encodings (-sass, -hex) is needed")
        if found:
            pending = (int(found.group(1), 16), found.group(2).strip())
            if here and pending[0] <= here[-1].address:
                close()  # Another function, without a heading.
        elif pending and encoding:
            control = int(encoding.group(1), 16) >> 41 & 0x1FFFFF
            here.append(Instruction(*pending, control))
            pending = None
    close()
    if not functions:
        raise Fault("no instruction with its encoding; the output of "
                    "cuobjdump -sass or nvdisasm -hex is needed")
    return functions


def find_target(item, labels):
    """Where a branch goes, or None."""
    if item.base not in ("BRA", "BSSY", "CALL"):
        return None
    label = re.search(r"`\((\.L_[\w.$]+)\)", item.operands)
    if label:
        if label.group(1) not in labels:
            raise Fault(f"0x{item.address:x}: {item.text} goes to a label that "
                        "the listing lacks")
        return labels[label.group(1)]
    number = re.findall(r"0x([0-9a-f]+)", item.operands)
    if not number:
        raise Fault(f"0x{item.address:x}: no address in {item.text}")
    return int(number[-1], 16)


class Graph:
    """Basic blocks by first address, and what can follow each."""

    def __init__(self, code):
        self.code = code
        by_address = {item.address: i for i, item in enumerate(code)}
        returns = any(item.base == "RET" for item in code)
        sync = {}
        goes_to = {}
        for i, item in enumerate(code):
            following = item.address + BYTES
            always = item.guard in ("", "PT")
            if item.base == "BSSY":
                sync[item.operands.split(",")[0].strip()] = item.target
            # CALL.REL.NOINC without any RET is how the compiler writes some
            # jumps; with one it comes back.
            if item.base == "BRA" or (item.base == "CALL" and not returns):
                goes_to[i] = [item.target] + ([] if always else [following])
            elif item.base in ("EXIT", "RET", "KILL"):
                goes_to[i] = [] if always else [following]
            elif item.base == "BSYNC":
                goes_to[i] = [sync.get(item.operands.strip(), following)]
            elif item.base in ("BRX", "JMX", "JMP", "HGMMA"):
                raise Fault(f"0x{item.address:x}: {item.text} is beyond this "
                            "script")
        first = {code[0].address}
        for i, targets in goes_to.items():
            first.update(targets)
            first.add(code[i].address + BYTES)
        self.blocks, self.next = {}, {}
        starts = sorted(a for a in first if a in by_address)
        for start, end in zip(starts, starts[1:] + [None]):
            low = by_address[start]
            high = by_address[end] if end is not None else len(code)
            self.blocks[start] = code[low:high]
            after = goes_to.get(high - 1,
                                [code[high - 1].address + BYTES])
            self.next[start] = [a for a in after if a in first
                                and a in by_address]
        self.entry = code[0].address

    def reach(self, start, inside=None, without=()):
        """Blocks that can follow `start`, itself only if in a circle."""
        found, todo = set(), [start]
        while todo:
            for block in self.next[todo.pop()]:
                if block in found or block in without:
                    continue
                if inside is not None and block not in inside:
                    continue
                found.add(block)
                todo.append(block)
        return found

    def loops(self):
        """{header: blocks} of all natural loops."""
        loops = {}
        live = self.reach(self.entry) | {self.entry}
        back = {block: [b for b in live if block in self.next[b]]
                for block in live}
        for header in live:
            free = ({self.entry} | self.reach(self.entry, without={header})
                    if header != self.entry else set())
            for latch in back[header]:
                if latch in free and latch != header:
                    continue  # Reached without the header: no back edge.
                body, todo = {header}, [latch]
                while todo:
                    block = todo.pop()
                    if block not in body:
                        body.add(block)
                        todo.extend(back[block])
                loops.setdefault(header, set()).update(body)
        return loops

    def always(self, start, end, candidates, inside):
        """Those of `candidates` that every way from start to end passes."""
        return {b for b in candidates
                if b in (start, end)
                or end not in self.reach(start, inside, {b})}


def weight(graph, blocks):
    """What makes a loop the chunk loop: arithmetic, then barriers."""
    items = [item for b in blocks for item in graph.blocks[b]]
    return (sum(item.base in MATH or item.base in TENSOR for item in items),
            sum(item.base == "BAR" for item in items))


def find_loops(graph):
    """(header, blocks) of the chunk loop and of the tile loop around it."""
    loops = graph.loops()
    inner = {h: body for h, body in loops.items()
             if not any(g != h and g in body and other < body
                        and weight(graph, other)[0] * 2
                        >= weight(graph, body)[0]
                        and weight(graph, other) > (0, 0)
                        for g, other in loops.items())}
    if not inner:
        raise Fault("no loop: a persistent kernel has one over tiles and one "
                    "over chunks")
    chunk = max(inner, key=lambda h: weight(graph, inner[h]))
    if weight(graph, inner[chunk]) == (0, 0):
        raise Fault("no loop has arithmetic or a barrier; is this the kernel?")
    around = [h for h, body in loops.items()
              if h != chunk and loops[chunk] < body]
    if not around:
        raise Fault(f"no loop around the chunk loop at 0x{chunk:x}: the loop "
                    "over tiles is missing, or the chunk loop was unrolled")
    tile = max(around, key=lambda h: len(loops[h]))
    return (chunk, loops[chunk]), (tile, loops[tile])


def find_segments(graph, include):
    """Lists of instructions by segment, and the blocks left out."""
    (chunk_head, chunk), (tile_head, tile) = find_loops(graph)
    before = {b for b in tile - chunk
              if b == tile_head
              or b in graph.reach(tile_head, tile - chunk, {tile_head})}
    before = {b for b in before
              if chunk_head in graph.reach(b, tile, {tile_head})}
    after = tile - chunk - before
    hot = {}
    hot["fetch"] = graph.always(tile_head, chunk_head, before, tile)
    latches = [b for b in chunk if chunk_head in graph.next[b]]
    ways = [graph.always(chunk_head, latch, chunk, chunk) for latch in latches]
    hot["chunk"] = max(ways, key=lambda way: weight(graph, way))
    hot["epilogue"] = graph.always(chunk_head, tile_head, after, tile)

    elect, guard = set(), None
    tickets = [b for b in sorted(before)
               if any(item.base in ("ATOM", "ATOMG") for item in
                      graph.blocks[b])]
    if tickets:
        ticket = tickets[0]
        if ticket in hot["fetch"]:
            guard = next(item.guard for item in graph.blocks[ticket]
                         if item.base in ("ATOM", "ATOMG"))
        else:
            joins = hot["fetch"] | {chunk_head}
            side = {b for b in before - hot["fetch"]
                    if ticket in graph.reach(b, before - hot["fetch"])
                    or b in graph.reach(ticket, before - hot["fetch"])
                    or b == ticket}
            join = min(graph.reach(ticket, side | joins) & joins)
            entry = min(b for b in side
                        if b == ticket or ticket in graph.reach(b, side))
            elect = (graph.always(entry, ticket, side, side)
                     | graph.always(ticket, join, side, side | {join}))

    for low, high in include:
        for name, blocks in (("fetch", before - elect), ("chunk", chunk),
                             ("epilogue", after)):
            hot[name] |= {b for b in blocks if low <= b < high}
    # A copy that is branched over and not predicated, in the last chunk.
    guarded = {b for b in chunk - hot["chunk"]
               if any(item.base == "LDGSTS" for item in graph.blocks[b])}
    segments = {"elect": [], "fetch": [], "chunk": [], "epilogue": []}
    for block in sorted(tile):
        for item in graph.blocks[block]:
            if block in elect or (guard and block in hot["fetch"]
                                  and item.guard == guard):
                segments["elect"].append(describe(item, "elect", False))
            elif block in guarded:
                segments["chunk"].append(describe(item, "chunk", True))
            else:
                for name in ("fetch", "chunk", "epilogue"):
                    if block in hot[name]:
                        segments[name].append(describe(item, name, False))
    if not segments["elect"]:
        # No ticket: a tile begins with the fetch's first instruction.
        if not segments["fetch"]:
            raise Fault("nothing between two tiles: neither ticket nor fetch")
        segments["elect"] = segments["fetch"][:1]
    kept = elect | guarded | set().union(*hot.values())
    return segments, sorted(tile - kept)


def width(item):
    """32-bit words a lane."""
    return 4 if ".128" in item.name else 2 if ".64" in item.name else 1


def describe(item, segment, branched_over):
    """One instruction as the stream's text."""
    words = width(item)
    suffix = f".{words}" if words > 1 else ""
    board = item.write
    off = item.guard in ("!PT", "!UPT")
    mark = ""
    if off:
        name = "int"
    elif item.base in MATH:
        name = "fma"
    elif item.base in TENSOR:
        shape = next((part for part in item.name.split(".")
                      if part in SHAPES), None)
        if not shape:
            raise Fault(f"0x{item.address:x}: the shape of {item.text} is not "
                        f"one of {', '.join(SHAPES)}")
        name = f"mma.{SHAPES[shape]}"
    elif item.base == "LDSM":
        name = f"lds.{item.name.rsplit('.', 1)[-1]}"
    elif item.base in ("LDS", "LDL", "SHFL", "ATOMS"):
        name = f"lds.{words}"
    elif item.base in ("STS", "STL"):
        name = "sts" + suffix
    elif item.base in ("LDG", "LD"):
        name = "ldg" + suffix
    elif item.base in ("STG", "ST", "RED"):
        # In the fetch a predicated store records what a look found, which is
        # rare.
        rare = segment == "fetch" and item.guard
        name = "int" if rare else "stg" + suffix
        off = bool(rare)
    elif item.base in ("ATOM", "ATOMG"):
        name = "atom"
    elif item.base == "LDGSTS":
        name = "cpa"
        if segment == "chunk" and (item.guard or branched_over):
            mark = "?"
    elif item.base == "LDGDEPBAR":
        name, board = "commit", 0 if board == 7 else board
    elif item.base == "DEPBAR":
        groups = re.search(r"SB(\d), 0x([0-9a-f]+)", item.operands)
        if not groups:
            raise Fault(f"0x{item.address:x}: cannot read {item.text}")
        name = f"wait.{int(groups.group(2), 16)}"
        board = int(groups.group(1))
    elif item.base == "BAR" and ".ARV" not in item.name:
        name = "bar"
    else:
        name = "int" if board == 7 else "var"
    fields = name + mark
    if item.stall > 1:
        fields += f",s{item.stall}"
    if board != 7 and not off:
        fields += f",w{board}"
    if item.read != 7 and not off:
        fields += f",r{item.read}"
    if item.waits:
        fields += ",m" + "".join(str(i) for i in range(6)
                                 if item.waits >> i & 1)
    return fields


def run_lengths(items):
    """"a a b" as "2*a b"."""
    out, i = [], 0
    while i < len(items):
        end = i
        while end < len(items) and items[end] == items[i]:
            end += 1
        out.append(items[i] if end - i == 1 else f"{end - i}*{items[i]}")
        i = end
    return out


def quoted(words, indent, limit=80):
    """The words as adjacent string literals, one a line."""
    lines, line = [], ""
    for i, word in enumerate(words):
        piece = word + (" " if i + 1 < len(words) else "")
        if line and len(line) + len(piece) + indent + 2 > limit:
            lines.append(line)
            line = ""
        line += piece
    lines.append(line)
    return "".join(f'\n{" " * indent}"{line}"' for line in lines)


def to_textproto(segments, capability, source, indent):
    """The message InstructionStream of data/schema/kernel.proto."""
    pad = " " * indent
    out = [f"{pad}streams {{", f"{pad}  compute_capability: {capability}"]
    for name in ("elect", "fetch", "chunk", "epilogue"):
        out.append(f"{pad}  {name}:"
                   + quoted(run_lengths(segments[name]), indent + 6))
    out.append(f"{pad}  source:" + quoted(source.split(" "), indent + 6))
    out.append(f"{pad}}}")
    return "\n".join(out)


def count(text, function="", include=(), capability=0):
    """(segments, blocks left out, graph, name, capability) of a listing."""
    functions = {name: value for name, value in parse(text).items()
                 if function in name}
    if len(functions) != 1:
        raise Fault(f"{len(functions) or 'no'} functions"
                    + (f" with {function!r} in the name" if function else "")
                    + "; --function needs to name one of: "
                    + ", ".join(parse(text)))
    (name, (code, found)), = functions.items()
    graph = Graph(code)
    segments, left_out = find_segments(graph, include)
    if not (capability or found):
        raise Fault("the listing does not say for which GPU it is; "
                    "--capability=86 does")
    return segments, left_out, graph, name, capability or found


def address_range(text):
    """"0x390-0x410" as two numbers."""
    low, _, high = text.partition("-")
    return int(low, 16), int(high, 16)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("listing", nargs="?", help="a file; standard input "
                        "if left out")
    parser.add_argument("--function", default="", help="part of its name")
    parser.add_argument("--capability", type=int, default=0,
                        help="80, 86 or 90 if the listing does not say")
    parser.add_argument("--include", type=address_range, action="append",
                        default=[], metavar="0xLOW-0xHIGH",
                        help="blocks that begin here run in every tile")
    parser.add_argument("--source", default="", help="what the code is")
    parser.add_argument("--indent", type=int, default=4)
    flags = parser.parse_args()
    try:
        if flags.listing:
            with open(flags.listing, encoding="utf-8") as file:
                text = file.read()
        else:
            text = sys.stdin.read()
        segments, left_out, graph, name, capability = count(
            text, flags.function, flags.include, flags.capability)
    except (Fault, OSError, UnicodeDecodeError) as fault:
        print(f"count_instructions: {flags.listing or 'standard input'}: "
              f"{fault}", file=sys.stderr)
        return 2
    for block in left_out:
        items = graph.blocks[block]
        print(f"left out: 0x{block:x}-0x{items[-1].address + BYTES:x}, "
              f"{len(items)} instructions: {items[0].text}", file=sys.stderr)
    source = flags.source or f"count_instructions.py on {name}"
    print(to_textproto(segments, capability, source, flags.indent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
