#!/usr/bin/env python3
"""count_instructions.py on a listing counted by eye, and on made-up ones."""

import os
import sys
import unittest

TOOLS = os.path.join(os.environ["TEST_SRCDIR"], os.environ["TEST_WORKSPACE"],
                     "tools")
sys.path.insert(0, TOOLS)
import count_instructions as ci  # pylint: disable=wrong-import-position


def listing(lines, capability=86):
    """A listing of (text, control bits) or text."""
    out = [f'\t.headerflags @"EF_CUDA_SM{capability}"']
    address = 0
    for line in lines:
        text, control = line if isinstance(line, tuple) else (line, 7 << 5
                                                              | 7 << 8 | 1)
        if text.endswith(":"):
            out.append(text)
            continue
        out.append(f"        /*{address:04x}*/    {text} ;"
                   f"    /* 0x{0:016x} */")
        out.append(f"                             /* 0x{control << 41:016x} */")
        address += 16
    return "\n".join(out)


def segments(lines, **flags):
    return {name: " ".join(ci.run_lengths(items)) for name, items
            in ci.count(listing(lines), **flags)[0].items()}


# 0x00 prologue, 0x10 tile loop, 0x60 chunk loop, 0x90 epilogue.
KERNEL = [
    "S2R R0, SR_TID.X",
    "ISETP.NE.AND P0, PT, R0, RZ, PT",
    "@P0 BRA 0x50",
    "ATOMG.E.ADD.STRONG.GPU PT, R8, [R4.64], R11",
    "STS [0x800], R8",
    "BAR.SYNC 0x0",
    "FFMA R1, R2, R3, R1",
    "BAR.SYNC 0x0",
    "@P1 BRA 0x60",
    "STG.E [R4.64], R9",
    "BRA 0x10",
]


class SmallTile(unittest.TestCase):
    """nvcc's code for testdata/small_tile.cu."""

    def setUp(self):
        with open(os.path.join(TOOLS, "testdata/small_tile.sass"),
                  encoding="utf-8") as file:
            self.text = file.read()

    def test_segments_are_found_and_counted(self):
        found, _, _, _, capability = ci.count(self.text)
        self.assertEqual(capability, 86)
        # By eye: 0xd0-0x14f, then 0xa0-0xcf with 0x150-0x20f and 0x2a0-0x35f,
        # 0x360-0x4df, 0x4e0-0x52f.
        self.assertEqual([len(found[n]) for n in
                          ("elect", "fetch", "chunk", "epilogue")],
                         [8, 3 + 12 + 12, 24, 5])
        chunk = " ".join(found["chunk"])
        self.assertEqual(chunk.count("fma"), 3)
        self.assertEqual(chunk.count("bar"), 2)
        self.assertIn("cpa?,r2", chunk)
        self.assertIn("commit,w0", chunk)
        self.assertIn("wait.1,s4,w0", chunk)
        # LDS.128 is four wavefronts, @!PT LDS is nothing.
        self.assertEqual(chunk.count("lds.4"), 1)
        self.assertEqual(chunk.count("lds"), 1)

    def test_control_bits_come_from_the_encoding(self):
        # ATOMG 0x120: 0x...ca4...: stall 4, scoreboard 2.
        elect = ci.count(self.text)[0]["elect"]
        self.assertEqual(elect[5:], ["atom,s4,w2", "ldg,s4,w2",
                                     "sts.2,s2,r1,m2"])

    def test_what_happens_on_urgent_work_is_left_out(self):
        found, left_out, _, _, _ = ci.count(self.text)
        self.assertEqual(left_out, [0x210])
        self.assertNotIn("stg", " ".join(found["fetch"]))
        more = ci.count(self.text, include=[(0x200, 0x220)])[0]
        self.assertEqual(len(more["fetch"]), len(found["fetch"]) + 9)
        self.assertIn("stg", " ".join(more["fetch"]))

    def test_the_output_is_the_message_of_the_schema(self):
        found = ci.count(self.text)[0]
        text = ci.to_textproto(found, 86, "small_tile.cu, nvcc", 4)
        self.assertTrue(text.startswith("    streams {\n"
                                        "      compute_capability: 86\n"
                                        "      elect:\n"))
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        joined = text.replace('"\n          "', "")
        self.assertIn(" ".join(ci.run_lengths(found["chunk"])), joined)


