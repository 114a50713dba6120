#!/bin/bash
# //data:show and //data:merge from end to end: what they print, and how they
# refuse what they cannot take.
set -u
check="$1"
show="$2"
merge="$3"
dir="$(mktemp -d "$TEST_TMPDIR/XXXXXX")"
failures=0

fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

refuses() { "$check" --status=2 --dir="$dir" "$@" || fail "refusal above"; }

# holds TEXT WORDS...: TEXT holds each of the words.
holds() {
  local text="$1"; shift
  for words in "$@"; do
    grep -qF -- "$words" <<< "$text" || fail "\"$words\" is not in: $text"
  done
}

# shard NAME SEED BLOCKS CLOCK
shard() {
  cat > "$dir/$1.textproto" << END
schema_major: 1
surface {
  name: "try"
  provenance { kind: PREDICTED seed: $2 }
  conditions { sm_clock_mhz: $4 }
  cells {
    key {
      part: "a10" kernel: "sgemm64" k: 64 blocks: $3 site: BOUNDARY period: 1
      variant: "default" discipline: DRAIN arm: COOPERATIVE urgent_tiles: 1
      setter: DEVICE cluster_size: 1
      arrivals { process: UNIFORM min_gap_ns: 150000 max_gap_ns: 400000 }
    }
    metrics {
      name: "latency" unit: "us" n: 10
      histogram { quantum_ps: 1024000 bin: 63 count: 10 }
    }
  }
}
END
}
shard one 1 72 1695
shard two 1 144 1695
shard clock 1 288 1500
shard period0 1 72 1695 && sed -i 's/period: 1/period: 0/' "$dir/period0.textproto"
shard typo 1 72 1695 && sed -i 's/blocks:/blokcs:/' "$dir/typo.textproto"
shard newer 1 72 1695 && sed -i 's/schema_major: 1/schema_major: 2/' "$dir/newer.textproto"
echo 'schema_major: 1 experiment { k: "64" blocks: "16:288:16" }' > "$dir/experiment.textproto"

# What works.
line="$("$merge" --out="$dir/all.binpb" "$dir/two.textproto" "$dir/one.textproto")" ||
  fail "merge exits with $?"
holds "$line" "all.binpb: 2 cells from 2 shards, sha256 "
text="$("$show" "$dir/all.binpb" "$dir/experiment.textproto")" || fail "show exits with $?"
holds "$text" "surface try ==" "${line##* }" "64.512" "one.textproto" "two.textproto" \
  "experiment" "16:288:16"
csv="$("$show" --format=csv "$dir/all.binpb")" || fail "show --format=csv exits with $?"
# 63 ticks of 1.024 us; 72 blocks stand before 144 although they came second.
[[ "$(cut -d, -f4,14 <<< "$csv")" == $'blocks,latency_p50_us\n72,64.512\n144,64.512' ]] ||
  fail "csv is $csv"
[[ -e "$dir/all.binpb.partial" ]] && fail "a .partial is left"
for command in "$show" "$merge"; do
  help="$("$command" --help)" || fail "--help exits with $?"
  [[ "$(wc -l <<< "$help")" -le 24 ]] || fail "--help does not fit a screen"
done

# Flags.
refuses --says='show: unknown flag --fromat (did you mean format?)' -- "$show" --fromat=csv "$dir/one.textproto"
refuses --says='--format=xml: accepted are table, csv, json' -- "$show" --format=xml "$dir/one.textproto"
refuses --says='no file is given' -- "$show"
refuses --says='--format=csv with 2 files: one file is accepted' -- "$show" --format=csv "$dir/one.textproto" "$dir/two.textproto"
refuses --says='merge: --out is not given' -- "$merge" "$dir/one.textproto"
refuses --says='unknown flag --oot (did you mean out?)' -- "$merge" --oot="$dir/x.binpb" "$dir/one.textproto"
refuses --says='no shard is given; one or more' -- "$merge" --out="$dir/x.binpb"

# Files that are not what they should be.
refuses --says="$dir/no.binpb: No such file" -- "$show" "$dir/no.binpb"
refuses --says='the ending is not known; accepted are .textproto and .binpb' -- "$show" /dev/null
refuses --says='typo.textproto:8:43: no field "blokcs" in CellKey (did you mean blocks?); accepted are part, kernel' -- "$show" "$dir/typo.textproto"
refuses --says='period0.textproto: surface.cells[0]' --says='key.period is 0' -- "$show" "$dir/period0.textproto"
refuses --says='newer.textproto: schema_major is 2, written by a newer' -- "$show" "$dir/newer.textproto"
refuses --says='newer.textproto' -- "$merge" --out="$dir/x.binpb" "$dir/one.textproto" "$dir/newer.textproto"
# One file's fault stops the others' output.
mkdir "$dir/sub.textproto"
refuses --says='Is a directory' -- "$show" "$dir/sub.textproto"
refuses --says='typo.textproto' -- "$show" "$dir/one.textproto" "$dir/typo.textproto"
size="$(stat -c %s "$dir/all.binpb")"
for cut in 0 1 2 3 $((size / 2)) $((size - 1)); do
  head -c "$cut" "$dir/all.binpb" > "$dir/cut.binpb"
  refuses --says="$dir/cut.binpb: " -- "$show" "$dir/cut.binpb"
  refuses --says="$dir/cut.binpb: " -- "$merge" --out="$dir/x.binpb" "$dir/cut.binpb"
done
printf 'tbtrace\n\377' > "$dir/cut.tbtrace"
refuses --says="$dir/cut.tbtrace" -- "$show" "$dir/cut.tbtrace"
# A field that protobuf would complain about on its own.
sed 's/try/\xff\xfe\xfd/' "$dir/all.binpb" > "$dir/utf8.binpb"
refuses --says='utf8.binpb: not a whole binary Tilebound file' -- "$show" "$dir/utf8.binpb"
refuses --says='its content is experiment; accepted here is surface' -- "$merge" --out="$dir/x.binpb" "$dir/experiment.textproto"

# Shards that do not belong together.
refuses --says='shard 2: conditions.sm_clock_mhz is 1500, the first shard' -- "$merge" --out="$dir/x.binpb" "$dir/one.textproto" "$dir/clock.textproto"
refuses --says='each shard is accepted once' -- "$merge" --out="$dir/x.binpb" "$dir/one.textproto" "$dir/one.textproto"

# Outputs that cannot be written. The last is there already and must stay.
refuses --says='there is no folder' -- "$merge" --out="$dir/no/x.binpb" "$dir/one.textproto"
refuses --says='x.csv: the ending is not known' -- "$merge" --out="$dir/x.csv" "$dir/one.textproto"
mkdir "$dir/folder.binpb"
refuses --says='is a folder; a file name is needed' -- "$merge" --out="$dir/folder.binpb" "$dir/one.textproto"
refuses --says='conditions.sm_clock_mhz' -- "$merge" --out="$dir/all.binpb" "$dir/one.textproto" "$dir/clock.textproto"

[[ $failures -eq 0 ]] && echo "all checks hold"
exit $((failures > 0))
