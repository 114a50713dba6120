#!/bin/bash
# Runs a command that must refuse its input, and checks that it refuses well:
# the exit status, nothing on stdout, exactly one line on stderr, the words that
# the line must hold, and no file made, changed or left behind in a folder.
#
#   expect_failure.sh --status=2 --says='unknown flag --oot' --dir="$OUT" -- \
#       merge --oot=x a.binpb
#
# --status  expected exit status [2]
# --says    fixed words that stderr holds; may be given more than once
# --dir     folder whose files must stay as they are; may be given more than once
# Exits with 0 if all holds; else prints what does not, and exits with 1.
set -u

status=2
says=()
dirs=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    --status=*) status="${1#*=}" ;;
    --says=*) says+=("${1#*=}") ;;
    --dir=*) dirs+=("${1#*=}") ;;
    --) shift; break ;;
    *) echo "expect_failure: unknown argument $1" >&2; exit 2 ;;
  esac
  shift
done
if [[ $# -eq 0 ]]; then
  echo "expect_failure: no command after --" >&2
  exit 2
fi

contents() {
  [[ ${#dirs[@]} -eq 0 ]] && return
  find "${dirs[@]}" -type f -exec cksum {} + -o -printf '%y %p\n' | sort
}

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
contents > "$scratch/before"
"$@" > "$scratch/stdout" 2> "$scratch/stderr" < /dev/null
actual=$?
contents > "$scratch/after"

failed=0
complain() {
  [[ $failed -eq 0 ]] && echo "expect_failure: $(printf '%q ' "${command[@]}")" >&2
  failed=1
  echo "  $*" >&2
}
command=("$@")
[[ $actual -eq $status ]] || complain "exit status $actual, expected $status"
[[ -s "$scratch/stdout" ]] &&
  complain "stdout is not empty: $(head -c 200 "$scratch/stdout")"
# A last line without its end counts too.
lines="$(grep -c '' "$scratch/stderr")"
[[ $lines -eq 1 ]] || complain "$lines lines on stderr, expected 1:" \
  "$(head -c 2000 "$scratch/stderr")"
for words in ${says[@]+"${says[@]}"}; do
  grep -qF -- "$words" "$scratch/stderr" ||
    complain "stderr lacks \"$words\": $(head -c 2000 "$scratch/stderr")"
done
diff "$scratch/before" "$scratch/after" > "$scratch/changed" ||
  complain "files changed: $(cat "$scratch/changed")"
exit $failed
