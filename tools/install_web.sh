#!/usr/bin/env bash
# Installs what draws the report's plots (Vega-Lite) and what tests them
# (playwright-core) under validate/web/node_modules, as the lock file says.
# Does nothing when they are there.
#
#   tools/install_web.sh
#
# Exit status: 0 installed; 3 npm is missing or could not install. A report made
# without them has tables only, so callers may go on after a 3.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../validate/web"

# The lock file that was installed, so that a change of it installs anew.
stamp=node_modules/.tilebound-lock
if [[ -f $stamp ]] && cmp -s package-lock.json "$stamp"; then
  exit 0
fi
if ! command -v npm >/dev/null; then
  echo "install_web: npm is missing; apt-get install nodejs npm" >&2
  exit 3
fi
if ! npm ci --no-progress >/dev/null; then
  echo "install_web: npm could not install the plot libraries" >&2
  exit 3
fi
cp package-lock.json "$stamp"