class Shapes(unittest.TestCase):

    def test_the_plainest_persistent_kernel(self):
        self.assertEqual(segments(KERNEL), {
            "elect": "atom sts", "fetch": "2*int bar", "chunk": "fma bar int",
            "epilogue": "stg int"})

    def test_a_predicated_ticket_needs_no_branch(self):
        lines = list(KERNEL)
        lines[2] = "NOP"
        lines[3] = "@!P0 ATOMG.E.ADD.STRONG.GPU PT, R8, [R4.64], R11"
        lines[4] = "@!P0 STS [0x800], R8"
        self.assertEqual(segments(lines)["elect"], "atom sts")
        self.assertEqual(segments(lines)["fetch"], "2*int bar")

    def test_labels_are_addresses(self):
        lines = list(KERNEL)
        lines[2] = "@P0 BRA `(.L_x_1)"
        lines[8] = "@P1 BRA `(.L_x_2)"
        lines[10] = "BRA `(.L_x_0)"
        lines.insert(6, ".L_x_2:")
        lines.insert(5, ".L_x_1:")
        lines.insert(1, ".L_x_0:")
        self.assertEqual(segments(lines), segments(KERNEL))

    def test_a_copy_behind_a_branch_is_not_in_the_last_chunk(self):
        lines = KERNEL[:6] + [
            "@P2 BRA 0x80",
            "LDGSTS.E.BYPASS.128 [R21], [R16.64]",
            "FFMA R1, R2, R3, R1",
            "@P1 BRA 0x60",
            "BRA 0x10",
        ]
        self.assertEqual(segments(lines)["chunk"], "int cpa? fma int")

    def test_tensor_shapes_are_multiply_adds(self):
        lines = list(KERNEL)
        lines[6] = "HMMA.16816.F32 R4, R8, R12, R4"
        self.assertEqual(segments(lines)["chunk"], "mma.2048 bar int")
        lines[6] = "LDSM.16.M88.4 R4, [R8]"
        self.assertEqual(segments(lines)["chunk"], "lds.4 bar int")

    def test_the_chunk_loop_is_the_one_with_the_arithmetic(self):
        # A loop of integer work in the epilogue is none.
        lines = KERNEL[:9] + ["IADD3 R1, R1, 0x1, RZ", "@P3 BRA 0x90",
                              "BRA 0x10"]
        self.assertEqual(segments(lines)["chunk"], "fma bar int")
        self.assertEqual(segments(lines)["epilogue"], "3*int")

    def test_stalls_scoreboards_and_waits(self):
        lines = list(KERNEL)
        lines[6] = ("LDS.64 R2, [R3]", 4 | 2 << 5 | 1 << 8 | 0b100001 << 11)
        self.assertEqual(segments(lines)["chunk"], "lds.2,s4,w2,r1,m05 bar int")


class Errors(unittest.TestCase):

    def fails(self, text, **flags):
        with self.assertRaises(ci.Fault) as caught:
            ci.count(text, **flags)
        return str(caught.exception)

    def test_a_listing_without_encodings_says_how_to_get_them(self):
        self.assertIn("nvdisasm -hex", self.fails("\t/*0000*/  NOP ;\n"))
        self.assertIn("nvdisasm -hex", self.fails(""))

    def test_a_cut_listing_names_the_instruction(self):
        lines = listing(KERNEL).splitlines()
        del lines[4]
        self.assertIn("instruction 0x10 is missing", self.fails(
            "\n".join(lines)))

    def test_a_kernel_without_a_tile_loop_is_refused(self):
        self.assertIn("loop over tiles is missing",
                      self.fails(listing(KERNEL[:10] + ["EXIT"])))
        self.assertIn("no loop", self.fails(listing(["NOP", "EXIT"])))

    def test_several_functions_need_a_name(self):
        both = "\n".join(["\tFunction : one", listing(KERNEL),
                          "\tFunction : two", listing(KERNEL)])
        self.assertIn("one, two", self.fails(both))
        self.assertEqual(ci.count(both, function="two")[3], "two")

    def test_an_unknown_gpu_is_asked_for(self):
        text = "\n".join(listing(KERNEL).splitlines()[1:])
        self.assertIn("--capability", self.fails(text))
        self.assertEqual(ci.count(text, capability=80)[4], 80)


if __name__ == "__main__":
    unittest.main()
