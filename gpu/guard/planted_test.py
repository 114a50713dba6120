#!/usr/bin/env python3
"""The guard finds every fault that planted.cu holds, and no other.

  planted_test.py FILES of planted.cu, --without FILES
"""

import contextlib
import io
import os
import sys
import unittest

HERE = os.path.join(os.environ["TEST_SRCDIR"], os.environ["TEST_WORKSPACE"])
sys.path.insert(0, os.path.join(HERE, "gpu", "guard"))
import guard  # pylint: disable=wrong-import-position

FILES = []


def faults_of(arguments):
    """Exit status and the lines of faults."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = guard.main(["--variants=gpu/kernels/variant.h"] + arguments)
    return status, [line for line in out.getvalue().splitlines()
                    if line.startswith("FAULT")]


class Planted(unittest.TestCase):
    """Each test is about one planted fault."""

    def setUp(self):
        at = FILES.index("--without")
        self.status, self.faults = faults_of(
            ["--with"] + FILES[:at] + ["--without"] + FILES[at + 1:])

    def finds(self, kernel, what):
        """The faults of the kernel are all of this kind."""
        found = [f for f in self.faults if kernel in f]
        self.assertTrue(found, self.faults)
        for fault in found:
            self.assertIn(what, fault)

    def test_the_guard_fails(self):
        self.assertEqual(self.status, 1)

    def test_spill(self):
        self.finds("PlantedSpill", "spills: ")

    def test_more_registers_than_planned(self):
        self.assertTrue([f for f in self.faults if "PlantedTooMany" in f and
                         "64 registers, the residency plan allows 32" in f])

    def test_kernel_without_a_residency_plan(self):
        self.finds("PlantedNoPlan", "no residency plan")

    def test_cluster_instruction(self):
        self.finds("PlantedCluster", "newer than sm_80: cluster")

    def test_ptx_for_another_target(self):
        self.assertTrue([f for f in self.faults if "target sm_90" in f])

    def test_code_that_the_recorder_left_behind(self):
        self.finds("PlantedLeak", "differs from that of a build without")

    def test_barrier_too_many(self):
        self.finds("sgemm64 folded polling",
                   "3 barriers in the chunk loop, 2 expected")

    def test_nothing_else(self):
        for fault in self.faults:
            self.assertRegex(
                fault, "Planted(Spill|TooMany|NoPlan|Cluster|Leak)|folded|target")


if __name__ == "__main__":
    FILES = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
