#!/usr/bin/env python3
"""Checks the machine code of the measured kernels, without a GPU.

  guard.py --variants=gpu/kernels/variant.h --with=FILE... [--without=FILE...]

FILEs are what the rule cuda_inspection makes: NAME.sm_80.cubin, NAME.sm_80.log,
NAME.compute_80.ptx and so on; --without those of the same sources compiled
without the recorder. Exit status 0 if all is well, 1 with a line for each fault,
2 if there is nothing to check.
"""

import argparse
import os
import re
import sys

import cubin
import ptx
import usage
import variants

# Barriers of one turn of each tile's chunk loop without any look: one that says
# that a chunk is in place and one that its buffer is free; the three buffers of
# tensor128 need the first only.
TILE_BARRIERS = {"sgemm64": 2, "sgemm64cpasync": 2, "tensor128": 1}

# Kernels with the recorder on.
RECORDED = re.compile(r"9RecordingE2E|ILb1E")


def expected_barriers(variant):
    """What the variant may pass on one turn of its chunk loop; None if it has
    no chunk loop that we know of."""
    tile = TILE_BARRIERS.get(variant.get("TileKind"))
    if tile is None:
        return None
    # Looks of the published kind have a barrier of their own. A folded look
    # rides on one that is there anyway: that is the point of it.
    own = (variant["LookSite"] in ("stage", "issue") and
           variant["Control"] == "polling")
    return tile + own


def is_measured(variant):
    """Whether times are taken of it: not of runs that count or record."""
    return variant.get("Recording", "none") == "none"


class Guard:
    """Collects faults; a fault is a sentence with the kernel and the figure."""

    def __init__(self, names):
        self._names = names
        self.faults = []
        self.rows = []
        self._plans = {}
        self._labels = {}

    def fault(self, where, kernel, what):
        label = self._labels.get(kernel, variants.plain(kernel))
        self.faults.append(f"{where}: {label}: {what}")

    def check_ptx(self, path):
        with open(path, encoding="utf-8") as file:
            target, kernels = ptx.parse(file.read())
        where = os.path.basename(path)
        if target != "sm_80":
            self.faults.append(f"{where}: target {target}; accepted: sm_80")
        for kernel in kernels:
            variant = self._names.variant(kernel.name)
            if variant:
                self._labels[kernel.name] = " ".join(variant.values())
            self._plans[kernel.name] = kernel.register_plan()
            if not kernel.register_plan():
                self.fault(where, kernel.name,
                           "no residency plan: __launch_bounds__ without blocks")
            for what, line in kernel.newer:
                self.fault(where, kernel.name,
                           f"newer than sm_80: {what}: {line}")
            expected = expected_barriers(variant)
            passed = max(kernel.barriers, default=0)
            if expected is not None and passed != expected:
                self.fault(where, kernel.name,
                           f"{passed} barriers in the chunk loop, {expected} "
                           "expected")
            self.rows.append([where, kernel, variant, passed, expected, {}])

    def check_usage(self, path):
        with open(path, encoding="utf-8") as file:
            kernels = usage.parse(file.read())
        where = os.path.basename(path)
        for name, used in kernels.items():
            plan = self._plans.get(name, 0)
            if plan and used.registers > plan:
                self.fault(where, name, f"{used.registers} registers, the "
                           f"residency plan allows {plan}")
            measured = is_measured(self._names.variant(name))
            if used.spill_bytes and measured:
                self.fault(where, name,
                           f"spills: {used.spill_bytes} bytes stored and loaded")
            for row in self.rows:
                if row[1].name == name:
                    row[5][where.split(".")[1]] = used
        return len(kernels)

    def check_without(self, path, without):
        """The recorder that is off, or not there, must make no difference."""
        where = os.path.basename(path)
        ours = {variants.plain(name): (name, code)
                for name, code in cubin.machine_code(path).items()}
        theirs = {variants.plain(name): code
                  for name, code in cubin.machine_code(without).items()}
        for plain, (name, code) in ours.items():
            same = theirs.get(plain) == code
            if RECORDED.search(name):
                if same:
                    self.fault(where, name, "the recorder is on and its code "
                               "is that of a build without recorder")
            elif not same:
                self.fault(where, name, "the recorder is off, but the code "
                           "differs from that of a build without recorder")
        return len(ours)

    def table(self):
        """A line for each kernel: plan, registers and spills by target, barriers
        in the chunk loop."""
        for where, kernel, variant, passed, expected, used in self.rows:
            label = " ".join(variant.values()) or variants.plain(kernel.name)
            figures = ", ".join(
                f"{arch} {u.registers} registers"
                + (f" and {u.spill_bytes} bytes of spills"
                   if u.spill_bytes else "")
                for arch, u in sorted(used.items()))
            barriers = f", {passed} barriers" if expected is not None else ""
            yield (f"{where.split('.')[0]}: {label}: plan "
                   f"{kernel.register_plan()}, {figures}{barriers}")


def main(argv):
    parser = argparse.ArgumentParser(description="Checks measured kernels.")
    parser.add_argument("--variants", required=True)
    parser.add_argument("--with", nargs="+", required=True, dest="files")
    parser.add_argument("--without", nargs="*", default=[])
    options = parser.parse_args(argv)
    with open(options.variants, encoding="utf-8") as file:
        guard = Guard(variants.Names(file.read()))

    def of(files, ending):
        return sorted(f for f in files if f.endswith(ending))

    for path in of(options.files, ".ptx"):
        guard.check_ptx(path)
    kernels = 0
    for path in of(options.files, ".log"):
        if ".sm_" in path:
            kernels += guard.check_usage(path)
    without = {os.path.basename(f): f for f in of(options.without, ".cubin")}
    compared = 0
    if without:
        for path in of(options.files, ".cubin"):
            compared += guard.check_without(path,
                                            without[os.path.basename(path)])
    for line in guard.table():
        print(line)
    for line in guard.faults:
        print(f"FAULT {line}")
    print(f"{kernels} kernels checked, {compared} compared with builds without "
          f"recorder, {len(guard.faults)} faults")
    if kernels == 0:
        return 2
    return 1 if guard.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
