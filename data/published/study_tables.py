"""The study's summary tables (CSV) as surfaces, one function per file of ours.

docs/design.md section 11 says how a row maps to a key.
"""

import csv
import pathlib

from study import (A10, A100, EVENTS, EXACT_TIMES, LatencySoftness,
                   OverheadSoftness, Published, SOFT_LOADED, SOFT_SAG)
from surface_text import Cell, DeviceTime, Key, Quantiles, Scalar, Surface

SATURATION = 288  # Blocks of the A10: 4 on each of 72 SMs.


def _Rows(folder, name):
  with open(pathlib.Path(folder) / name, newline='') as file:
    return list(csv.DictReader(file))


def _Times(row, **columns):
  """{'0.5': exact time, ...} from p50='column', ..."""
  return {
      f'0.{q[1:]}'.rstrip('0'): DeviceTime(row[column])
      for q, column in columns.items()
  }


def _Where(row):
  return int(row['blocks']), int(row['poll_every'])


def A10Reference(folder):
  cells = []
  for row in _Rows(folder, 'review2_surface.csv'):
    blocks, period = _Where(row)
    cells.append(
        Cell(Key('a10', 'sgemm64', 64, blocks, period=period), [
            Quantiles(
                'latency',
                _Times(row, p50='lat_excl0_p50_us', p99='lat_excl0_p99_us'),
                EVENTS, LatencySoftness(blocks, period)),
            Scalar(
                'overhead',
                row['overhead_pct'],
                soft=OverheadSoftness(blocks, period)),
        ]))
  note = (
      'Table review2_surface, the reference build. ' + EXACT_TIMES +
      ' Over all builds the study gives 54 to 69 us for the p50 of 288 blocks '
      'at period 1, and about 0 to 3.4 % for the overhead at period 1. A '
      'second A10 reproduced its primary results within 2 %.')
  return Published('a10_reference', note,
                   A10('second build, relaxed atomic flag', 'a third A10'),
                   cells)


def A10FirstBuild(folder):
  spreads = {_Where(r): r for r in _Rows(folder, 'spread_scaling.csv')}
  cells = []
  for row in _Rows(folder, 'phase4_surface.csv'):
    blocks, period = _Where(row)
    spread = spreads.pop((blocks, period))
    if row['first_obs_p50_us'] != spread['first_p50_us']:
      raise ValueError(f'{blocks} blocks, period {period}: the two tables '
                       'disagree on the first observer')
    n = int(spread['n'])
    soft = LatencySoftness(blocks, period)
    cells.append(
        Cell(
            Key('a10',
                'sgemm64',
                64,
                blocks,
                period=period,
                variant='volatile_flag'), [
                    Quantiles(
                        'latency',
                        _Times(
                            row, p50='lat_excl0_p50_us',
                            p99='lat_excl0_p99_us'), n, soft),
                    Quantiles('latency_with_setter',
                              _Times(row, p50='lat_p50_us', p99='lat_p99_us'),
                              n, soft),
                    Quantiles(
                        'first',
                        _Times(spread, p50='first_p50_us', p99='first_p99_us'),
                        n),
                    Quantiles(
                        'spread',
                        _Times(
                            spread,
                            p50='spread_p50_us',
                            p95='spread_p95_us',
                            p99='spread_p99_us'), n),
                    Scalar(
                        'overhead',
                        row['overhead_pct'],
                        soft=OverheadSoftness(blocks, period)),
                    Scalar('setter_last', row['setter_last_pct'], n),
                    Scalar('anomalies', row['anomalies'], n),
                ]))
  if spreads:
    raise ValueError(f'spread_scaling.csv has cells of its own: {spreads}')
  note = ('Tables phase4_surface and spread_scaling, joined by cell. ' +
          EXACT_TIMES)
  return Published('a10_first_build', note,
                   A10('first build, volatile flag'), cells)


def A10ThirdBuild(folder):
  cells = [
      Cell(
          Key('a10', 'sgemm64', 64, int(row['blocks'])), [
              Scalar(
                  'overhead',
                  row['overhead_pct'],
                  soft=OverheadSoftness(int(row['blocks']), 1))
          ]) for row in _Rows(folder, 'phase4_overhead_p3bin.csv')
  ]
  return Published(
      'a10_third_build',
      'Table phase4_overhead_p3bin: overhead at period 1 and nothing else. How '
      'this build reads the flag is not stated; it stands under variant '
      'default.', A10('third build'), cells)


