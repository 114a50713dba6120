#!/bin/bash
# //model:predict and //model:calibrate from end to end: what they print and
# write, and how they refuse what they cannot take.
set -u
check="$1"
predict="$2"
calibrate="$3"
dir="$(mktemp -d "$TEST_TMPDIR/XXXXXX")"
failures=0

fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

cell=(--part=a10 --kernel=sgemm64 --k=64)
# refuses WORDS FLAG...: predict refuses in one line that holds WORDS.
refuses() {
  local words="$1"
  shift
  "$check" --status=2 --says="$words" --dir="$dir" -- "$predict" "$@" ||
    fail "refusal above"
}
# same FILE FILE
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }

# What works: the three formats, files, shards that add up, and threads that
# change nothing.
run=(--blocks=72:288:72 --events=500)
"$predict" "${cell[@]}" "${run[@]}" --format=csv --threads=1 \
  --out="$dir/all.textproto" > "$dir/one.csv" 2> "$dir/log" || fail "predict: $(cat "$dir/log")"
"$predict" "${cell[@]}" "${run[@]}" --format=csv --threads=3 > "$dir/three.csv" || fail "threads"
same "$dir/one.csv" "$dir/three.csv"
header="part,kernel,k,blocks,site,period,variant,discipline,arm,reserve,urgent_tiles,setter,n"
header+=",latency_p50_us,latency_p90_us,latency_p95_us,latency_p99_us,latency_max_us"
header+=",first_p50_us,first_p99_us,spread_p50_us,spread_p99_us,e2e_p50_us,e2e_p99_us"
header+=",wait_p50_us,wait_p99_us,rate_loss_pct,overhead_pct,status"
[[ "$(head -n 1 "$dir/one.csv")" == "$header" ]] || fail "columns: $(head -n 1 "$dir/one.csv")"
[[ "$(wc -l < "$dir/one.csv")" -eq 5 ]] || fail "rows of one.csv"
"$predict" "${cell[@]}" "${run[@]}" --format=json > "$dir/one.json" || fail "json"
grep -q '"setter_last_pct"' "$dir/one.json" || fail "json lacks setter_last_pct"
{
  head -n 1 "$dir/one.csv"
  for shard in 1/3 2/3 3/3; do
    "$predict" "${cell[@]}" "${run[@]}" --shard=$shard --format=csv | tail -n +2
  done
} | sort > "$dir/shards.csv"
sort "$dir/one.csv" | cmp -s - "$dir/shards.csv" || fail "shards do not add up"

cat > "$dir/experiment.textproto" << END
schema_major: 1
experiment { part: "a10" kernel: "sgemm64" k: "64" blocks: "72:288:72" events: 500 }
END
"$predict" --experiment="$dir/experiment.textproto" --format=csv > "$dir/file.csv" || fail "experiment"
same "$dir/one.csv" "$dir/file.csv"
"$predict" "${cell[@]}" --blocks=saturation --events=100 --format=csv > "$dir/words.csv"
grep -q '^a10,sgemm64,64,288,' "$dir/words.csv" || fail "saturation is not 288 blocks"
"$predict" "${cell[@]}" --blocks=288 --fidelity=exact --events=5 \
  --trace_out="$dir/run.tbtrace" > /dev/null 2>&1 || fail "trace"
[[ -s "$dir/run.tbtrace" ]] || fail "no trace"
"$predict" --help | grep -q -- '--blocks' || fail "help"

