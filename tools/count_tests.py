#!/usr/bin/env python3
"""Counts test cases in what `bazel test --build_event_json_file` wrote.

    tools/count_tests.py EVENTS BAZEL_STATUS

Prints what failed, then the line "N passed, N failed[, N skipped]". The
events, not the folder of logs, say which tests ran: that folder keeps the
results of tests that are no longer there. Exit status 1 if something failed or
nothing ran.
"""

import collections
import json
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree


class Count:
    """Test cases by outcome; `failures` holds one line for each failed one."""

    def __init__(self):
        self.passed = 0
        self.skipped = 0
        self.failures = []

    def line(self):
        text = f"{self.passed} passed, {len(self.failures)} failed"
        return text + (f", {self.skipped} skipped" if self.skipped else "")


def read_xml(result):
    """The root of the XML of a test's results, or None."""
    for output in result.get("testActionOutput", []):
        if output["name"] == "test.xml":
            uri = urllib.parse.urlparse(output["uri"])
            try:
                return ElementTree.parse(urllib.parse.unquote(uri.path))
            except (OSError, ElementTree.ParseError):
                return None
    return None


def count_cases(label, root, count):
    """Adds the test cases that the test itself wrote down."""
    for case in root.iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        if (case.find("failure") is not None or
                case.find("error") is not None):
            count.failures.append(f"{label} {name}")
        elif case.find("skipped") is not None:
            count.skipped += 1
        elif case.get("status") != "notrun":
            count.passed += 1


def count_result(label, result, count):
    """Adds one run of one test (of one shard, if it has shards)."""
    root = read_xml(result)
    passed = result["status"] in ("PASSED", "FLAKY")
    # Bazel writes XML with the log in it for a test that wrote none: a script,
    # or a GoogleTest that ended early, whatever its exit status.
    log = root.findtext("testsuite/system-out") if root is not None else None
    failed_before = len(count.failures)
    if root is not None and log is None:
        count_cases(label, root, count)
    elif passed and (root is None or "[==========] Running " in log):
        count.failures.append(f"{label} (ended before it wrote its results)")
    elif passed:
        count.passed += 1
    if not passed and len(count.failures) == failed_before:
        count.failures.append(f"{label} ({result['status'].lower()})")


def count_events(lines):
    count = Count()
    tests = {}
    skipped = set()
    unbuilt = set()
    # Of a test that was tried again, the last attempt counts.
    results = collections.defaultdict(dict)
    for line in lines:
        event = json.loads(line)
        kind, key = next(iter(event["id"].items()))
        if kind == "targetConfigured" and "configured" in event:
            tests[key["label"]] = "testSize" in event["configured"]
        elif kind == "targetCompleted":
            if event.get("aborted", {}).get("reason") == "SKIPPED":
                skipped.add(key["label"])
            elif not event.get("completed", {}).get("success"):
                unbuilt.add(key["label"])
        elif kind == "testResult" and "testResult" in event:
            run = (key.get("run"), key.get("shard"))
            attempts = results[key["label"]].setdefault(run, {})
            attempts[key.get("attempt", 1)] = event["testResult"]

    for label, runs in sorted(results.items()):
        for attempts in runs.values():
            count_result(label, attempts[max(attempts)], count)
    for label in sorted(unbuilt - results.keys()):
        count.failures.append(f"{label} (did not build)")
    for label, is_test in sorted(tests.items()):
        if not is_test or label in results or label in unbuilt:
            continue
        if label in skipped:
            count.skipped += 1
        else:
            count.failures.append(f"{label} (did not run)")
    return count


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as file:
        count = count_events(file)
    if arguments[1] != "0" and not count.failures:
        count.failures.append(f"bazel (ended with status {arguments[1]})")
    if count.failures:
        print("Failed:")
        for failure in count.failures:
            print("  " + failure)
    elif count.passed == 0:
        print("No test ran.")
    print(count.line())
    return 1 if count.failures or count.passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
