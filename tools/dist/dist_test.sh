#!/bin/sh
# Unpacks the tarball and does what a stranger does first.
#   dist_test.sh TARBALL
set -u
here=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
tar -xzf "$here/$1" -C "$work" || fail "cannot be unpacked"
# Away from the checkout, so that nothing is found there by chance.
cd "$work/tilebound" || fail "no folder tilebound"
unset TEST_SRCDIR RUNFILES_DIR

for command in predict report check collect show merge sweep; do
  "./$command" --help >help.txt || fail "$command --help: status $?"
  [ "$(wc -l <help.txt)" -le 50 ] || fail "$command --help: over a screen"
  libraries=$(ldd "./$command" | grep -v -e linux-vdso -e ld-linux)
  echo "$libraries" | grep -v -e 'libc\.so' -e 'libm\.so' &&
    fail "$command needs more than libc and libm"
done

./predict --part=a10 --kernel=sgemm64 --k=64 --blocks=72 --period=1 --events=200 \
  --out=predicted.binpb >predicted.csv || fail "predict: status $?"
./show predicted.binpb >shown.txt || fail "show: status $?"
grep -q sgemm64 shown.txt || fail "show does not show what was predicted"
./check --generate=default --out=a.tbtrace || fail "check --generate"
./check a.tbtrace >/dev/null || fail "check: status $?"

./run.sh --help | grep -q RESULTS || fail "run.sh --help"
CUDA_VISIBLE_DEVICES='' ./run.sh out 2>error.txt
status=$?
[ $status -eq 3 ] || fail "run.sh without a GPU: status $status, not 3"
[ "$(wc -l <error.txt)" -eq 1 ] || fail "run.sh without a GPU: not one sentence"
[ -z "$(ls out 2>/dev/null)" ] || fail "run.sh without a GPU leaves files"
echo "passed: $(cat error.txt)"