def A10Pareto(folder):
  cells = []
  for row in _Rows(folder, 'pareto.csv'):
    urgent = int(row['U'])
    n = int(row['n'])
    loss = float(row['rate_loss_pct'])
    times = {'0.5': row['e2e_p50_us'], '0.99': row['e2e_p99_us']}
    if row['arm'] == 'coop':
      key = Key('a10', 'sgemm64', 64, SATURATION, urgent_tiles=urgent)
      times = {q: DeviceTime(t) for q, t in times.items()}
    else:
      reserve = int(row['R'])
      # The grid's worker blocks are what the reservation leaves.
      key = Key(
          'a10',
          'sgemm64',
          64,
          SATURATION - reserve,
          arm='RESERVED',
          reserve=reserve,
          urgent_tiles=urgent,
          setter='HOST')
    cells.append(
        Cell(key, [
            Quantiles('e2e', times, n),
            Scalar('rate_loss', row['rate_loss_pct'],
                   soft=SOFT_SAG if loss < 0 else ''),
        ]))
  note = (
      'Table pareto. ' + EXACT_TIMES + ' That holds for arm cooperative. Arm '
      'reserved is host time, not in quanta, and stands as printed, as does its '
      'n of 10000. With R slots held free of 288, the grid has 288 - R worker '
      'blocks, which is what the keys say.')
  return Published('a10_pareto', note, A10('not stated'), cells)


def Visibility(folder, part, name):
  by_blocks = {}
  for row in _Rows(folder, 'visibility.csv'):
    if row['part'] != name:
      continue
    metric = 'notification_' + row['variant']
    soft = SOFT_LOADED if (name, row['variant']) == ('A10', 'loaded') else ''
    by_blocks.setdefault(int(row['blocks']), []).append(
        Quantiles(metric, _Times(row, p50='dmax_p50_us', p99='dmax_p99_us'),
                  EVENTS, soft))
  cells = [
      Cell(Key(part, 'none', 0, blocks, arm='NONE'), metrics)
      for blocks, metrics in sorted(by_blocks.items())
  ]
  note = ('Table visibility: the tile work removed, delay of the last of all '
          'blocks. Floor: the blocks only poll; loaded: they stream DRAM. ' +
          EXACT_TIMES)
  surface = {'A10': 'a10_visibility', 'A100': 'a100_visibility'}[name]
  conditions = A10('not stated') if name == 'A10' else A100()
  return Published(surface, note, conditions, cells)


def HeldOut(folder, part, label, column):
  """Column 'measured_us' or 'predicted_us' of the iid model's held-out test."""
  values = {
      row['quantile']: row[column]
      for row in _Rows(folder, 'heldout_maxofn.csv')
      if row['part'] == label
  }
  short, blocks = label.split('-')
  measured = column == 'measured_us'
  conditions = A10('not stated') if short == 'A10' else A100()
  soft = LatencySoftness(int(blocks), 1) if short == 'A10' and measured else ''
  # The model's own numbers need not be whole quanta.
  times = {
      q: DeviceTime(v) if measured else v for q, v in values.items()
  }
  cell = Cell(
      Key(part, 'sgemm64', 64, int(blocks)),
      [Quantiles('latency', times, EVENTS // 2 if measured else 0, soft)])
  base = ('Table heldout_maxofn: the study fitted a maximum of N independent, '
          'identically distributed draws to half of the events and predicted '
          'the other half. ')
  if measured:
    return Published(
        f'{short.lower()}_heldout_measured',
        base + 'This is the other half as measured; n = 9900 / 2. ' +
        EXACT_TIMES, conditions, [cell])
  conditions = dict(conditions, clock_hold='simulated', sharing='iid')
  surface = Published(
      f'{short.lower()}_heldout_iid',
      base + 'This is the prediction, as printed: the accuracy to beat.',
      conditions, [cell])
  return Surface(**dict(surface._asdict(), kind='PREDICTED'))


def All(folder):
  return [
      A10Reference(folder),
      A10FirstBuild(folder),
      A10ThirdBuild(folder),
      A10Pareto(folder),
      Visibility(folder, 'a10', 'A10'),
      Visibility(folder, 'a100_sxm4_40gb', 'A100'),
      HeldOut(folder, 'a10', 'A10-288', 'measured_us'),
      HeldOut(folder, 'a10', 'A10-288', 'predicted_us'),
      HeldOut(folder, 'a100_sxm4_40gb', 'A100-432', 'measured_us'),
      HeldOut(folder, 'a100_sxm4_40gb', 'A100-432', 'predicted_us'),
  ]
