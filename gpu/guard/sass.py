"""Reads machine code as cuobjdump -sass prints it: loops and barriers, spills,
and instructions that sm_80 does not have."""

import re

import flow

# Opcodes of sm_90 for clusters, bulk copies, multicast and waiting on mbarriers.
NEWER = re.compile(r"(UCGABAR|UBLKCP|UBLKRED|UTMA|SYNCS|WARPGROUP|HGMMA|IGMMA|"
                   r"QGMMA|BGMMA|USETMAXREG|ELECT|STSM|ACQBULK)")

_FUNCTION = re.compile(r"\s*Function : (\w+)")
_ARCH = re.compile(r"arch = (sm_\d+)")
_LINE = re.compile(r"\s*/\*([0-9a-f]{4,})\*/\s+(@!?U?P\w+\s+)?([^;]*?)\s*;")
# A NOINC call to a place in the same kernel is a jump.
_JUMP = re.compile(r"(BRA|CALL\.REL\.NOINC|BRX|JMP)\b")
_TARGET = re.compile(r"0x([0-9a-f]+)\s*$")
_ENDS = re.compile(r"(EXIT|RET|BRX|JMP|KILL|BPT)\b")


class Code:
    """Machine code of a kernel for one target."""

    def __init__(self, name, arch):
        self.name = name
        self.arch = arch
        self.local = []
        self.newer = []
        self.barriers = []
        self._lines = []

    def add(self, address, guard, text):
        self._lines.append((address, guard, text))
        opcode = text.split()[0] if text else ""
        if re.match(r"(LDL|STL)\b", opcode):
            self.local.append(f"{address:#x} {text}")
        if NEWER.match(opcode):
            self.newer.append(f"{address:#x} {text}")

    def finish(self):
        place = {address: i for i, (address, _, _) in enumerate(self._lines)}
        found, targets = [], set()
        for i, (_, guard, text) in enumerate(self._lines):
            opcode = ("barrier" if re.match(r"BAR\.(SYNC|RED|ARV)", text)
                      else "multiply" if re.match(r"(FFMA|HMMA)", text) else "")
            jump = _JUMP.match(text)
            target = None
            conditional = bool(guard)
            if jump:
                at = _TARGET.search(text)
                target = place.get(int(at.group(1), 16)) if at else None
                # BRA P4, 0x10 goes there if the second predicate holds as well.
                conditional = conditional or re.match(r"BRA\S*\s+!?U?P", text)
            if target is not None:
                targets.add(target)
            ends = bool(_ENDS.match(text)) or target is not None
            found.append((i, opcode, bool(conditional), target, ends))
        self.barriers = flow.chunk_loop_barriers(flow.split(found, targets))


def parse(text):
    """Code of every kernel for every target, in the order of the text."""
    codes, current, arch = [], None, ""
    for line in text.splitlines():
        found = _ARCH.search(line)
        if found:
            arch = found.group(1)
        function = _FUNCTION.match(line)
        if function:
            if current:
                current.finish()
            current = Code(function.group(1), arch)
            codes.append(current)
            continue
        instruction = _LINE.match(line)
        if current and instruction:
            address, guard, what = instruction.groups()
            current.add(int(address, 16), guard, what)
    if current:
        current.finish()
    return codes
