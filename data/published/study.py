"""What every imported file of the study shares: citation, conditions, notes."""

from surface_text import QUANTUM_NS, Surface

CITATION = (
    'A. Faisal, "Cooperative In-Kernel Priority Handoff Without Cluster '
    'Hardware: A Measurement Study on Ampere GPUs", Aug 2026, repository '
    'AyaanFaisal21/APK, commit 4ee6557')

EXACT_TIMES = (
    'The study prints device times rounded; they are whole quanta of 1.024 us '
    'and stand here as exact multiples (64.51 is 64.512).')

# Events in a cell less the warm-up.
EVENTS = 9900

SOFT_72 = ('bistable placement at one block per SM: the overhead depends on '
           'where the blocks land')
SOFT_PERIOD = ('the period is a template constant, so builds of different '
               'periods differ in code')
SOFT_P99 = ('p99 only: at 288 blocks and period 1 it differs between builds '
            'and cards, 70.7 to 90.1 us')
SOFT_LOADED = 'the mechanism was not isolated'
SOFT_SAG = 'a gain from a small reservation: confounded with clock sag'


def Conditions(clock_mhz, build, card, machine_code):
  return {
      'events': 10000,
      'warmup_events': 100,
      'sm_clock_mhz': clock_mhz,
      'clock_hold': 'locked',
      'build': build,
      'card': card,
      'machine_code': machine_code,
      'timer_quantum_ps': QUANTUM_NS * 1000,
  }


def A10(build, card='an A10', clock_mhz=1200):
  return Conditions(clock_mhz, build, card, 'sm_86')


def A100(build='not stated'):
  return Conditions(1410, build, 'the one A100-SXM4-40GB', 'sm_80')


def Published(name, note, conditions, cells):
  return Surface(name, 'PUBLISHED', CITATION, note, conditions, cells)


def OverheadSoftness(blocks, period):
  if blocks == 72:
    return SOFT_72
  return SOFT_PERIOD if period > 1 else ''


def LatencySoftness(blocks, period):
  return SOFT_P99 if (blocks, period) == (288, 1) else ''
