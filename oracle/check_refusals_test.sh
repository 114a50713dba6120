#!/bin/bash
# //oracle:check refuses what it cannot take: in one line, with status 2, and
# without touching a file. What it can read at least in part, it reports on.
set -u
expect_failure="$1"
check="$2"
dir="$(mktemp -d "$TEST_TMPDIR/XXXXXX")"
failures=0

fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
# refuses WORDS ARGUMENT...: check refuses in one line that holds WORDS.
refuses() {
  local words="$1"
  shift
  "$expect_failure" --status=2 --says="$words" --dir="$dir" -- "$check" "$@" ||
    fail "refusal above"
}
# reports STATUS WORDS ARGUMENT...: the first line of the report holds WORDS.
reports() {
  local status="$1" words="$2"
  shift 2
  "$check" "$@" > "$dir.out" 2> "$dir.err"
  [[ $? -eq $status && ! -s "$dir.err" ]] || fail "status of $*: $(cat "$dir.err")"
  [[ "$(head -n 1 "$dir.out")" == *"$words"* ]] || fail "$* said $(head -n 1 "$dir.out")"
}

a="$dir/a.tbtrace"
"$check" --generate=default --out="$a" || fail "no trace to begin with"
: > "$dir/empty.tbtrace"
: > "$dir/empty.jsonl"
mkfifo "$dir/pipe"
head -c 2500 "$a" > "$dir/cut.tbtrace.partial"

# Inputs.
refuses "empty.tbtrace: not a trace" "$dir/empty.tbtrace"
refuses "empty.jsonl: no header line" "$dir/empty.jsonl"
refuses "not a plain file" "$dir"
refuses "not a plain file" /dev/null
refuses "not a plain file" "$dir/pipe"
refuses "No such file" "$dir/none.tbtrace"
reports 4 "UNKNOWN" "$dir/cut.tbtrace.partial"
reports 0 "OK" "$a"

# Lines of JSON with other types than they should have.
line() { printf '%s\n' "$@" > "$dir/x.jsonl"; }
head='{"tbtrace":1,"arm":"none","blocks":1,"blocks_per_sm":1}'
line '{"tbtrace":1,"arm":"none","blocks":"x","blocks_per_sm":1}'
refuses 'x.jsonl: line 1: ' "$dir/x.jsonl"
line '{"tbtrace":1,"arm":["none"],"blocks":1,"blocks_per_sm":1}'
refuses 'x.jsonl: line 1: ' "$dir/x.jsonl"
for record in '[1,2]' '{"block":0,"kind":"pop","task":"seven","time_ns":3}' \
    '{"block":0,"kind":"pop","task":1.5,"time_ns":3}' \
    '{"block":0,"kind":"pop","task":1,"time_ns":9223372036854775807}'; do
  line "$head" "$record"
  refuses 'x.jsonl: line 2: ' "$dir/x.jsonl"
done

# Outputs.
refuses "it is the input" --mutate=task_twice "$a" --out="$a"
refuses "it is the input" --mutate=task_twice "$a" --out="$dir/../${dir##*/}/a.tbtrace"
refuses "it is the input" "$a" --perfetto="$a"
refuses "it is the input" "$a" --to_jsonl="$a"
for out in /dev/full "$dir"; do
  refuses "cannot write" --generate=default --out="$out"
  refuses "cannot write" "$a" --perfetto="$out"
  refuses "cannot write" "$a" --to_jsonl="$out"
  refuses "cannot write" --mutate=task_twice "$a" --out="$out"
done
refuses "--out=FILE is needed" --generate=default
refuses "--out=FILE is needed" --mutate=task_twice "$a"

# Flags.
refuses "unknown flag --bogus" --bogus "$a"
refuses "no trace given" --format=csv
refuses "accepted are table, csv, json" --format=xml "$a"
refuses "accepted are 0 to 256" --threads=-1 "$a"
refuses "accepted are 0 to 1e9" --bound_us=nan "$a"
refuses '"foo=1" is not accepted' --expect=foo=1 "$a"
refuses 'tasks is a whole number' --expect=tasks=abc "$a"
refuses "accepted: 0 to" --generate=tasks=-1 --out="$dir/b"
refuses "is not known" --mutate=nosuch "$a" --out="$dir/b"
refuses "needed is an abandoned tile" --mutate=never_restarted "$a" --out="$dir/b"
refuses "FROM <= TO" "$a" --perfetto="$dir/b" --window_us=2:1

# Flags and files that what is asked for does not read.
refuses "goes with --perfetto" "$a" --window_us=1:2
refuses "goes with --generate" "$a" --out="$dir/b"
refuses "goes with --generate" "$a" --seed=3
refuses "accepted is one of them" --rules --list_mutations
refuses "accepted is one of them" "$a" --generate=default --mutate=task_twice --out="$dir/b"
refuses "--generate reads no trace" "$a" --generate=default --out="$dir/b"
refuses "--rules reads no trace" "$a" --rules
refuses "--perfetto goes with a check" "$a" --mutate=task_twice --out="$dir/b" --perfetto="$dir/c"
refuses "--threads goes with a check" "$a" --to_jsonl="$dir/b" --threads=2
refuses "--expect goes with a check" --generate=default --out="$dir/b" --expect=period=1
refuses "--bound_us goes with a check" --generate=default --out="$dir/b" --bound_us=5

exit $((failures > 0))
