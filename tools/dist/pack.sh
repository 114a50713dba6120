#!/bin/sh
# Packs files into a tarball that is the same whenever and wherever it is made.
#
#   pack.sh OUT FILE...
#
# Files under data/ keep their place; the guard's go to guard/; all others stand
# at the top.
set -eu
out=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
top=$folder/tilebound
mkdir -p "$top/guard"
for file in "$@"; do
  case $file in
  */bin/data/*) cp -L "$file" "$top/" ;;
  data/*)
    mkdir -p "$top/$(dirname "$file")"
    cp -L "$file" "$top/$file"
    ;;
  gpu/guard/* | gpu/kernels/*) cp -L "$file" "$top/guard/" ;;
  *) cp -L "$file" "$top/" ;;
  esac
done
chmod -R u+w,a+rX "$top"
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner \
  -C "$folder" -cf - tilebound | gzip -n >"$out"
