#!/bin/bash
# //model:calibrate --trace from end to end: traces of simulated runs in, a
# calibration out, and what is refused, each in one line.
set -u
check="$1"
predict="$2"
calibrate="$3"
dir="$(mktemp -d "$TEST_TMPDIR/XXXXXX")"
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

# The clock of a run of a few milliseconds sags or does not; here it does not.
steady="$dir/steady.textproto"
sed '/"clock_sag_share"/,/value:/s/value: .*/value: 0/' \
  data/kernels/calibration/a10.sgemm64.textproto > "$steady"

# record NAME FLAG...: a trace of a simulated run.
record() {
  local name="$1"
  shift
  "$predict" --part=a10 --kernel=sgemm64 --fidelity=exact --events=10 \
    --calibration="$steady" "$@" \
    --trace_out="$dir/$name.tbtrace" > /dev/null 2> "$dir/log" ||
    fail "predict $*: $(cat "$dir/log")"
}
for c in 1 2 3 4; do record c$c --k=64 --blocks=$((72 * c)); done
record deep --k=128 --blocks=72
traces=()
for name in c1 c2 c3 c4 deep; do traces+=("--trace=$dir/$name.tbtrace"); done
mine=(--part=a10 --kernel=sgemm64)

"$calibrate" "${traces[@]}" "${mine[@]}" --format=csv --out="$dir/out.textproto" \
  > "$dir/out.csv" 2> "$dir/log" || fail "calibrate: $(cat "$dir/log")"
[[ -s "$dir/out.textproto" ]] || fail "no calibration"
[[ "$(grep -c '^measured,tile_time_slot,64' "$dir/out.csv")" -eq 10 ]] ||
  fail "slots: $(grep -c tile_time_slot "$dir/out.csv")"
# The grid's mean tile time is what the run itself says.
said="$("$predict" "${mine[@]}" --k=64 --blocks=288 --events=10 --format=json |
  tr ',' '\n' | grep tile_time_mean | grep -o '[0-9.]*$')"
awk -F, -v said="$said" '/^measured,tile_time_mean,64,288/ {
    found = 1; off = $8 / said - 1; if (off < -0.01 || off > 0.01) exit 1
  } END { if (!found) exit 1 }' "$dir/out.csv" ||
  fail "mean of the grid is not $said: $(grep tile_time_mean "$dir/out.csv")"
grep -q '^line,tile_time_slot per k' "$dir/out.csv" || fail "no line over k"
grep -q '^residual,tile_time_slot on its line,128' "$dir/out.csv" || fail "no residual"
grep -q '^tiles,left out: warm-up,64,72,1,,,720,tiles' "$dir/out.csv" || fail "no count"
grep -q '^declared,boundary_time' "$dir/out.csv" || fail "nothing declared"
# What was measured predicts what it was measured from, within 4 %: slot tile
# times are met to 3 % (kMostSlotResidual), once in the run, once afterwards.
for blocks in 72 288; do
  for calibration in "" "$dir/out.textproto"; do
    "$predict" "${mine[@]}" --k=64 --blocks=$blocks --events=2000 --format=csv \
      --calibration="$calibration" | tail -n 1 | cut -d, -f14
  done | paste -s -d' ' | awk -v blocks=$blocks '{
      off = $2 / $1 - 1
      if (NF != 2 || off < -0.04 || off > 0.04) { print blocks, $0; exit 1 }
    }' || fail "a prediction from the calibration measured"
done
"$calibrate" --help | grep -q -- '--trace' || fail "help"

# refuses WORDS FLAG...
refuses() {
  local words="$1"
  shift
  "$check" --status=2 --says="$words" --dir="$dir" -- "$calibrate" "$@" ||
    fail "refusal above"
}
out=(--out="$dir/refused.textproto")
refuses 'neither --recipe nor --trace' "${out[@]}"
refuses '--part is not given' --trace="$dir/c1.tbtrace" "${out[@]}"
refuses 'tile_time_solo of 1 block per SM at k 64 cannot be determined' \
  --trace="$dir/c4.tbtrace" "${mine[@]}" "${out[@]}"
refuses 'tile_time_slot of 2 blocks per SM at k 64 cannot be determined' \
  --trace="$dir/c1.tbtrace" --trace="$dir/c3.tbtrace" "${mine[@]}" "${out[@]}"
refuses 'recorded with k 64, not 32' --trace="$dir/c1.tbtrace" --k=32 "${mine[@]}"
refuses 'recorded with part a10, not l4' --trace="$dir/c1.tbtrace" --part=l4 \
  --kernel=sgemm64 --sm_clock_mhz=1000
refuses 'one for all or one each' --trace="$dir/c1.tbtrace" --k=64,32 "${mine[@]}"
refuses 'no_such.tbtrace' --trace="$dir/no_such.tbtrace" "${mine[@]}"
refuses '100 are needed; record for longer' --trace="$dir/c1.tbtrace" \
  --warmup_tiles=100000 "${mine[@]}"
# Blocks follow one another in a simulated trace: half of it lacks some.
size=$(stat -c %s "$dir/c1.tbtrace")
head -c $((size / 2)) "$dir/c1.tbtrace" > "$dir/half.tbtrace"
refuses 'does not tell service_time from memory_latency' \
  --trace="$dir/c1.tbtrace" "${mine[@]}" "${out[@]}"
cp data/kernels/sgemm64.textproto "$dir/kernel.textproto"
refuses 'it is the input' --trace="$dir/c1.tbtrace" --part=a10 \
  --kernel="$dir/kernel.textproto" --out="$dir/kernel.textproto"
cmp -s data/kernels/sgemm64.textproto "$dir/kernel.textproto" ||
  fail "the kernel was written over"
refuses '1 to 10000 is accepted' --trace="$dir/c1.tbtrace" "${mine[@]}" --sm_clock_mhz=-5
refuses 'the trace was not finished' --trace="$dir/half.tbtrace" "${mine[@]}"

# Without its index a trace holds all its records, and is said to be cut short.
head -c $((size - 20)) "$dir/c1.tbtrace" > "$dir/cut.tbtrace"
"$calibrate" --trace="$dir/cut.tbtrace" "${traces[@]:1:3}" "${mine[@]}" \
  --out="$dir/cut.textproto" > /dev/null 2> "$dir/log" ||
  fail "a trace without index: $(cat "$dir/log")"
grep -q 'cut short' "$dir/log" || fail "not said: $(cat "$dir/log")"
grep -q 'note: .*cut short' "$dir/cut.textproto" || fail "not noted"
# What is determined is written where that was asked for.
"$calibrate" --trace="$dir/c4.tbtrace" "${mine[@]}" --partial \
  --out="$dir/partial.textproto" > /dev/null 2> "$dir/log" || fail "partial"
grep -q 'not determined: tile_time_solo' "$dir/log" || fail "not said: $(cat "$dir/log")"

[[ $failures -eq 0 ]] || exit 1
echo "all as expected"
