#!/usr/bin/env python3
"""Each test gives count_tests.py the events of one run of Bazel."""

import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["TEST_SRCDIR"],
                                os.environ["TEST_WORKSPACE"], "tools"))
import count_tests  # pylint: disable=wrong-import-position

GTEST_XML = """<testsuites><testsuite name="A">
<testcase classname="A" name="Passes" status="run" result="completed"/>
<testcase classname="A" name="AlsoPasses" status="run" result="completed"/>
<testcase classname="A" name="DISABLED_Rests" status="notrun"/>
<testcase classname="A" name="Skips" status="run" result="skipped">
<skipped message=""/></testcase></testsuite></testsuites>"""

GTEST_XML_WITH_FAILURE = """<testsuites><testsuite name="A">
<testcase classname="A" name="Passes" status="run" result="completed"/>
<testcase classname="A" name="Fails" status="run" result="completed">
<failure message=""/></testcase></testsuite></testsuites>"""


def made_up_xml(log, error=""):
    """What Bazel writes for a test that wrote nothing."""
    return (f'<testsuites><testsuite name="a/b"><testcase name="a/b">{error}'
            f"</testcase><system-out><![CDATA[{log}]]></system-out>"
            "</testsuite></testsuites>")


def configured(label, is_test=True):
    return {
        "id": {"targetConfigured": {"label": label}},
        "configured": {"testSize": "SMALL"} if is_test else {},
    }


class CountTestsTest(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.files = 0

    def write(self, text):
        self.files += 1
        path = os.path.join(self.folder.name, f"a b{self.files}.xml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def result(self, label, status, xml, attempt=1, shard=1):
        outputs = []
        if xml is not None:
            uri = "file://" + self.write(xml).replace(" ", "%20")
            outputs = [{"name": "test.xml", "uri": uri}]
        return {
            "id": {"testResult": {"label": label, "run": 1, "shard": shard,
                                  "attempt": attempt}},
            "testResult": {"status": status, "testActionOutput": outputs},
        }

    def count(self, *events):
        return count_tests.count_events(json.dumps(e) for e in events)

    def test_counts_cases_and_leaves_out_disabled_ones(self):
        count = self.count(configured("//a:b"),
                           self.result("//a:b", "PASSED", GTEST_XML))
        self.assertEqual(count.line(), "2 passed, 0 failed, 1 skipped")

    def test_names_the_failed_case(self):
        count = self.count(
            configured("//a:b"),
            self.result("//a:b", "FAILED", GTEST_XML_WITH_FAILURE))
        self.assertEqual(count.line(), "1 passed, 1 failed")
        self.assertEqual(count.failures, ["//a:b A.Fails"])

    def test_a_crash_or_timeout_is_one_failure(self):
        error = '<error message="exited with error code 134"/>'
        log = "[==========] Running 2 tests from 1 test suite."
        count = self.count(
            configured("//a:crash"), configured("//a:slow"),
            self.result("//a:crash", "FAILED", made_up_xml(log, error)),
            self.result("//a:slow", "TIMEOUT", made_up_xml(log, error)))
        self.assertEqual(count.line(), "0 passed, 2 failed")
        self.assertEqual(count.failures,
                         ["//a:crash (failed)", "//a:slow (timeout)"])

    def test_a_failed_target_whose_cases_all_passed_is_a_failure(self):
        # A sanitizer's leak report comes after the last case.
        count = self.count(configured("//a:b"),
                           self.result("//a:b", "FAILED", GTEST_XML))
        self.assertEqual(count.line(), "2 passed, 1 failed, 1 skipped")

    def test_a_googletest_that_leaves_early_with_status_0_is_a_failure(self):
        log = "[==========] Running 2 tests from 1 test suite."
        count = self.count(configured("//a:b"),
                           self.result("//a:b", "PASSED", made_up_xml(log)))
        self.assertEqual(count.line(), "0 passed, 1 failed")

    def test_a_script_is_one_case(self):
        count = self.count(configured("//a:b"),
                           self.result("//a:b", "PASSED", made_up_xml("ok")))
        self.assertEqual(count.line(), "1 passed, 0 failed")

    def test_missing_or_broken_xml_is_a_failure(self):
        count = self.count(configured("//a:b"), configured("//a:c"),
                           self.result("//a:b", "PASSED", None),
                           self.result("//a:c", "PASSED", "<testsuites>"))
        self.assertEqual(count.line(), "0 passed, 2 failed")

    def test_the_last_attempt_counts_and_every_shard(self):
        count = self.count(
            configured("//a:b"),
            self.result("//a:b", "FAILED", GTEST_XML_WITH_FAILURE, attempt=1),
            self.result("//a:b", "PASSED", GTEST_XML, attempt=2),
            self.result("//a:b", "PASSED", GTEST_XML, shard=2))
        self.assertEqual(count.line(), "4 passed, 0 failed, 2 skipped")

    def test_what_did_not_build_or_run_is_a_failure(self):
        count = self.count(
            configured("//a:unbuilt"), configured("//a:never_run"),
            configured("//a:library", is_test=False),
            configured("//a:broken_library", is_test=False),
            {"id": {"targetCompleted": {"label": "//a:unbuilt"}},
             "completed": {}},
            {"id": {"targetCompleted": {"label": "//a:broken_library"}},
             "completed": {}},
            {"id": {"targetCompleted": {"label": "//a:library"}},
             "completed": {"success": True}})
        self.assertEqual(count.line(), "0 passed, 3 failed")
        self.assertEqual(
            count.failures,
            ["//a:broken_library (did not build)", "//a:unbuilt (did not build)",
             "//a:never_run (did not run)"])

    def test_a_target_for_another_machine_is_skipped(self):
        count = self.count(
            configured("//gpu:b"),
            {"id": {"targetCompleted": {"label": "//gpu:b"}},
             "aborted": {"reason": "SKIPPED"}})
        self.assertEqual(count.line(), "0 passed, 0 failed, 1 skipped")

    def test_status_is_1_if_nothing_ran_or_bazel_failed(self):
        def status(bazel_status, *events):
            text = "\n".join(json.dumps(e) for e in events)
            return count_tests.main([self.write(text), str(bazel_status)])

        passed = [configured("//a:b"),
                  self.result("//a:b", "PASSED", GTEST_XML)]
        self.assertEqual(status(0), 1)
        self.assertEqual(status(0, *passed), 0)
        self.assertEqual(status(37, *passed), 1)


if __name__ == "__main__":
    unittest.main()
