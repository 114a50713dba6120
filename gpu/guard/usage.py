"""Reads what `ptxas -v` says of each kernel."""

import re


class Usage:
    """Of one kernel, compiled for one target."""

    def __init__(self):
        self.registers = 0
        self.spill_bytes = 0


def parse(text):
    """{kernel: Usage}."""
    kernels = {}
    current = None
    for line in text.splitlines():
        entry = re.search(r"Compiling entry function '(\w+)'", line)
        if entry:
            current = kernels.setdefault(entry.group(1), Usage())
        spills = re.search(
            r"(\d+) bytes spill stores, (\d+) bytes spill loads", line)
        registers = re.search(r"Used (\d+) registers", line)
        if current and spills:
            current.spill_bytes += int(spills.group(1)) + int(spills.group(2))
        if current and registers:
            current.registers = int(registers.group(1))
            current = None
    return kernels
