#!/bin/bash
# predict --explain and --slo_p99_us from end to end: what they print, and how
# they refuse what they cannot take.
set -u
check="$1"
predict="$2"
dir="$(mktemp -d "$TEST_TMPDIR/XXXXXX")"
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
mine=(--part=a10 --kernel=sgemm64 --k=64 --events=500)

# Why.
"$predict" "${mine[@]}" --blocks=288 --explain > "$dir/why" 2>&1 || fail "explain"
grep -q 'a block in slot 3 of 4 observes last' "$dir/why" || fail "$(cat "$dir/why")"
"$predict" "${mine[@]}" --blocks=72,288 --explain --format=csv > "$dir/why.csv" || fail "csv"
[[ "$(head -n 1 "$dir/why.csv")" == "cell,what,blocks_per_sm,slot,us,pct" ]] || fail "columns"
# The four parts of a latency add up to it.
awk -F, '
  $2 == "latency" { all += $5 }
  $3 == "" && $2 ~ /^(notification|residual service|memory latency|period)$/ { sum += $5 }
  END { exit !(all > 0 && sum / all > 0.999999 && sum / all < 1.000001) }' "$dir/why.csv" ||
  fail "parts do not add up: $(cat "$dir/why.csv")"
"$predict" "${mine[@]}" --blocks=280 --arm=reserved --reserve=8 --setter=host --explain \
  > "$dir/why" 2>&1 || fail "explain reserved"
grep -q 'Not explained: arm reserved has no handoff' "$dir/why" || fail "$(cat "$dir/why")"

# What to choose: four residencies, two sites, four periods.
"$predict" "${mine[@]}" --slo_p99_us=50 --format=csv > "$dir/best.csv" 2> "$dir/log" ||
  fail "recommend: $(cat "$dir/log")"
[[ "$(wc -l < "$dir/best.csv")" -eq 33 ]] || fail "rows: $(wc -l < "$dir/best.csv")"
head -n 2 "$dir/best.csv" | tail -n 1 | grep -q '^1,yes,' || fail "$(head -n 3 "$dir/best.csv")"
grep -q ',no,.*over the goal' "$dir/best.csv" || fail "nothing loses"
"$predict" "${mine[@]}" --slo_p99_us=2 --site=boundary --period=1 > "$dir/none" 2>&1 || fail "impossible"
head -n 1 "$dir/none" | grep -q '^Nothing meets p99 .*Nearest: .* 72 blocks' || fail "$(cat "$dir/none")"
"$predict" "${mine[@]}" --slo_p99_us=50 --urgent_tiles=4 --period=1 --site=boundary \
  --reserve=8 > "$dir/arms" 2>&1 || fail "arms"
for arm in cooperative reserved none; do
  grep -q " $arm " "$dir/arms" || fail "no arm $arm: $(cat "$dir/arms")"
done

refuses() {
  local words="$1"
  shift
  "$check" --status=2 --says="$words" --dir="$dir" -- "$predict" "$@" || fail "refusal above"
}
refuses 'a p99 over 0 us' "${mine[@]}" --slo_p99_us=-3
refuses 'a p99 over 0 us' "${mine[@]}" --max_overhead_pct=5
refuses 'a number of at least 0' "${mine[@]}" --slo_p99_us=50 --max_overhead_pct=much
refuses '--k has 2 values' --part=a10 --kernel=sgemm64 --k=64,32 --slo_p99_us=50
refuses '--sharing=iid' "${mine[@]}" --blocks=72 --sharing=iid --explain

[[ $failures -eq 0 ]] || exit 1
echo "all as expected"
