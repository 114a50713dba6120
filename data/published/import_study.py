#!/usr/bin/env python3
"""Writes the published surfaces from the study's summary tables.

  python3 data/published/import_study.py FOLDER_OF_CSV [OUT_FOLDER]

OUT_FOLDER is this script's folder if not given. The output depends on the input
alone: a second run writes the same bytes. Figures that the study has only in
prose stand in study_prose.py.
"""

import pathlib
import sys

import study_prose
import study_tables
import study_tensor
from surface_text import Text


def main(arguments):
  if not 1 <= len(arguments) <= 2 or arguments[0].startswith('-'):
    print(__doc__, file=sys.stderr)
    return 0 if arguments in (['--help'], ['-h']) else 2
  folder = pathlib.Path(arguments[0])
  out = pathlib.Path(arguments[-1]) if len(arguments) == 2 else pathlib.Path(
      __file__).parent
  try:
    surfaces = (
        study_tables.All(folder) + study_tensor.All(folder) + study_prose.All())
  except (OSError, KeyError, ValueError) as error:
    print(f'import_study: {error}', file=sys.stderr)
    return 2
  for surface in surfaces:
    (out / f'{surface.name}.textproto').write_text(Text(surface))
  print(f'{len(surfaces)} files, '
        f'{sum(len(s.cells) for s in surfaces)} cells in {out}')
  return 0


if __name__ == '__main__':
  sys.exit(main(sys.argv[1:]))
