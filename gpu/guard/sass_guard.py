#!/usr/bin/env python3
"""Checks the machine code inside a finished binary, where cuobjdump is.

  sass_guard.py --variants=gpu/kernels/variant.h BINARY

The same as guard.py from the other end: what the binary holds, for every target,
and not what a compiler said on the way. Exit status 0 if all is well, 1 with a
line for each fault, 2 if the binary holds no kernel, 3 if cuobjdump is missing.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

import guard
import ptx
import sass
import variants


def registers(text):
    """{(target, kernel): registers} of what cuobjdump -res-usage says."""
    found, arch, name = {}, "", ""
    for line in text.splitlines():
        target = re.search(r"arch = (sm_\d+)", line)
        function = re.match(r"\s*Function (\w+):", line)
        used = re.search(r"REG:(\d+)", line)
        if target:
            arch = target.group(1)
        elif function:
            name = function.group(1)
        if used and name:
            found[arch, name] = int(used.group(1))
    return found


def dump(what, path):
    """What cuobjdump says of a file."""
    return subprocess.run(["cuobjdump", what, path], check=True,
                          capture_output=True, text=True).stdout


def dump_all(binary):
    """Register usage and disassembly of everything in the binary. Taken apart
    first, so that all processors can work at it: together it takes minutes."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cuobjdump", "-xelf", "all", binary], check=True,
                       cwd=folder, stdout=subprocess.DEVNULL)
        cubins = sorted(f for f in os.listdir(folder) if f.endswith(".cubin"))

        def both(name):
            # The name ends like ".sm_80.cubin".
            arch = f"arch = {re.search(r'sm_[0-9]+', name).group()}\n"
            path = os.path.join(folder, name)
            return arch + dump("-res-usage", path), arch + dump("-sass", path)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(both, cubins))
    return "".join(r[0] for r in results), "".join(r[1] for r in results)


def faults_of(code, variant, used, plan):
    """Sentences, without the kernel's name."""
    expected = guard.expected_barriers(variant)
    passed = max(code.barriers, default=0)
    if code.local and guard.is_measured(variant):
        yield f"{len(code.local)} accesses to spilled registers: {code.local[0]}"
    if code.newer:
        yield f"newer than sm_80: {code.newer[0]}"
    if expected is not None and passed != expected:
        yield f"{passed} barriers in the chunk loop, {expected} expected"
    if plan and used > plan:
        yield f"{used} registers, the residency plan allows {plan}"


def main(argv):
    parser = argparse.ArgumentParser(description="Checks a binary's kernels.")
    parser.add_argument("--variants", required=True)
    parser.add_argument("--only", default="PersistentKernel",
                        help="kernels whose mangled names hold this")
    parser.add_argument("binary")
    options = parser.parse_args(argv)
    if not shutil.which("cuobjdump"):
        print("cuobjdump is not there: it comes with the CUDA toolkit",
              file=sys.stderr)
        return 3

    binary = os.path.abspath(options.binary)
    with open(options.variants, encoding="utf-8") as file:
        names = variants.Names(file.read())
    _, kernels = ptx.parse(dump("-ptx", binary))
    usage, machine_code = dump_all(binary)
    used = registers(usage)
    plans = {kernel.name: kernel.register_plan() for kernel in kernels}
    checked = faults = 0
    for code in sass.parse(machine_code):
        if options.only not in code.name:
            continue
        checked += 1
        variant = names.variant(code.name)
        label = " ".join(variant.values()) or variants.plain(code.name)
        count = used.get((code.arch, code.name), 0)
        print(f"{code.arch}: {label}: {count} registers, "
              f"{max(code.barriers, default=0)} barriers")
        for what in faults_of(code, variant, count, plans.get(code.name, 0)):
            faults += 1
            print(f"FAULT {code.arch}: {label}: {what}")
    print(f"{checked} kernels checked, {faults} faults")
    if checked == 0:
        return 2
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
