# shellcheck shell=bash disable=SC2154
# What ./quickstart and ./test share: they source this after setting `program`
# (what messages start with) and being in the checkout.
#
#   program=./test
#   cd "$(dirname "${BASH_SOURCE[0]}")" && source tools/setup.sh
#   prepare nodejs npm
#   bazel build "${bazel_flags[@]}" //model:predict
#
# Exit statuses are those of every command (data/io/exit_code.h).

# All that the project needs on a bare Debian 12.
packages=(
  bazel-bootstrap
  g++
  libabsl-dev
  libbenchmark-dev
  libeigen3-dev
  libgmock-dev
  libgtest-dev
  libprotobuf-dev
  libssl-dev
  libzstd-dev
  nlohmann-json3-dev
  protobuf-compiler
  zlib1g-dev
)

bazel_flags=(-c opt)
# A log gets a line now and then; a terminal gets Bazel's own display.
[ -t 2 ] || bazel_flags+=(--curses=no --color=no --show_progress_rate_limit=10
  --noshow_loading_progress)

# Not empty while there is a server for us to end.
server_up=

say() { printf '%s: %s\n' "$program" "$*"; }

# stop STATUS MESSAGE...
stop() {
  local status=$1
  shift
  printf '%s: %s\n' "$program" "$*" >&2
  exit "$status"
}

# prepare PROGRAM...: checks the machine, installs what is missing and starts
# Bazel's server, which ends with this script however that ends. PROGRAMs are
# packages that are needed only if there is no command of that name (node for
# nodejs): a vendor's nodejs brings its own npm and conflicts with Debian's.
prepare() {
  local program_package
  check_folder
  for program_package; do
    command -v "${program_package%js}" >/dev/null ||
      packages+=("$program_package")
  done
  install_missing_packages
  server_up=yes
  trap shut_down_bazel EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  check_bazel
}

# Bazel refuses these, the second kind without saying why.
check_folder() {
  local LC_ALL=C
  case $PWD in
    *[[:space:]]* | *[![:print:]]*)
      stop 3 "Bazel cannot build in '$PWD': move the checkout to a folder" \
        "whose path has only ASCII characters and no spaces"
      ;;
  esac
}

# Prints the packages that are not installed, one a line.
missing_packages() {
  local installed package
  # Its status is 1 if one of them is missing.
  installed=$(dpkg-query --show \
    --showformat='${Package} ${db:Status-Status}\n' "${packages[@]}" \
    2>/dev/null) || true
  for package in "${packages[@]}"; do
    case $'\n'$installed$'\n' in
      *$'\n'"$package installed"$'\n'*) ;;
      *) echo "$package" ;;
    esac
  done
}

install_missing_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    stop 3 "this is not Debian or a relative of it (no apt-get): install" \
      "what these Debian 12 packages hold and build with Bazel as" \
      "CONTRIBUTING.md tells: ${packages[*]}"
  fi

  local missing
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} -gt 0 ] || return 0

  local install="apt-get install -y --no-install-recommends ${missing[*]}"
  if [ "$(id -u)" != 0 ]; then
    printf '%s: packages are missing; run this, then start again:\n' \
      "$program" >&2
    printf '  sudo apt-get update && sudo %s\n' "$install" >&2
    exit 3
  fi

  say "installing ${#missing[@]} packages with apt: ${missing[*]}"
  run_apt update
  run_apt install -y --no-install-recommends "${missing[@]}"
}

# Quiet unless it fails.
run_apt() {
  local log
  log=$(DEBIAN_FRONTEND=noninteractive apt-get -q \
    -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" 2>&1 </dev/null) && return
  printf '%s\n' "$log" | tail -n 15 >&2
  stop 3 "'apt-get $*' failed; the end of what it said is above"
}

check_bazel() {
  local output hint=
  output=$(bazel info output_base 2>&1) && return
  printf '%s\n' "$output" | tail -n 5 >&2
  # Where it keeps its files, unless a .bazelrc says otherwise.
  [ -d "${HOME-}" ] && [ -w "$HOME" ] ||
    hint="; its home folder (HOME='${HOME-}') cannot be written"
  stop 3 "Bazel does not start; what it said is above$hint"
}

# What draws and tests the report's plots. Without it reports have tables only.
install_plots() {
  tools/install_web.sh ||
    say "going on without plots; the report will have tables only"
}

shut_down_bazel() {
  [ -n "$server_up" ] || return 0
  server_up=
  bazel shutdown >/dev/null 2>&1 || true
}