# What is refused, each in one line with the place, the value and what is
# accepted, and without leaving a file.
refuses 'unknown flag --blcoks (did you mean blocks?)' "${cell[@]}" --blcoks=72
refuses 'unknown part "a11" (did you mean a10?)' --part=a11 --kernel=sgemm64 --k=64 --blocks=72
refuses 'unknown kernel "sgemm"' --part=a10 --kernel=sgemm --k=64 --blocks=72
refuses 'accepted are 1 to 288' "${cell[@]}" --blocks=289
refuses 'at least one block' "${cell[@]}" --blocks=0
refuses 'period is 0' "${cell[@]}" --blocks=72 --period=0
refuses 'blocks=-72' "${cell[@]}" --blocks=-72
refuses 'the range is reversed' "${cell[@]}" --blocks=288:72
refuses 'a step of 0' "${cell[@]}" --blocks=72:288:0
refuses 'empty' "${cell[@]}" --blocks=
refuses 'empty' "${cell[@]}" --blocks=72,,144
refuses 'blocks' "${cell[@]}"
refuses 'multiples of 32' --part=a10 --kernel=sgemm64 --k=50 --blocks=72
refuses 'accepted are boundary, folded' "${cell[@]}" --blocks=72 --site=stage
refuses 'site "bondary" is not known (did you mean boundary?)' "${cell[@]}" --blocks=72 --site=bondary
refuses 'smallest gap is over the largest' "${cell[@]}" --blocks=72 --arrivals=uniform:400:150
refuses 'arrivals' "${cell[@]}" --blocks=72 --arrivals=uniform:-1:5
refuses 'accepted are sampled, exact' "${cell[@]}" --blocks=72 --fidelity=exakt
refuses 'accepted are slot, fair, iid' "${cell[@]}" --blocks=72 --sharing=lifo
refuses 'accepted are 0 to 1000000000' "${cell[@]}" --blocks=288 --arm=none --setter=host --background_tasks=2000000000
refuses 'accepted are table, csv, json' "${cell[@]}" --blocks=72 --format=xml
refuses '--events=-5' "${cell[@]}" --blocks=72 --events=-5
refuses '--shard=4/3' "${cell[@]}" --blocks=72 --shard=4/3
refuses 'no_such_folder' "${cell[@]}" --blocks=72 --out="$dir/no_such_folder/a.textproto"
refuses '.binpb' "${cell[@]}" --blocks=72 --out="$dir/surface.txt"
refuses 'holds one cell' "${cell[@]}" --blocks=72,144 --fidelity=exact --events=5 --trace_out="$dir/t.tbtrace"
refuses '--fidelity=exact' "${cell[@]}" --blocks=72 --trace_out="$dir/t.tbtrace"
refuses 'no calibration of kernel tensor128 on part h200' --part=h200 --kernel=tensor128 --k=256 --blocks=72

refuses 'up to 100000' "${cell[@]}" --blocks=72 --period=4294967295
refuses 'up to 100000' "${cell[@]}" --blocks=72 --urgent_tiles=4294967295
refuses 'events is 18446744073709551615; 1 to 1000000000' "${cell[@]}" --blocks=72 --events=18446744073709551615
refuses 'accepted are 0 to 256' "${cell[@]}" --blocks=72 --threads=1000
refuses 'up to 100000 are accepted' --part=a10 --kernel=sgemm64 --k=4294967264 --blocks=72
refuses 'no law for arm none' "${cell[@]}" --blocks=72 --arm=none --fidelity=exact --events=5 --trace_out="$dir/t.tbtrace"
refuses 'which no cell asked for runs' "${cell[@]}" --blocks=72 \
  --calibration=data/kernels/calibration/a100_sxm4_40gb.sgemm64.textproto
ln -sf /dev/null "$dir/link.textproto"
refuses 'a plain file or a new name' "${cell[@]}" --blocks=72 --events=5 --out="$dir/link.textproto"
cp data/kernels/calibration/a10.sgemm64.textproto "$dir/mine.textproto"
refuses 'it is the input' "${cell[@]}" --blocks=72 --calibration="$dir/mine.textproto" --out="$dir/mine.textproto"

