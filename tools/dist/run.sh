#!/bin/sh
# Measures this machine's GPU: all suites, into a folder that another run takes
# up where this one stopped.
#
#   ./run.sh [RESULTS [flags of sweep]]
#
# Needs nothing but an NVIDIA driver. Exit status: 0 all measured; 1 a gate
# failed or the oracle found a violation; 2 a flag is wrong; 3 no GPU; 4 the
# oracle cannot tell.
set -u
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
case "${1:-}" in
-h | --help)
  sed -n '2,10s/^# \{0,1\}//p' "$0"
  exit 0
  ;;
-*)
  echo "run.sh: '$1': the first argument is the folder for the results" >&2
  exit 2
  ;;
esac
results=${1:-results}
[ $# -gt 0 ] && shift
TILEBOUND_DATA="$here/data"
export TILEBOUND_DATA
if ! [ -x "$here/sweep" ] || ! [ -x "$here/facts" ]; then
  echo "run.sh: this tarball was built without CUDA; predict, report and check work" >&2
  exit 3
fi
mkdir -p "$results" || exit 2

# 3 without a GPU, and a sentence that says so.
"$here/facts" --name=this_gpu --out="$results/part.textproto" || exit $?

"$here/sweep" --suite=all --out="$results" --resume \
  --trace_out="$results/oracle.tbtrace" "$@"
status=$?
[ $status -eq 0 ] || [ $status -eq 1 ] || exit $status

# The suite oracle recorded a run of each of its cells.
for trace in "$results"/oracle_*.tbtrace; do
  [ -f "$trace" ] || continue
  "$here/check" "$trace" >"${trace%.tbtrace}.txt"
  checked=$?
  head -n 1 "${trace%.tbtrace}.txt"
  # 1 (a violation) outranks 4 (cannot tell).
  if [ $checked -eq 1 ] || [ $status -eq 0 ]; then status=$checked; fi
done
exit $status
