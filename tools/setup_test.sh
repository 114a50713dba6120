#!/usr/bin/env bash
# ./quickstart and ./test on machines that are made up: a PATH on which
# dpkg-query, apt-get, id and bazel are ours and only `real_tools` are real.
# shellcheck disable=SC2016  # what is quoted is a script for later
set -u

real_tools="bash cat dirname head mkdir mktemp rm tail"
repository=$TEST_SRCDIR/$TEST_WORKSPACE
failures=0

# A machine on which everything is installed, we are root, and Bazel passes the
# one test case that there is.
new_machine() {
  machine=$(mktemp -d "$TEST_TMPDIR/machine.XXXXXX")
  checkout=$machine/checkout
  mkdir -p "$machine/bin" "$checkout"
  cp -RL "$repository"/{quickstart,test,tools,.ci} "$checkout"
  for tool in $real_tools; do
    ln -s "$(command -v "$tool")" "$machine/bin/$tool"
  done
  : >"$machine/calls"
  # Not a link: it may be a script that looks for others on its own PATH.
  has python3 "PATH=$(printf %q "$PATH") exec python3 \"\$@\""
  has dpkg-query 'shift 2
    for package; do
      case " $(cat "$machine/missing") " in
        *" $package "*) echo "no package $package" >&2; missing=1 ;;
        *) echo "$package installed" ;;
      esac
    done
    exit ${missing:-0}'
  : >"$machine/missing"
  has apt-get 'echo "apt-get $*" >>"$machine/calls"'
  has id 'echo 0'
  has bazel 'echo "bazel $*" >>"$machine/calls"
    for argument; do case $argument in
      --build_event_json_file=*) cat "$machine/events" >"${argument#*=}" ;;
    esac; done
    exit 0'
  cat >"$machine/case.xml" <<END
<testsuites><testsuite><testcase classname="A" name="B"/></testsuite></testsuites>
END
  cat >"$machine/events" <<END
{"id":{"testResult":{"label":"//a:b"}},"testResult":{"status":"PASSED","testActionOutput":[{"name":"test.xml","uri":"file://$machine/case.xml"}]}}
END
}

# has TOOL SCRIPT: puts a tool on the machine.
has() {
  rm -f "$machine/bin/$1"
  printf '#!%s\nmachine=%q\n%s\n' "$(command -v bash)" "$machine" "$2" \
    >"$machine/bin/$1"
  chmod +x "$machine/bin/$1"
}

# Leaves the outcome in `output` and `status`.
run() {
  output=$(cd / && PATH=$machine/bin "$@" 2>&1 </dev/null)
  status=$?
}

fail() {
  failures=$((failures + 1))
  printf 'FAIL: %s: %s\n--- status %s, output:\n%s\n--- calls:\n%s\n' \
    "${FUNCNAME[2]}" "$1" "$status" "$output" "$(cat "$machine/calls")"
}

expect_status() { [ "$status" = "$1" ] || fail "status is not $1"; }
expect_output() { [[ $output == *"$1"* ]] || fail "output lacks '$1'"; }
expect_last_line() { [ "${output##*$'\n'}" = "$1" ] || fail "not last: '$1'"; }
expect_call() { grep -qF -- "$1" "$machine/calls" || fail "no call '$1'"; }
expect_no_call() { ! grep -qF -- "$1" "$machine/calls" || fail "call '$1'"; }

test_help_fits_a_screen_and_does_nothing() {
  for script in quickstart test; do
    run "$checkout/$script" --help
    expect_status 0
    expect_output "./$script"
    [ "$(wc -l <<<"$output")" -le 24 ] || fail "longer than a screen"
    expect_no_call ""
  done
}

test_unknown_arguments_are_refused() {
  for script in quickstart test; do
    run "$checkout/$script" --frobnicate
    expect_status 2
    expect_output "unknown argument '--frobnicate'; accepted: --help"
    expect_no_call ""
  done
}

test_what_is_installed_is_left_alone() {
  run "$checkout/test"
  expect_status 0
  expect_no_call apt-get
}

test_root_installs_what_is_missing_and_only_that() {
  echo "zlib1g-dev g++" >"$machine/missing"
  run "$checkout/test"
  expect_status 0
  expect_output "installing 2 packages with apt: g++ zlib1g-dev"
  expect_call " update"
  expect_call " install -y --no-install-recommends g++ zlib1g-dev"
}

