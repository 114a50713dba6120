// The filterable table of cells. Everything else on the page works without it.
// Plots (plots.js) listen to the 'rows' event, so that a filter holds for both.
(() => {
  'use strict';
  const VERDICTS = ['AGREES', 'OPTIMISTIC', 'PESSIMISTIC', 'NOT COMPARED'];
  const KINDS = ['good', 'low', 'high', 'none'];
  const PAGE = 50;
  const data =
      JSON.parse(document.getElementById('report-data').textContent);

  const figure = (row, at) => ({
    predicted: row[at], measured: row[at + 1], low: row[at + 2],
    high: row[at + 3], tolerance: row[at + 4], verdict: row[at + 5],
  });
  const text = (index) => index < 0 ? '' : data.texts[index];

  // Error in percent of the measured value; points for figures in percent.
  const error = (f, unit) => {
    if (f.predicted === null || f.measured === null) return null;
    if (unit === 'percent') return f.predicted - f.measured;
    return f.measured === 0 ? null :
                              100 * (f.predicted - f.measured) / f.measured;
  };

  // Of the two verdicts the one to worry about.
  const combined = (row) => {
    const both = [row.p50.verdict, row.p99.verdict].filter((v) => v >= 0);
    const wrong = both.filter((v) => v === 1 || v === 2);
    if (wrong.length > 0) return wrong[0];
    return both.includes(0) ? 0 : 3;
  };

  // Names the quantile where the two differ: "p99 OPTIMISTIC".
  const verdictText = (row) => {
    const a = row.p50.verdict, b = row.p99.verdict;
    if (a < 0 || b < 0 || a === b) return VERDICTS[row.verdict];
    return [['p50', a], ['p99', b]].filter(([, v]) => v !== 0)
        .map(([q, v]) => `${q} ${VERDICTS[v]}`).join(', ');
  };

  const rows = data.rows.map((raw) => {
    const n = data.axes.length;
    const metric = data.metrics[raw[n + 3]];
    const row = {
      axes: raw.slice(0, n), cell: raw[n],
      prediction: data.predicted[raw[n + 1]],
      measurement: data.measured[raw[n + 2]],
      metric, slot: raw[n + 4], n: raw[n + 5],
      p50: figure(raw, n + 6), p99: figure(raw, n + 12),
      soft: text(raw[n + 18]), reason: text(raw[n + 19]),
    };
    row.p50.error = error(row.p50, metric.unit);
    row.p99.error = error(row.p99, metric.unit);
    row.verdict = combined(row);
    row.label = data.axes.map((axis, i) => `${axis}=${row.axes[i]}`).join(' ');
    return row;
  });

  const several = (list) => new Set(list).size > 1;
  const sources = [...new Set(rows.map((r) => r.prediction.name))];
  const showPrediction = several(rows.map((r) => r.prediction.name));
  const showMeasurement = several(rows.map((r) => r.measurement.name));
  const round = (value, digits) =>
      value === null || value === undefined ? null : Number(
          value.toFixed(digits));

  const columns = [
    ...data.axes.map((axis, i) => ({name: axis, get: (r) => r.axes[i]})),
    ...(showPrediction ?
            [{name: 'prediction', get: (r) => r.prediction.name}] :
            []),
    ...(showMeasurement ?
            [{name: 'measurement', get: (r) => r.measurement.name}] :
            []),
    {name: 'metric', get: (r) => r.metric.name +
            (r.metric.name === 'tile_time' ? ` slot ${r.slot}` : '') +
            (r.metric.unit === '1' ? '' : `, ${r.metric.unit}`)},
    {name: 'verdict', get: verdictText, kind: true},
    // A metric that is one number stands under p50.
    ...['p50', 'p99'].flatMap((q) => [
      {name: `${q} predicted`, number: true,
       get: (r) => round(r[q].predicted, 2)},
      {name: `${q} measured`, number: true,
       get: (r) => round(r[q].measured, 2)},
      {name: `${q} error %`, number: true, get: (r) => round(r[q].error, 1)},
    ]),
    {name: 'remark', get: (r) => [r.soft && `soft: ${r.soft}`, r.reason]
            .filter(Boolean).join('; ')},
  ];
  const haystack = new Map();
  const searchable = (row) => {
    if (!haystack.has(row)) {
      haystack.set(row, ' ' + [
        row.label, row.metric.name, row.prediction.name, row.measurement.name,
        VERDICTS[row.verdict], row.soft, row.reason,
      ].join(' ').toLowerCase() + ' ');
    }
    return haystack.get(row);
  };

  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  };
  const select = (id, label, options) => {
    const control = make('select', {id});
    for (const [value, name] of options) {
      control.append(make('option', {value}, name));
    }
    return make('label', {for: id}, label, control);
  };

  const model = sources.filter(
      (name) => !data.predicted.find((p) => p.name === name).baseline);
  const controls = make(
      'div', {class: 'controls', role: 'search'},
      make('label', {for: 'filter'}, 'Filter: words and axis=value, all must match',
           make('input', {id: 'filter', type: 'search', size: '42',
                          placeholder: 'blocks=288 optimistic'})),
      select('filter-metric', 'Metric',
             [['', 'all'], ...[...new Set(rows.map((r) => r.metric.name))].map(
                               (name) => [name, name])]),
      select('filter-verdict', 'Verdict',
             [['', 'all'], ...VERDICTS.map((name, i) => [String(i), name])]),
      select('filter-source', 'Prediction',
             [...(model.length !== sources.length && model.length > 0 ?
                      [['model', 'the model']] :
                      []),
              ['', 'all'], ...sources.map((name) => [`=${name}`, name])]));
  const status = make('p', {class: 'status', role: 'status'});
  const table = make('table', {id: 'cell-table'});
  const previous = make('button', {type: 'button'}, 'Previous');
  const next = make('button', {type: 'button'}, 'Next');
  const pager = make('div', {class: 'controls'}, previous, next);
  const explorer = document.getElementById('explorer');
  if (!explorer || rows.length === 0) return;
  explorer.append(controls, status,
                  make('div', {class: 'scroll', tabindex: '0'}, table), pager);
  document.getElementById('static-cells').hidden = true;

  let shown = rows;
  let page = 0;
  let order = {column: -1, down: false};

  const matches = (row, words, metric, verdict, source) => {
    if (metric && row.metric.name !== metric) return false;
    if (verdict && row.verdict !== Number(verdict)) return false;
    if (source === 'model' && row.prediction.baseline) return false;
    if (source.startsWith('=') && row.prediction.name !== source.slice(1)) {
      return false;
    }
    // axis=value matches the whole value: blocks=16 is not blocks=160.
    return words.every((word) => searchable(row).includes(
        word.includes('=') ? ` ${word} ` : word));
  };

  const compare = (a, b) => {
    if (a === b) return 0;
    if (a === null || a === '') return 1;
    if (b === null || b === '') return -1;
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    return String(a).localeCompare(String(b), 'en', {numeric: true});
  };

  const draw = () => {
    const from = page * PAGE;
    const body = make('tbody');
    for (const row of shown.slice(from, from + PAGE)) {
      const line = make('tr');
      for (const column of columns) {
        const value = column.get(row);
        const cell = make('td');
        if (column.kind) {
          cell.append(make('span', {class: `mark ${KINDS[row.verdict]}`}, value));
        } else {
          if (column.number || typeof value === 'number') {
            cell.className = 'number';
          }
          cell.textContent = value === null ? '-' : String(value);
        }
        line.append(cell);
      }
      body.append(line);
    }
    const head = make('tr');
    columns.forEach((column, i) => {
      const button = make('button', {type: 'button'}, column.name);
      button.addEventListener('click', () => {
        order = {column: i, down: order.column === i && !order.down};
        update(false);
        table.querySelectorAll('th button')[i].focus();
      });
      const sorted = order.column !== i ? 'none' :
          order.down                    ? 'descending' :
                                          'ascending';
      head.append(make('th', {scope: 'col', 'aria-sort': sorted}, button));
    });
    table.replaceChildren(make('thead', {}, head), body);
    previous.disabled = page === 0;
    next.disabled = from + PAGE >= shown.length;
    const last = Math.min(from + PAGE, shown.length);
    const all = data.rows_total > rows.length ?
        `${rows.length} rows kept here of ${data.rows_total} in report.json` :
        `${rows.length} rows`;
    status.textContent = shown.length === 0 ?
        `No row matches; ${all}.` :
        `Rows ${from + 1} to ${last} of ${shown.length} that match; ${all}.`;
  };

  const update = (refilter = true) => {
    if (refilter) {
      const words = document.getElementById('filter')
                        .value.toLowerCase().split(/\s+/).filter(Boolean);
      const chosen = (id) => document.getElementById(id).value;
      shown = rows.filter((row) => matches(
          row, words, chosen('filter-metric'), chosen('filter-verdict'),
          chosen('filter-source')));
    }
    if (order.column >= 0) {
      const get = columns[order.column].get;
      const sign = order.down ? -1 : 1;
      shown = [...shown].sort((a, b) => sign * compare(get(a), get(b)));
    }
    page = 0;
    draw();
    if (refilter) {
      document.dispatchEvent(new CustomEvent('rows', {detail: shown}));
    }
  };

  previous.addEventListener('click', () => { --page; draw(); });
  next.addEventListener('click', () => { ++page; draw(); });
  let wait = 0;
  controls.addEventListener('input', () => {
    clearTimeout(wait);
    wait = setTimeout(update, 120);
  });
  window.tilebound = {data, rows: () => shown, VERDICTS, make, select};
  update();
})();
