#!/usr/bin/env bash
# Tells Bazel which commit is being built (--workspace_status_command; it runs
# in the workspace). "unknown" outside a git checkout of our own: a release
# archive unpacked inside another project must not take that project's commit.
set -u
export GIT_OPTIONAL_LOCKS=0

commit=unknown
top=$(git rev-parse --show-toplevel 2>/dev/null)
if [ -n "$top" ] && [ "$(cd "$top" && pwd -P)" = "$(pwd -P)" ] &&
  head=$(git rev-parse --verify --quiet HEAD); then
  commit=$head
  # Only what git tracks: a stray result file does not change the build.
  [ -z "$(git status --porcelain --untracked-files=no 2>/dev/null)" ] ||
    commit=$head-dirty
fi
echo "STABLE_GIT_COMMIT $commit"
