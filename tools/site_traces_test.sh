#!/bin/bash
# Traces of simulated runs of every arm, site and variant, in random
# configurations, are accepted by the oracle. Arguments: predict, check, how many
# (the last one counts, so --test_arg=500 asks for 500).
set -u
predict="$1"
check="$2"
count="${!#}"
dir="$(mktemp -d "$TEST_TMPDIR/XXXXXX")"
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

# Numbers of our own, because those of $RANDOM change with the shell's version:
# Lehmer's generator with the multiplier of Park and Miller (CACM, 1988).
state=1
draw() {
  state=$((state * 16807 % 2147483647))
  drawn=$((state % $1))
}
# pick WORD...: one of them, into $picked.
pick() {
  draw $#
  shift $drawn
  picked="$1"
}

# A block of half the threads, of which eight fit on an SM.
sed 's/threads_per_block: 256/threads_per_block: 128/; s/min_blocks_per_sm: 4/min_blocks_per_sm: 8/; s/shared_bytes_per_block: 16384/shared_bytes_per_block: 8192/' \
  data/kernels/sgemm64.textproto > "$dir/sgemm64.textproto"

for ((number = 1; number <= count; ++number)); do
  state=$((number * 7919 + 1))
  draw 2
  pick cooperative cooperative cooperative reserved none
  arm="$picked"
  flags=(--part=a10 --seed=$number --fidelity=exact --events=12)
  pick sgemm64 sgemm64_cpasync sgemm64_cpasync tensor128 eight
  kernel="$picked"
  [[ $arm == cooperative ]] || kernel=sgemm64
  case "$kernel" in
    sgemm64) pick boundary folded; site="$picked"
             pick 1 7 72 100 144 216 288; blocks="$picked"
             pick 32 64 128; k="$picked" ;;
    sgemm64_cpasync) pick boundary stage issue folded; site="$picked"
             pick 1 72 144 200 288; blocks="$picked"
             pick 16 64 96; k="$picked" ;;
    tensor128) pick boundary stage issue folded; site="$picked"
             pick 1 30 72; blocks="$picked"
             pick 32 128 256; k="$picked" ;;
    eight) pick boundary folded; site="$picked"
             pick 300 576; blocks="$picked"; k=64 
             flags+=(--sharing=fair) ;;
  esac
  pick default volatile_flag pipelined_flag sync_flag
  variant="$picked"
  [[ $site != folded ]] || variant=default
  pick uniform:150:400 uniform:0:1 poisson:300 closed:0.3
  arrivals="$picked"
  pick drain naive
  discipline="$picked"
  pick device host
  setter="$picked"
  pick 1 1 2 3 8
  period="$picked"
  pick 1 2 5 40
  urgent="$picked"
  if [[ $arm != cooperative ]]; then
    site=boundary variant=default discipline=drain setter=host period=1
    pick 144 216 280
    blocks="$picked"
    k=64
  fi
  if [[ $arm == none ]]; then
    pick 72 280 287
    blocks="$picked"
  fi
  [[ $arm != reserved ]] || { pick 1 4 8; flags+=(--reserve=$picked); }
  name="$kernel"
  [[ $kernel != eight ]] || name="$dir/sgemm64.textproto"
  flags+=(--kernel="$name" --k=$k --blocks=$blocks --arm=$arm --site=$site
          --variant=$variant --period=$period --urgent_tiles=$urgent
          --arrivals=$arrivals --discipline=$discipline --setter=$setter)
  "$predict" "${flags[@]}" --trace_out="$dir/run.tbtrace" > /dev/null 2> "$dir/log" ||
    { fail "predict ${flags[*]}: $(head -n 3 "$dir/log")"; continue; }
  "$check" "$dir/run.tbtrace" > "$dir/verdict" 2>&1
  head -n 1 "$dir/verdict" | grep -q '^OK' ||
    fail "oracle on ${flags[*]}: $(head -n 12 "$dir/verdict")"
done

[[ $failures -eq 0 ]] || { echo "$failures of $count failed"; exit 1; }
echo "$count traces, all as promised"
