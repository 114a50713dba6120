"""Surfaces as textproto, written the same way every time.

A key, a metric, a cell and a surface are plain values; Text() prints a surface
as data/schema/file.proto has it. Python's standard library only, so that the
published figures can be imported again without a build.
"""

import collections
import decimal
import textwrap

QUANTUM_NS = 1024  # One step of %globaltimer on the A10 and the A100.

UNITS = {
    'anomalies': 'count',
    'arithmetic_rate': 'tflop_per_s',
    'backlog_correlation': '1',
    'backlog_slope': 'ns_per_task',
    'blocks_per_sm': 'count',
    'conflicts': 'count',
    'corrupt': 'count',
    'duplicates': 'count',
    'e2e': 'us',
    'executions': 'count',
    'first': 'us',
    'latency': 'us',
    'latency_with_setter': 'us',
    'notification_floor': 'us',
    'notification_loaded': 'us',
    'overhead': 'percent',
    'poison_caught': 'count',
    'rate_loss': 'percent',
    'registers_per_thread': 'count',
    'sass_instructions': 'count',
    'setter_last': 'percent',
    'spread': 'us',
    'tile_time_mean': 'us',
    'tile_wall': 'us',
    'violations': 'count',
    'wait': 'us',
}

Metric = collections.namedtuple('Metric', 'name scalar quantiles n soft')
Cell = collections.namedtuple('Cell', 'key metrics')
Surface = collections.namedtuple('Surface',
                                 'name kind citation note conditions cells')


def Key(part, kernel, k, blocks, **fields):
  """A cell key: tilebound::DefaultCellKey() but for `fields`."""
  key = {
      'part': part,
      'kernel': kernel,
      'k': k,
      'blocks': blocks,
      'site': 'BOUNDARY',
      'period': 1,
      'variant': 'default',
      'discipline': 'DRAIN',
      'arm': 'COOPERATIVE',
      'reserve': 0,
      'urgent_tiles': 1,
      'setter': 'DEVICE',
  }
  unknown = set(fields) - set(key)
  if unknown:
    raise ValueError(f'no such key field: {sorted(unknown)}')
  key.update(fields)
  return key


def Scalar(name, value, n=0, soft=''):
  return Metric(name, str(value), None, n, soft)


def Quantiles(name, values, n=0, soft=''):
  """`values` maps a quantile, as text, to its value, as text."""
  return Metric(name, None, dict(values), n, soft)


def DeviceTime(printed):
  """The exact time behind a rounded print of a device time, in us as text.

  Device times are whole quanta of the timer, so the print's rounding can be
  undone. An error if no whole quantum rounds to what is printed.
  """
  value = decimal.Decimal(printed)
  quantum = decimal.Decimal(QUANTUM_NS) / 1000
  exact = (value / quantum).to_integral_value() * quantum
  # Prints of two decimals may carry a third one, which is then 0.
  places = max(-value.normalize().as_tuple().exponent, 0)
  unit = decimal.Decimal(1).scaleb(-min(places, 2))
  if abs(exact - value) > unit / 2:
    raise ValueError(f'{printed} us is no whole number of {quantum} us')
  return Plain(exact)


def Plain(value):
  """A decimal without exponent and trailing zeros."""
  text = format(decimal.Decimal(value), 'f')
  return text.rstrip('0').rstrip('.') if '.' in text else text


def _String(name, text, indent):
  escaped = text.replace('\\', '\\\\').replace('"', '\\"')
  if len(name) + len(escaped) + len(indent) <= 74:
    return [f'{indent}{name}: "{escaped}"']
  lines = textwrap.wrap(
      escaped, 65, break_on_hyphens=False, break_long_words=False)
  lines = [line + ' ' for line in lines[:-1]] + lines[-1:]
  return [f'{indent}{name}:'] + [f'{indent}    "{line}"' for line in lines]


def _MetricLines(metric):
  unit = UNITS[metric.name]
  lines = [f'      name: "{metric.name}"', f'      unit: "{unit}"']
  if metric.quantiles is None:
    lines.append(f'      scalar: {Plain(metric.scalar)}')
  else:
    q = ', '.join(metric.quantiles)
    values = ', '.join(Plain(v) for v in metric.quantiles.values())
    lines.append(f'      quantiles {{ q: [{q}] value: [{values}] }}')
  if metric.n:
    lines.append(f'      n: {metric.n}')
  if metric.soft:
    lines += _String('soft_reason', metric.soft, '      ')
    if metric.soft.startswith('p99 only'):
      lines.append('      soft_q: 0.99')
  return ['    metrics {'] + lines + ['    }']


def _KeyLines(key):
  strings = ('part', 'kernel', 'variant')
  lines = ['    key {']
  for name, value in key.items():
    if value == 0:
      continue  # What proto3 leaves out.
    lines.append(f'      {name}: "{value}"' if name in
                 strings else f'      {name}: {value}')
  lines += [
      '      arrivals {',
      '        process: UNIFORM',
      '        min_gap_ns: 150000',
      '        max_gap_ns: 400000',
      '      }',
      '      cluster_size: 1',
      '    }',
  ]
  return lines


def _ConditionLines(conditions):
  lines = ['  conditions {']
  for name, value in conditions.items():
    if isinstance(value, str):
      lines += _String(name, value, '    ')
    else:
      lines.append(f'    {name}: {value}')
  return lines + ['  }']


def Text(surface):
  """The file's text."""
  lines = [
      '# proto-file: data/schema/file.proto',
      '# proto-message: tilebound.pb.File',
      '',
      'schema_major: 1',
      'surface {',
      f'  name: "{surface.name}"',
      '  provenance {',
      f'    kind: {surface.kind}',
      '    tool: "data/published/import_study.py"',
  ]
  lines += _String('citation', surface.citation, '    ')
  lines += _String('note', surface.note, '    ')
  lines.append('  }')
  lines += _ConditionLines(surface.conditions)
  for cell in surface.cells:
    lines.append('  cells {')
    lines += _KeyLines(cell.key)
    for metric in cell.metrics:
      lines += _MetricLines(metric)
    lines.append('  }')
  return '\n'.join(lines + ['}', ''])
