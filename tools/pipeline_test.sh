#!/bin/bash
# The loop of docs/design.md section 1 through the real commands: a prediction is
# compared with a published surface, and the traces of simulated runs are
# accepted by the oracle, which refuses the same traces once they are cut.
set -u
predict="$1"
check="$2"
report="$3"
dir="$(mktemp -d "$TEST_TMPDIR/XXXXXX")"
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

cell=(--part=a10 --kernel=sgemm64)
seed=0
# trace FLAG...: simulates, and the oracle must find every promise kept.
trace() {
  seed=$((seed + 1))
  "$predict" "${cell[@]}" --seed=$seed --fidelity=exact --events=12 "$@" \
    --trace_out="$dir/run.tbtrace" > /dev/null 2> "$dir/log" ||
    { fail "predict $*: $(cat "$dir/log")"; return; }
  "$check" "$dir/run.tbtrace" > "$dir/verdict" 2>&1 ||
    fail "oracle on $*: $(head -n 20 "$dir/verdict")"
  head -n 1 "$dir/verdict" | grep -q '^OK' || fail "verdict on $*"
}
for blocks in 1 7 16 72 100 144 216 288; do
  for period in 1 2 5 8; do
    trace --k=64 --blocks=$blocks --period=$period --urgent_tiles=$((1 + seed % 5))
  done
done
trace --k=32 --blocks=288 --period=3 --urgent_tiles=16
trace --k=128 --blocks=200 --period=1 --arrivals=uniform:0:1
trace --k=64 --blocks=288 --sharing=fair
trace --k=64 --blocks=288 --sharing=iid

# A trace whose end is missing is never OK.
size=$(stat -c %s "$dir/run.tbtrace")
head -c $((size / 2)) "$dir/run.tbtrace" > "$dir/cut.tbtrace"
"$check" "$dir/cut.tbtrace" > "$dir/verdict" 2>&1
[[ $? -eq 4 ]] || fail "half a trace: $(head -n 3 "$dir/verdict")"

# Prediction against publication: every cell is compared.
"$predict" "${cell[@]}" --k=64 --blocks=16,36,72,144,216,288 --period=1,2,4,8 \
  --out="$dir/predicted.binpb" > /dev/null 2>&1 || fail "the 24 cells"
mkdir "$dir/report"
"$report" --predicted="$dir/predicted.binpb" \
  --measured=data/published/a10_reference.textproto --out_dir="$dir/report" \
  > "$dir/summary" 2>&1 || fail "report: $(cat "$dir/summary")"
grep -q '24 of 24 measured cells compared' "$dir/summary" || fail "$(cat "$dir/summary")"
for file in report.md report.json report.html; do
  [[ -s "$dir/report/$file" ]] || fail "no $file"
done

[[ $failures -eq 0 ]] || exit 1
echo "all as expected"
