#!/bin/bash
# The checker itself: it passes a good refusal and fails each kind of bad one.
set -u
check="$1"
dir="$(mktemp -d "$TEST_TMPDIR/XXXXXX")"
failures=0

passes() {
  "$check" "$@" 2> "$dir.log" || { echo "refused: $*"; cat "$dir.log"; failures=1; }
}
fails_with() {
  local words="$1"; shift
  "$check" "$@" 2> "$dir.log" && { echo "passed: $*"; failures=1; }
  grep -qF -- "$words" "$dir.log" || { echo "lacks $words"; cat "$dir.log"; failures=1; }
}

passes --says=bad --says='--x=1' --dir="$dir" -- bash -c 'echo "bad --x=1" >&2; exit 2'
passes --status=3 -- bash -c 'echo bad >&2; exit 3'
fails_with 'exit status 1, expected 2' -- bash -c 'echo bad >&2; exit 1'
fails_with 'exit status 0, expected 2' -- bash -c 'echo bad >&2'
fails_with '2 lines on stderr' -- bash -c 'printf "a\nb" >&2; exit 2'
fails_with '0 lines on stderr' -- bash -c 'exit 2'
fails_with 'stdout is not empty: half' -- bash -c 'echo half; echo bad >&2; exit 2'
fails_with 'stderr lacks "good"' --says=good -- bash -c 'echo bad >&2; exit 2'
fails_with 'x.partial' --dir="$dir" -- \
  bash -c 'touch "$0/x.partial"; echo bad >&2; exit 2' "$dir"
fails_with 'x.partial' --dir="$dir" -- \
  bash -c 'echo more >> "$0/x.partial"; echo bad >&2; exit 2' "$dir"
exit $failures
