"""The study's tensor-core table (tc_summary.csv) as one surface.

Each row is one figure; rows of the same arm and K join into a cell.
"""

import csv
import pathlib

from study import A10, EVENTS, EXACT_TIMES, Published
from surface_text import Cell, DeviceTime, Key, Quantiles, Scalar

BLOCKS = 72  # One per SM.

# The study's name of an arm -> fields of the key.
ARMS = {
    'off': dict(arm='NONE'),
    'pe_drain': dict(variant='pipelined_flag'),
    'stage_drain': dict(site='STAGE', variant='pipelined_flag'),
    'stage_drain_syncflag': dict(site='STAGE', variant='sync_flag'),
    'stage_drain_hoistonly': dict(site='STAGE', variant='sync_flag_hoisted'),
    'stage_naive': dict(
        site='STAGE', variant='pipelined_flag', discipline='NAIVE'),
    'stage_poison': dict(
        site='STAGE', variant='pipelined_flag', discipline='POISON'),
    'issue_drain': dict(site='ISSUE', variant='pipelined_flag'),
    'issue_naive': dict(
        site='ISSUE', variant='pipelined_flag', discipline='NAIVE'),
}

# Machine code does not depend on K, so these rows have none.
CODE_K = 256
# From the remarks of the row of stage_drain.
OTHER_INSTRUCTIONS = {
    'stage_naive': 1368,
    'stage_poison': 1376,
    'issue_naive': 1368,
}

OVERHEAD_REPETITIONS = 20
SAFETY_EVENTS = 10000


class _Cells:
  """Metrics by arm and K, in the order of their first mention."""

  def __init__(self):
    self._metrics = {}

  def Add(self, arm, k, metric):
    self._metrics.setdefault((arm, k), []).append(metric)

  def AddQuantile(self, arm, k, name, q, value):
    """Several rows make one metric."""
    metrics = self._metrics.setdefault((arm, k), [])
    for metric in metrics:
      if metric.name == name:
        metric.quantiles[q] = value
        return
    metrics.append(Quantiles(name, {q: value}, EVENTS))

  def List(self):
    return [
        Cell(Key('a10', 'tensor128', k, BLOCKS, **ARMS[arm]), metrics)
        for (arm, k), metrics in self._metrics.items()
    ]


def _Import(row, cells):
  measurement, arm, value = row['measurement'], row['arm'], row['value']
  k = int(row['k'] or CODE_K)
  quantity, _, q = measurement.rpartition('_p')
  if measurement == 'calibrate':
    cells.Add(arm, k, Scalar('tile_time_mean', value))
    rate = row['notes'].split(';')[-1].split()[0]
    cells.Add(arm, k, Scalar('arithmetic_rate', rate))
  elif quantity == 'overhead':
    cells.Add(arm, k, Scalar('overhead', value, OVERHEAD_REPETITIONS))
  elif quantity in ('latency', 'e2e'):
    cells.AddQuantile(arm, k, quantity, f'0.{q}'.rstrip('0'),
                      DeviceTime(value))
  elif measurement == 'safety_corrupt':
    cells.Add(arm, k, Scalar('corrupt', value, SAFETY_EVENTS))
    if arm == 'stage_poison':
      cells.Add(arm, k, Scalar('poison_caught', value, SAFETY_EVENTS))
  elif measurement == 'oracle_dup':
    executions = row['unit'].rpartition('_')[2]
    cells.Add(arm, k, Scalar('executions', executions))
    cells.Add(arm, k, Scalar('duplicates', value, int(executions)))
  elif measurement == 'sass_instructions':
    cells.Add(arm, k, Scalar('sass_instructions', value))
  elif measurement == 'registers':
    arms = ('stage_drain', 'stage_naive', 'stage_poison', 'issue_drain',
            'issue_naive') if arm == 'stage_issue' else (arm,)
    for each in arms:
      cells.Add(each, k, Scalar('registers_per_thread', value))
      cells.Add(each, k, Scalar('blocks_per_sm', 1))
  else:
    raise ValueError(f'tc_summary.csv: no rule for {measurement}')


def A10Tensor(folder):
  cells = _Cells()
  with open(pathlib.Path(folder) / 'tc_summary.csv', newline='') as file:
    for row in csv.DictReader(file):
      _Import(row, cells)
  cells.Add('stage_drain', 256, Scalar('anomalies', 0, EVENTS))
  for arm, instructions in OTHER_INSTRUCTIONS.items():
    cells.Add(arm, CODE_K, Scalar('sass_instructions', instructions))
  note = (
      'Table tc_summary. ' + EXACT_TIMES + ' Tile times are means and stand as '
      'printed. Registers and instruction counts do not depend on K and stand '
      'at K = 256; the count of the issue arms (1368) stands with issue_naive, '
      'the 220 registers of the stage and issue arms with each of them (222 in '
      'the builds with an oracle). Overhead: 20 A-B-B-A repetitions of 100000 '
      'tasks. Reading the flag at each stage costs a round trip of 0.87 us, '
      'reading it one stage ahead leaves 0.24 us a site for barrier and '
      'decision. The registered limits were 1.5 % (boundary) and 4 % (stage): '
      'both failed.')
  conditions = A10('tensor-core build', 'the A10 of box 5, which sags to '
                   'about 1050 MHz under its lock', 1050)
  return Published('a10_tensor128', note, conditions, cells.List())


def All(folder):
  return [A10Tensor(folder)]
