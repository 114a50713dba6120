#!/usr/bin/env python3
"""What the guard reads, on texts small enough to see the answer."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["TEST_SRCDIR"],
                                os.environ["TEST_WORKSPACE"], "gpu", "guard"))
# pylint: disable=wrong-import-position
import ptx
import sass
import usage
import variants

PTX = """.version 9.0
.target sm_80
.address_size 64
.visible .entry Loop(
	.param .u64 Loop_param_0
)
.maxntid 256, 1, 1
.minnctapersm 4
{
	bar.sync 0;
$L__BB0_1:
	bar.sync 0;
	fma.rn.f32 	%f1, %f2, %f3, %f4;
	fma.rn.f32 	%f1, %f2, %f3, %f4;
	bar.sync 0;
	@%p1 bra 	$L__BB0_3;
	bra.uni 	$L__BB0_4;
$L__BB0_3:
	// Urgent work: never on the way around.
	bar.sync 0;
	bar.sync 0;
	bar.sync 0;
$L__BB0_4:
	@%p2 bra 	$L__BB0_1;
	ret;
}
"""

# A call without return is how the compiler leaves a loop that has converged.
SASS = """
Fatbin elf code:
================
arch = sm_86
		Function : Loop
	.headerflags	@"EF_CUDA_SM86"
        /*0000*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;    /* 0x01 */
                                                                    /* 0x02 */
        /*0010*/                   FFMA R1, R2, R3, R4 ;            /* 0x03 */
        /*0020*/                   BAR.RED.OR.DEFER_BLOCKING 0x0, P0 ; /* 0x04 */
        /*0030*/              @!P0 CALL.REL.NOINC 0x60 ;            /* 0x05 */
        /*0040*/              @!P1 BRA P4, 0x0 ;                    /* 0x06 */
        /*0050*/                   EXIT ;                           /* 0x07 */
        /*0060*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;    /* 0x08 */
        /*0070*/                   STL [R1+0x4], R2 ;               /* 0x09 */
        /*0080*/                   BRA 0x0 ;                        /* 0x0a */
"""

LOG = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'Loop' for 'sm_86'
ptxas info    : Function properties for Loop
    8 bytes stack frame, 16 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 64 registers, used 1 barriers, 616 bytes cmem[0]
"""

MANGLED = ("_ZN9tilebound3gpu16PersistentKernelINS0_7Sgemm64ENS0_11VariantType"
           "ILNS0_8TileKindE0ELNS0_8LookSiteE3ELNS0_7ControlE1EEEEEvi")

VARIANT_H = """
enum class TileKind : uint8_t { kSgemm64, kTensor128 };
enum class LookSite : uint8_t { kBoundary, kStage, kIssue, kFolded };
enum class Control : uint8_t { kPolling, kDummy, kPlain };
"""


class Ptx(unittest.TestCase):
    """Reads loops, plans and instructions."""

    def test_counts_the_barriers_of_a_turn_and_not_those_of_the_rare_path(self):
        _, kernels = ptx.parse(PTX)
        self.assertEqual(kernels[0].barriers, [2])

    def test_counts_a_reducing_barrier(self):
        _, kernels = ptx.parse(PTX.replace(
            "	@%p1 bra", "	bar.red.or.pred %p1, 0, %p2;\n	@%p1 bra"))
        self.assertEqual(kernels[0].barriers, [3])

    def test_body_goes_on_behind_a_scope_of_inline_assembly(self):
        _, kernels = ptx.parse(PTX.replace(
            "	@%p1 bra", "{\nmov.u32 %r1, {%r2, %r3};\n}\n	@%p1 bra"))
        self.assertEqual(kernels[0].barriers, [2])

    def test_loop_of_arithmetic_alone_has_no_count(self):
        _, kernels = ptx.parse(PTX.replace("bar.sync 0;", ""))
        self.assertEqual(kernels[0].barriers, [])

    def test_four_blocks_of_256_leave_64_registers(self):
        target, kernels = ptx.parse(PTX)
        self.assertEqual(target, "sm_80")
        self.assertEqual(kernels[0].register_plan(), 64)

    def test_one_block_of_256_has_all_that_a_thread_can_name(self):
        _, kernels = ptx.parse(PTX.replace("minnctapersm 4", "minnctapersm 1"))
        self.assertEqual(kernels[0].register_plan(), 255)

    def test_names_what_sm_80_lacks(self):
        for line in ["barrier.cluster.arrive.aligned",
                     "cp.async.bulk.shared::cluster.global [%r1], [%rd1], 16",
                     "mbarrier.try_wait.parity.b64 %p1, [%r1], %r2",
                     "wgmma.fence.sync.aligned",
                     "cp.async.bulk.tensor.2d.multicast::cluster [%r1]"]:
            _, kernels = ptx.parse(PTX.replace("ret;", line + ";\n	ret;"))
            self.assertTrue(kernels[0].newer, line)

    def test_leaves_sm_80_alone(self):
        for line in ["cp.async.cg.shared.global [%r1], [%rd1], 16",
                     "cp.async.wait_all", "mbarrier.arrive.b64 %rd1, [%r1]",
                     "ld.relaxed.gpu.global.u32 %r1, [%rd1]",
                     "bar.red.or.pred %p1, 0, %p2"]:
            _, kernels = ptx.parse(PTX.replace("ret;", line + ";\n	ret;"))
            self.assertEqual(kernels[0].newer, [], line)


class Sass(unittest.TestCase):
    """Reads machine code."""

    def test_finds_the_same_as_in_ptx(self):
        code = sass.parse(SASS)[0]
        self.assertEqual((code.name, code.arch), ("Loop", "sm_86"))
        self.assertEqual(code.barriers, [2])
        self.assertEqual(code.local, ["0x70 STL [R1+0x4], R2"])
        self.assertEqual(code.newer, [])

    def test_counts_the_rare_path_where_it_is_the_only_one(self):
        code = sass.parse(SASS.replace("@!P0 CALL", "     CALL"))[0]
        self.assertEqual(code.barriers, [3])

    def test_names_what_sm_80_lacks(self):
        for opcode in ["UCGABAR_ARV", "UBLKCP", "UTMALDG.2D.MULTICAST",
                       "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R1], R2"]:
            code = sass.parse(SASS.replace("EXIT", opcode))[0]
            self.assertTrue(code.newer, opcode)


class Usage(unittest.TestCase):
    """Reads what ptxas says."""

    def test_registers_and_spills(self):
        used = usage.parse(LOG)["Loop"]
        self.assertEqual((used.registers, used.spill_bytes), (64, 28))


class Variants(unittest.TestCase):
    """Reads names."""

    def test_enumerators_from_a_mangled_name(self):
        self.assertEqual(
            variants.Names(VARIANT_H).variant(MANGLED),
            {"TileKind": "sgemm64", "LookSite": "folded", "Control": "dummy"})

    def test_plain_name_is_the_same_wherever_the_file_lies(self):
        name = ("_ZN9tilebound3gpu43_GLOBAL__N__%s_10_softmax_cu_%s"
                "17PersistentSoftmaxILb0EEEvv")
        self.assertEqual(variants.plain(name % ("96a98598", "64aecf04")),
                         variants.plain(name % ("00000000", "0123abcd")))


if __name__ == "__main__":
    unittest.main()