test_others_are_told_the_command() {
  echo "zlib1g-dev g++" >"$machine/missing"
  has id 'echo 1000'
  for script in quickstart test; do
    run "$checkout/$script"
    expect_status 3
    expect_last_line "  sudo apt-get update && sudo apt-get install -y --no-install-recommends g++ zlib1g-dev"
    expect_no_call ""
  done
}

test_a_failed_installation_shows_what_apt_said() {
  echo "g++" >"$machine/missing"
  has apt-get 'echo "E: no route"; exit 100'
  run "$checkout/test"
  expect_status 3
  expect_output "E: no route"
  expect_last_line "./test: 'apt-get update' failed; the end of what it said is above"
  expect_no_call bazel
}

test_other_systems_are_told_so() {
  rm "$machine/bin/dpkg-query"
  run "$checkout/test"
  expect_status 3
  expect_output "not Debian"
}

test_a_folder_that_bazel_refuses_is_named() {
  for name in "two words" "naïve"; do
    mv "$checkout" "$machine/$name"
    checkout=$machine/$name
    run "$checkout/test"
    expect_status 3
    expect_output "$name"
    expect_no_call ""
  done
}

test_a_bazel_that_does_not_start_is_explained() {
  has bazel 'echo "FATAL: mkdir: Permission denied"; exit 36'
  HOME=/nowhere run "$checkout/test"
  expect_status 3
  expect_output "Permission denied"
  expect_output "HOME='/nowhere'"
}

test_ends_with_the_count_and_no_server() {
  for script in test .ci/run; do
    : >"$machine/calls"
    run "$checkout/$script"
    expect_status 0
    expect_last_line "1 passed, 0 failed"
    expect_call "bazel shutdown"
  done
}

test_passes_flags_on() {
  run "$checkout/test" -- --config=asan "--test_filter=A B"
  expect_status 0
  expect_call "--config=asan --test_filter=A B -- //..."
}

test_a_failed_build_fails_and_leaves_no_server() {
  has bazel 'echo "bazel $*" >>"$machine/calls"; [ "$1" != test ]'
  for script in test .ci/run; do
    : >"$machine/calls"
    run "$checkout/$script"
    expect_status 1
    expect_last_line "0 passed, 1 failed"
    expect_call "bazel shutdown"
  done
}

test_an_interrupt_leaves_no_server() {
  has bazel 'echo "bazel $*" >>"$machine/calls"
    [ "$1" != test ] || kill -INT $PPID'
  run "$checkout/test"
  expect_status 130
  expect_call "bazel shutdown"
}

test_quickstart_stops_at_a_failed_build_and_leaves_no_server() {
  has bazel 'echo "bazel $*" >>"$machine/calls"; [ "$1" != build ]'
  run "$checkout/quickstart"
  expect_status 1
  expect_last_line "./quickstart: the build failed; what Bazel said is above"
  expect_call "bazel shutdown"
}

# quickstart_with VERDICT STATUS: commands of which the oracle ends with STATUS.
quickstart_with() {
  has bazel 'echo "bazel $*" >>"$machine/calls"
    case $* in *bazel-bin*) echo "$machine/built" ;; esac'
  mkdir -p "$machine"/built/{model,oracle,validate}
  has predict 'echo "predict $*" >>"$machine/calls"; echo "cell by cell"'
  has report 'echo "the table"'
  has check "echo '$1'; echo details; exit $2"
  mv "$machine/bin/predict" "$machine/built/model"
  mv "$machine/bin/check" "$machine/built/oracle"
  mv "$machine/bin/report" "$machine/built/validate"
  run "$checkout/quickstart"
}

test_quickstart_ends_with_table_verdict_and_report() {
  quickstart_with OK 0
  expect_status 0
  expect_output $'the table\n\noracle: OK\nreport: '
  expect_last_line "report: $checkout/out/report/report.html"
  expect_call "--blocks=16,36,72,144,216,288 --period=1,2,4,8"
  expect_call "bazel shutdown"
}

test_quickstart_tells_a_bad_verdict_by_its_status() {
  quickstart_with VIOLATION 1
  expect_status 1
  expect_output $'the table\n\noracle: VIOLATION\nreport: '
  quickstart_with UNKNOWN 4
  expect_status 4
}

test_quickstart_stops_at_a_failed_command() {
  quickstart_with "" 2
  expect_status 2
  expect_last_line "./quickstart: that command ended with status 2"
}

cases=$(declare -F | awk '$3 ~ /^test_/ {print $3}')
for name in $cases; do
  new_machine
  "$name"
done
printf '%s cases, %s failed expectations\n' "$(wc -w <<<"$cases")" $failures
[ $failures = 0 ]
