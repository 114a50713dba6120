#!/usr/bin/env bash
# Makes a report of planted surfaces and lets validate/web/browser_test.js look
# at it in Chromium. What it needs, tools/install_web.sh and the package
# chromium bring.
set -euo pipefail

# Where the sources really are: node_modules is no part of the build.
web=$(dirname "$(readlink -f validate/web/package.json)")
if [[ ! -d $web/node_modules/playwright-core ]]; then
  echo "browser_test: $web/node_modules is missing; run tools/install_web.sh" >&2
  exit 1
fi
browser=$(command -v chromium || true)
if [[ -z $browser ]]; then
  echo "browser_test: chromium is missing; apt-get install chromium" >&2
  exit 1
fi

out=$TEST_TMPDIR/report
export TILEBOUND_WEB=$web HOME=$TEST_TMPDIR
for cells in 24 100000; do
  mkdir -p "$out/$cells"
  validate/planted_files "$out/$cells" $cells
  validate/report --predicted="$out/$cells/predicted.binpb" \
    --predicted="$out/$cells/fair.binpb" \
    --measured="$out/$cells/measured.binpb" \
    --tolerances=data/tolerances.textproto --registry="$out/none.textproto" \
    --hypotheses=data/hypotheses/study.textproto \
    --out_dir="$out/$cells" >"$out/$cells/log"
done
NODE_PATH=$web/node_modules node validate/web/browser_test.js "$browser" \
  "$out/24/report.html" "$out/100000/report.html" \
  "${TEST_UNDECLARED_OUTPUTS_DIR:-$TEST_TMPDIR}"
