"""Reads PTX: the residency that a kernel is built for, its loops, and what
instructions it uses."""

import re

import flow

# Instructions that sm_80 does not have.
NEWER = [
    (r"\bcluster\b|\bclusterid\b|\.shared::cluster|mapa\b", "cluster"),
    (r"\bcp\.async\.bulk\b", "cp.async.bulk"),
    (r"\bmulticast\b", "multicast"),
    (r"\bmbarrier\.(try_wait|expect_tx|complete_tx)\b", "mbarrier of sm_90"),
    (r"\bwgmma\b|\btcgen05\b|\bsetmaxnreg\b|\belect\.sync\b|\bstmatrix\b",
     "matrix or warp instruction of sm_90"),
    (r"\bgriddepcontrol\b|\bfence\.proxy\.(async|tensormap)\b|\bmultimem\b",
     "sm_90"),
]

_BARRIER = re.compile(r"(bar|barrier)(\.cta)?\.(sync|red|arrive)\b")
_MULTIPLY = re.compile(r"(fma\.rn(\.ftz)?\.f32|mma\.sync)\b")
_LABEL = re.compile(r"(\$L\w+):$")
_BRANCH = re.compile(r"bra(\.uni)?\s+(\$L\w+)$")
_GUARD = re.compile(r"@!?%\w+\s+")


class Kernel:
    """An entry function."""

    def __init__(self, name):
        self.name = name
        self.threads = 0
        self.blocks_per_sm = 0
        self.newer = []
        self.barriers = []

    def register_plan(self):
        """Most registers a thread that let the planned blocks be resident; 0
        if no plan was made."""
        if not self.threads or not self.blocks_per_sm:
            return 0
        # Registers go to warps in units of 256, 8 a thread.
        return min(65536 // (self.threads * self.blocks_per_sm) // 8 * 8, 255)


def _statements(body):
    """Instructions and labels of a function's body, one each."""
    for line in body.splitlines():
        line = line.split("//")[0]
        for part in re.split(r"[;{}]", line):
            part = part.strip()
            if part:
                yield part


def _instructions(body):
    places, targets, found = {}, set(), []
    for part in _statements(body):
        label = _LABEL.match(part)
        if label:
            places[label.group(1)] = len(found)
            continue
        guard = _GUARD.match(part)
        text = part[guard.end():] if guard else part
        branch = _BRANCH.match(text)
        opcode = ("barrier" if _BARRIER.match(text) else
                  "multiply" if _MULTIPLY.match(text) else "")
        ends = bool(branch) or text in ("ret", "exit", "trap")
        found.append([len(found), opcode, bool(guard),
                      branch.group(2) if branch else None, ends])
    for instruction in found:
        if instruction[3] is not None:
            instruction[3] = places[instruction[3]]
            targets.add(instruction[3])
    return found, targets


def _function(text):
    """Head and body of a function; scopes inside the body have braces too."""
    start = text.index("\n{") + 2
    depth, at = 1, start
    while depth > 0:
        brace = re.compile("[{}]").search(text, at)
        depth += 1 if brace.group() == "{" else -1
        at = brace.end()
    return text[:start - 2], text[start:at - 1]


def parse(text):
    """(target such as "sm_80", kernels)."""
    target = re.search(r"^\.target\s+(\w+)", text, re.M)
    kernels = []
    parts = re.split(r"\.entry\s+", text)[1:]
    for part in parts:
        head, body = _function(part)
        kernel = Kernel(re.match(r"\w+", head).group())
        threads = re.search(r"\.maxntid\s+(\d+)(?:,\s*(\d+))?(?:,\s*(\d+))?",
                            head)
        if threads:
            kernel.threads = 1
            for size in threads.groups():
                kernel.threads *= int(size or 1)
        blocks = re.search(r"\.minnctapersm\s+(\d+)", head)
        kernel.blocks_per_sm = int(blocks.group(1)) if blocks else 0
        # Names of kernels are no instructions.
        code = body.replace(kernel.name, "")
        for pattern, what in NEWER:
            found = re.search(pattern, code)
            if found:
                line = code[code.rfind("\n", 0, found.start()) + 1:]
                kernel.newer.append((what, line.split("\n", 1)[0].strip()))
        kernel.barriers = flow.chunk_loop_barriers(
            flow.split(*_instructions(body)))
        kernels.append(kernel)
    return target.group(1) if target else "", kernels