# changed QUANTITY VALUE: a copy of the A10 calibration with another value.
changed() {
  sed "/quantity: \"$1\"/,/value:/s/value: .*/value: $2/" \
    data/kernels/calibration/a10.sgemm64.textproto > "$dir/changed.textproto"
  mine=("${cell[@]}" --blocks=288 --calibration="$dir/changed.textproto")
}
changed setter_delay 200000
refuses 'has setter_delay 200000 us' "${mine[@]}"
changed unclaimed_share 1.5
refuses 'has unclaimed_share 1.5; a part of 0 to 1' "${mine[@]}"
changed clock_sag_share 1e-10
refuses 'and clock_sag_share 1e-10; 1 to 2 and 0 or 0.0001 to under 1' "${mine[@]}"
changed clock_sag_slowdown 0.9
refuses 'has clock_sag_slowdown 0.9 and clock_sag_share 0.05; 1 to 2' "${mine[@]}"
changed tile_time_slot 2
refuses "come no nearer than" "${mine[@]}"
sed 's/sm_count: 72/sm_count: 1073741825/' data/gpus/a10.textproto > "$dir/a10.textproto"
refuses 'sm_count is 1073741825' --part="$dir/a10.textproto" --kernel=sgemm64 --k=64 --blocks=saturation
sed 's/timer_quantum_ps: 1024000/timer_quantum_ps: 18446744073709551615/' data/gpus/a10.textproto > "$dir/a10.textproto"
refuses 'timer_quantum_ps is 18446744073709551615' --part="$dir/a10.textproto" --kernel=sgemm64 --k=64 --blocks=72

# A file name that is no UTF-8 does not spoil the file written.
cp data/kernels/calibration/a10.sgemm64.textproto "$dir"/$'caf\xe9.textproto'
"$predict" "${cell[@]}" --blocks=72 --events=5 --calibration="$dir"/$'caf\xe9.textproto' \
  --out="$dir/latin.binpb" > /dev/null 2>&1 || fail "latin-1 name"
refuses 'its content is surface' --experiment="$dir/latin.binpb"

# Files of the wrong kind, misspelt, of the future, cut short.
refuses 'its content is surface; accepted here is part' --part="$dir/all.textproto" --kernel=sgemm64 --k=64 --blocks=72
sed 's/blocks:/blokcs:/' "$dir/experiment.textproto" > "$dir/typo.textproto"
refuses 'typo.textproto:2:' --experiment="$dir/typo.textproto"
sed 's/schema_major: 1/schema_major: 9/' "$dir/experiment.textproto" > "$dir/newer.textproto"
refuses 'schema_major is 9' --experiment="$dir/newer.textproto"
"$predict" "${cell[@]}" "${run[@]}" --out="$dir/all.binpb" > /dev/null 2>&1 || fail "binpb"
head -c 1000 "$dir/all.binpb" > "$dir/cut.binpb"
refuses 'cut.binpb' --experiment="$dir/cut.binpb"

# Negative times in a user's own calibration.
sed '/quantity: "service_time"/,/value:/s/value: .*/value: -1/' \
  data/kernels/calibration/a10.sgemm64.textproto > "$dir/negative.textproto"
refuses 'value is -1' "${cell[@]}" --blocks=72 --calibration="$dir/negative.textproto"

"$check" --status=2 --says='unknown recipe' --dir="$dir" -- \
  "$calibrate" --recipe=a12.sgemm64 || fail "refusal above"
"$check" --status=2 --says='no_such_folder' --dir="$dir" -- \
  "$calibrate" --recipe=a10.sgemm64 --surfaces="$dir/no_such_folder" || fail "refusal above"

# What a launch of the background holds is not known unless somebody says it.
alone=(--part=a10 --kernel=sgemm64 --k=64 --setter=host --arm=none --blocks=288 --events=5)
"$predict" "${alone[@]}" 2> "$dir/missing" > /dev/null || fail "arm none"
grep -q 'not modelled: wait of 1 of 1 cells: .*say it with --background_tasks=N' "$dir/missing" ||
  fail "no word of --background_tasks: $(cat "$dir/missing")"
"$predict" "${alone[@]}" --background_tasks=14000 --format=json 2> "$dir/missing" |
  grep -q wait_p50_us || fail "no wait with --background_tasks"
[[ ! -s "$dir/missing" ]] || fail "still missing: $(cat "$dir/missing")"

[[ $failures -eq 0 ]] || exit 1
echo "all as expected"
