"""Figures that the study gives in prose and summary tables without a CSV."""

from study import A10, A100, EVENTS, EXACT_TIMES, Published
from surface_text import Cell, DeviceTime, Key, Quantiles, Scalar

A10_PART = 'a10'
A100_PART = 'a100_sxm4_40gb'


def _Device(name, n=EVENTS, **times):
  """Quantiles of a device time: p50='17.4', p99='22.5'."""
  return Quantiles(
      name,
      {f'0.{q[1:]}'.rstrip('0'): DeviceTime(t) for q, t in times.items()}, n)


def A10Calibration():

  def Alone(k, tile_time_us):
    return Cell(
        Key(A10_PART, 'sgemm64', k, 72, arm='NONE'),
        [Scalar('tile_time_mean', tile_time_us)])

  cells = [
      Alone(32, '6.7'),
      Alone(64, '10.3'),
      Alone(128, '17.8'),
      Cell(
          Key(A10_PART, 'sgemm64', 64, 288, arm='NONE'), [
              Scalar('tile_time_mean', '25.4'),
              Quantiles('tile_wall', {'0.99': '57.6'}),
              Scalar('blocks_per_sm', 4),
          ]),
  ]
  return Published(
      'a10_calibration',
      'Tile times without preemption. 72 blocks are one per SM, 288 are '
      'saturation, where the mean is that of throughput. How many tiles stand '
      'behind them is not stated.', A10('not stated'), cells)


def A10Baseline():

  def Wait(blocks, quantiles, *more):
    return Cell(
        Key(A10_PART, 'sgemm64', 64, blocks, arm='NONE', setter='HOST'),
        [Quantiles('wait', quantiles)] + list(more))

  cells = [
      Wait(72, {'0.5': '26'}),
      Wait(287, {'0.5': '76'}),
      Wait(288, {
          '0.5': '957',
          '0.99': '1476'
      }, Scalar('backlog_slope', '88.1'),
           Scalar('backlog_correlation', '0.993')),
  ]
  return Published(
      'a10_baseline',
      'Wait of an urgent kernel that the host launches beside a grid without '
      'checkpoints: at saturation (288 blocks), with one slot open (287), and '
      'at one block per SM (72). The two single figures are taken for medians. '
      'The slope is the wait added by each task still queued.',
      A10('not stated'), cells)


def _Pipelined(part, blocks, boundary, stage, safety):
  """Cells of the cp.async tile; boundary and stage are lists of metrics."""

  def At(site, discipline='DRAIN'):
    return Key(
        part, 'sgemm64_cpasync', 64, blocks, site=site, discipline=discipline)

  cells = []
  if boundary:
    cells.append(Cell(At('BOUNDARY'), boundary))
  cells.append(Cell(At('STAGE'), stage))
  cells += [Cell(At(*where), metrics) for where, metrics in safety]
  return cells


def A10Pipelined():
  safety = [
      (('ISSUE', 'NAIVE'),
       [Scalar('corrupt', 0, 6376),
        Scalar('conflicts', 6376)]),
      (('STAGE', 'POISON'), [Scalar('poison_caught', 10000, 10000)]),
  ]
  cells = _Pipelined(
      A10_PART, 288,
      [_Device('latency', p50='50.2', p99='58.4'),
       Scalar('overhead', '2.0')], [
           _Device('latency', p50='17.4', p99='22.5'),
           Scalar('overhead', '5.0'),
           Scalar('corrupt', 0, 28859),
           Scalar('conflicts', 28859),
       ], safety)
  return Published(
      'a10_sgemm64_cpasync',
      'The cp.async tile. K = 64 and saturation are not repeated beside these '
      'figures and are taken from the others. Safety: none of 28859 yields '
      'with conflicting buffers under the drain discipline was corrupt '
      '(attributed to stage sites), none of 6376 forced conflicts under the '
      'naive one (attributed to issue sites, where copies are certainly in '
      'flight), and all of 10000 poisoned outputs were caught. ' + EXACT_TIMES,
      A10('not stated'), cells)


def A10PipelinedOtherBuild():
  return Published(
      'a10_sgemm64_cpasync_other_build',
      'Stage sites of the cp.async tile in another build. ' + EXACT_TIMES,
      A10('another build, not named'),
      _Pipelined(A10_PART, 288, [],
                 [_Device('latency', p50='18.4', p99='23.6')], []))


def A10Oracle():
  soft = ('a total over the arms of the study, rounded by it; not of this '
          'cell alone')
  cell = Cell(
      Key(A10_PART, 'sgemm64', 64, 288), [
          Scalar('executions', 185000000, soft=soft),
          Scalar('duplicates', 0, 185000000, soft=soft),
          Scalar('violations', 0, 40000, soft=soft),
      ])
  return Published(
      'a10_oracle',
      'The scheduler oracle: about 185 million task executions, each exactly '
      'once, and 40000 events without violation. The study gives the total '
      'only; a10_tensor128 has two of its parts.', A10('not stated'), [cell])


def A100Tile():

  def At(blocks, **fields):
    return Key(A100_PART, 'sgemm64', 64, blocks, **fields)

  def Reserved(urgent, e2e_us):
    return Cell(
        At(432 - 8, arm='RESERVED', reserve=8, urgent_tiles=urgent,
           setter='HOST'), [Quantiles('e2e', {'0.5': e2e_us})])

  cells = [
      Cell(At(108, arm='NONE'), [Scalar('tile_time_mean', '7.8')]),
      Cell(At(432, arm='NONE'), [Scalar('blocks_per_sm', 4)]),
      Cell(
          At(432), [
              _Device('latency', p50='55.3', p99='64.5'),
              _Device('e2e', p50='15.4'),
          ]),
      Cell(At(432, urgent_tiles=16), [_Device('e2e', p50='34.8')]),
      Reserved(1, '90'),
      Reserved(16, '175'),
  ]
  return Published(
      'a100_sgemm64',
      'The sm_80 anchor. 108 blocks are one per SM, 432 are saturation. '
      'Reserved e2e is host time, as printed; with R slots held free of 432, '
      'the grid has 432 - R worker blocks. The overhead at period 1 is given '
      'as a range, 2.5 to 5.3 %. ' + EXACT_TIMES, A100(), cells)


def A100Pipelined():
  return Published(
      'a100_sgemm64_cpasync',
      'Stage sites of the cp.async tile on sm_80, K = 64 and saturation as on '
      'the A10. ' + EXACT_TIMES, A100(),
      _Pipelined(
          A100_PART, 432, [],
          [_Device('latency', p50='16.4', p99='21.5'),
           Scalar('overhead', '2.5')], []))


def All():
  return [
      A10Calibration(),
      A10Baseline(),
      A10Pipelined(),
      A10PipelinedOtherBuild(),
      A10Oracle(),
      A100Tile(),
      A100Pipelined(),
  ]
