#!/usr/bin/env bash
# //validate:report from end to end: what it prints and writes, when it exits
# with 1, and how it refuses what it cannot take.
set -u
check=$1
report=$2
planted=$3
dir=$(mktemp -d "$TEST_TMPDIR/XXXXXX")
export TILEBOUND_WEB=$dir/nowhere
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# status WANTED COMMAND...
status() {
  local wanted=$1 got=0
  shift
  "$@" >"$dir/stdout" 2>"$dir/stderr" || got=$?
  [[ $got == "$wanted" ]] || fail "exits with $got, not $wanted: $*"
}

# holds FILE WORDS...
holds() {
  local file=$1
  shift
  for words in "$@"; do
    grep -qF -- "$words" "$file" || fail "\"$words\" is not in $file"
  done
}

refuses() { "$check" --status=2 --dir="$dir" -- "$@" || fail "refusal above"; }

"$planted" "$dir" 24 || fail "planted_files exits with $?"
pair=("$report" --predicted="$dir/predicted.binpb"
  --measured="$dir/measured.binpb" --tolerances=data/tolerances.textproto
  --registry="$dir/registry.textproto")

# What works.
status 0 "${pair[@]}" --out_dir="$dir/out"
holds "$dir/stdout" "24 of 24 measured cells compared" "OPTIMISTIC" \
  "standing: POST HOC" "report: $dir/out/report.html"
holds "$dir/stderr" "tables only, no plots" "tools/install_web.sh"
holds "$dir/out/report.html" "This report has no plots"
holds "$dir/out/report.md" "## Coverage"
holds "$dir/out/report.json" '"schema": "tilebound.report"'
status 0 "${pair[@]}" --format=csv
[[ $(wc -l <"$dir/stdout") == 25 ]] || fail "csv has not 24 rows and a header"
status 0 "${pair[@]}" --format=json
holds "$dir/stdout" '"verdict_p50": "OPTIMISTIC"'

# When it fails on purpose.
status 1 "${pair[@]}" --fail_on=disagree
cat >"$dir/hypotheses.textproto" <<END
schema_major: 1
hypotheses {
  hypothesis {
    id: "FAST" statement: "Handoffs take under 1 us." date: "2026" source: "x"
    clause { metric: "latency" q: 0.5 relation: BELOW threshold: 1 }
  }
}
END
status 1 "${pair[@]}" --hypotheses="$dir/hypotheses.textproto" \
  --fail_on=hypotheses
holds "$dir/stdout" "hypothesis FAST: FAILS"

# Against an earlier report: nothing changed since itself.
status 0 "${pair[@]}" --baseline="$dir/out/report.json"
holds "$dir/stdout" "0 worse, 0 better"

# Registered after the planted measurement began, so still post hoc.
status 0 "${pair[@]}" --register
holds "$dir/stdout" "registered planted_model"
status 0 "${pair[@]}" --format=table
holds "$dir/stdout" "standing: POST HOC"
cp "$dir/fair.binpb" "$dir/predicted.binpb"
refuses "${pair[@]}"
status 2 "${pair[@]}"
holds "$dir/stderr" "registry entry 1 (planted_model" "edited since"
"$planted" "$dir" 24
sed -i 's/prediction_name: "planted/prediction_name: "other/' \
  "$dir/registry.textproto"
status 2 "${pair[@]}"
holds "$dir/stderr" "registry entry 1" "chain is broken"
rm "$dir/registry.textproto"

# What it refuses, in one line and with nothing left behind.
refuses "$report"
refuses "$report" --predicted="$dir/predicted.binpb"
refuses "${pair[@]}" --measured="$dir/none.binpb"
refuses "${pair[@]}" --measured="$dir/predicted.binpb"
refuses "${pair[@]}" --predicted="$dir/measured.binpb"
refuses "${pair[@]}" --measured=data/tolerances.textproto
refuses "${pair[@]}" --tolerances="$dir/measured.binpb"
refuses "${pair[@]}" --hypotheses=data/tolerances.textproto
refuses "${pair[@]}" --baseline=data/tolerances.textproto
refuses "${pair[@]}" --fail_on=sometimes
refuses "${pair[@]}" --fail_on=hypotheses
refuses "${pair[@]}" --format=xml
refuses "${pair[@]}" --out_dir="$dir/measured.binpb/sub"
refuses "${pair[@]}" --outdir="$dir/x"
head -c 2000 "$dir/measured.binpb" >"$dir/cut.binpb"
refuses "${pair[@]}" --measured="$dir/cut.binpb"

[[ $failures == 0 ]] || exit 1
