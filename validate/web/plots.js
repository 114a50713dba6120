// The plots, drawn by Vega-Lite from the rows that the filter leaves.
(() => {
  'use strict';
  const area = document.getElementById('plot-area');
  if (!window.tilebound) {
    area.textContent = 'There are no rows to plot.';
    return;
  }
  const {data, VERDICTS, make, select} = window.tilebound;
  // An SVG slows a browser down from about here.
  const MOST_POINTS = 3000;
  // Okabe and Ito's colours, told apart by all common kinds of colour vision;
  // each verdict has a shape of its own as well.
  const VERDICT_COLOURS = ['#0072B2', '#D55E00', '#CC79A7', '#999999'];
  const VERDICT_SHAPES = ['circle', 'triangle-down', 'triangle-up', 'cross'];
  const SIDE_COLOURS = {
    domain: ['measured', 'predicted'], range: ['#D55E00', '#0072B2']};
  const config = {
    background: 'transparent', font: 'system-ui, sans-serif',
    view: {stroke: null},
    axis: {
      labelColor: 'currentColor', titleColor: 'currentColor',
      domainColor: 'currentColor', tickColor: 'currentColor',
      gridColor: 'currentColor', gridOpacity: 0.15, labelLimit: 120,
    },
    legend: {labelColor: 'currentColor', titleColor: 'currentColor',
             orient: 'bottom', columns: 8, labelLimit: 200},
    title: {color: 'currentColor'},
  };

  const plots = [];
  const addPlot = (id, title, caption, build, control) => {
    const place = make('div', {class: 'plot', id, role: 'img',
                               'aria-label': `${title}. ${caption}`});
    const note = make('p', {class: 'status'});
    const figure = make('figure', {}, make('h3', {}, title));
    if (control) figure.append(make('div', {class: 'controls'}, control));
    figure.append(place, note, make('figcaption', {}, caption));
    plots.push({id, place, note, build});
    return figure;
  };

  const sample = (points) => {
    if (points.length <= MOST_POINTS) return [points, ''];
    const every = Math.ceil(points.length / MOST_POINTS);
    const kept = points.filter((_, i) => i % every === 0);
    return [kept, `${kept.length} of ${points.length} points drawn, one in ${
                      every}; the table has all.`];
  };

  const chosen = (id) => document.getElementById(id)?.value;
  const quantile = () => chosen('plot-quantile') || 'p50';
  const metricName = () => chosen('plot-metric');
  const unitText = (metric) => metric.unit === 'percent' ? '%' : metric.unit;

  const points = (rows) => rows.filter((r) => r.metric.name === metricName())
      .map((r) => {
        const f = r[quantile()];
        return {
          cell: r.label || 'the cell', prediction: r.prediction.name,
          baseline: r.prediction.baseline, measurement: r.measurement.name,
          predicted: f.predicted, measured: f.measured,
          low: f.low, high: f.high, tolerance: f.tolerance,
          error: f.error === null ? null : Math.round(f.error * 10) / 10,
          verdict: VERDICTS[Math.max(f.verdict, 0)], known: f.verdict >= 0,
          axes: r.axes, soft: r.soft ? 'soft' : '',
        };
      });

  const tooltip = (...fields) => [
    {field: 'cell', type: 'nominal'}, ...fields.map((field) => ({
      field, type: ['predicted', 'measured', 'error', 'low', 'high',
                    'overhead', 'latency', 'us', 'share', 'slot']
                       .includes(field) ? 'quantitative' : 'nominal'}))];
  const verdictScale = {domain: VERDICTS, range: VERDICT_COLOURS};
  const shapeScale = {domain: VERDICTS, range: VERDICT_SHAPES};

  const scatter = (rows) => {
    const [kept, note] = sample(points(rows).filter(
        (p) => p.known && p.predicted > 0 && p.measured > 0));
    if (kept.length === 0) {
      return {note: 'No cell that matches has this figure on both sides.'};
    }
    const metric = data.metrics.find((m) => m.name === metricName());
    let low = Infinity, high = 0;
    for (const p of kept) {
      low = Math.min(low, p.predicted, p.measured);
      high = Math.max(high, p.predicted, p.measured);
    }
    low *= 0.85;
    high *= 1.18;
    const band = [];
    for (let i = 0; i <= 80; ++i) {
      const x = low * Math.pow(high / low, i / 80);
      const half = Math.max(metric.quantum || 0, (metric.relative || 0) * x,
                            metric.absolute || 0);
      band.push({x, from: Math.max(x - half, low),
                 to: Math.min(x + half, high)});
    }
    const log = (title) => ({
      type: 'quantitative', scale: {type: 'log', domain: [low, high], nice: false},
      axis: {title, grid: true},
    });
    const unit = unitText(metric);
    return {note, spec: {
      height: 330,
      layer: [
        {data: {values: band}, mark: {type: 'area', opacity: 0.18,
                                      color: '#888888', tooltip: null},
         encoding: {x: {field: 'x', ...log(`measured, ${unit}`)},
                    y: {field: 'from', ...log(`predicted, ${unit}`)},
                    y2: {field: 'to'}}},
        {data: {values: band}, mark: {type: 'line', color: 'currentColor',
                                      strokeWidth: 1, opacity: 0.6},
         encoding: {x: {field: 'x', ...log(`measured, ${unit}`)},
                    y: {field: 'x', ...log(`predicted, ${unit}`)}}},
        {data: {values: kept}, mark: {type: 'point', filled: true, size: 70,
                                      opacity: 0.85},
         encoding: {
           x: {field: 'measured', ...log(`measured, ${unit}`)},
           y: {field: 'predicted', ...log(`predicted, ${unit}`)},
           color: {field: 'verdict', type: 'nominal', scale: verdictScale,
                   title: null},
           shape: {field: 'verdict', type: 'nominal', scale: shapeScale,
                   title: null},
           tooltip: tooltip('measured', 'predicted', 'error', 'verdict',
                            'prediction', 'measurement', 'soft'),
         }},
      ],
    }};
  };

  const axisIndex = (name) => data.axes.indexOf(name);

  const againstBlocks = (rows) => {
    const blocks = axisIndex('blocks');
    if (blocks < 0) return {note: 'All cells have the same number of blocks.'};
    const period = axisIndex('period');
    const series = (p) => p.axes.filter((_, i) => i !== blocks).join(' ');
    const [kept, note] = sample(points(rows).filter((p) => p.measured !== null));
    if (kept.length === 0) return {note: 'No cell that matches has this figure.'};
    const values = kept.map((p) => ({
      ...p, blocks: p.axes[blocks],
      period: period < 0 ? 'all' : String(p.axes[period]), series: series(p),
      // The interval where a histogram gives one, else the tolerance band.
      from: (p.low ?? p.measured) - (p.low === null ? p.tolerance ?? 0 : 0),
      to: (p.high ?? p.measured) + (p.high === null ? p.tolerance ?? 0 : 0),
    }));
    const metric = data.metrics.find((m) => m.name === metricName());
    const positive = values.every((v) => v.from > 0 &&
        (v.predicted === null || v.predicted > 0));
    const y = {type: 'quantitative',
               scale: positive ? {type: 'log'} : {zero: false},
               axis: {title: `${metric.name} ${quantile()}, ${unitText(metric)}`}};
    const x = {field: 'blocks', type: 'quantitative',
               scale: {zero: false}, axis: {title: 'resident blocks'}};
    const periods = [...new Set(values.map((v) => v.period))].sort(
        (a, b) => a.localeCompare(b, 'en', {numeric: true}));
    // In viridis' order, light enough for a dark page.
    const ramp = ['#9467c7', '#3d8fd1', '#2fae73', '#c8a400'];
    // More periods than shapes need no legend: hovering names the cell.
    const legend = periods.length <= 8 ? {} : {legend: null};
    const colour = {field: 'period', type: 'nominal', title: 'period', ...legend,
                    scale: periods.length <= ramp.length ?
                        {domain: periods, range: ramp.slice(0, periods.length)} :
                        {domain: periods, scheme: 'viridis'}};
    return {note, spec: {
      height: 330, data: {values},
      layer: [
        {transform: [{filter: 'isValid(datum.predicted)'}],
         mark: {type: 'line', strokeWidth: 2},
         encoding: {x, y: {field: 'predicted', ...y}, color: colour,
                    detail: [{field: 'series'}, {field: 'prediction'}]}},
        {mark: {type: 'rule', strokeWidth: 2},
         encoding: {x, y: {field: 'from', ...y}, y2: {field: 'to'},
                    color: colour}},
        {mark: {type: 'point', filled: true, size: 55},
         encoding: {x, y: {field: 'measured', ...y}, color: colour,
                    ...(periods.length > 8 ? {} : {
                      shape: {field: 'period', type: 'nominal',
                              title: 'period', scale: {domain: periods}}}),
                    tooltip: tooltip('measured', 'predicted', 'error',
                                     'verdict', 'low', 'high')}},
      ],
    }};
  };

  const heatMap = (rows) => {
    const across = axisIndex(chosen('heat-x')), down = axisIndex(chosen('heat-y'));
    if (across < 0 || down < 0 || across === down) {
      return {note: 'A map needs two different axes that vary.'};
    }
    const sums = new Map();
    for (const p of points(rows)) {
      if (p.error === null || !p.known) continue;
      const key = JSON.stringify([p.axes[across], p.axes[down]]);
      const sum = sums.get(key) ||
          {x: p.axes[across], y: p.axes[down], total: 0, cells: 0};
      sum.total += p.error;
      ++sum.cells;
      sums.set(key, sum);
    }
    const all = [...sums.values()].map(
        (s) => ({...s, error: Math.round(10 * s.total / s.cells) / 10}));
    const [values, note] = sample(all);
    if (values.length === 0) return {note: 'No cell that matches has an error.'};
    const order = (get) => [...new Set(values.map(get))].sort(
        (a, b) => String(a).localeCompare(String(b), 'en', {numeric: true}));
    const top = Math.max(5, ...values.map((v) => Math.abs(v.error)));
    const few = values.length <= 150;
    const axis = (field, title, sort) => ({
      field, type: 'ordinal', sort,
      axis: {title, labelAngle: 0, grid: false}});
    const layer = [{
      mark: {type: 'rect', stroke: 'currentColor', strokeOpacity: 0.25},
      encoding: {
        color: {field: 'error', type: 'quantitative', title: 'error, %',
                scale: {scheme: 'blueorange', domain: [-top, top]}},
        tooltip: [{field: 'x', title: data.axes[across]},
                  {field: 'y', title: data.axes[down]},
                  {field: 'error', title: 'mean error, %'}, {field: 'cells'}],
      }}];
    if (few) {
      layer.push({mark: {type: 'text', fontSize: 11},
                  encoding: {text: {field: 'error', format: '+.1f'},
                             // White on the dark ends of the scale.
                             color: {condition: {
                               test: `abs(datum.error) > ${0.6 * top}`,
                               value: '#ffffff'}, value: '#111111'}}});
    }
    return {note, spec: {
      height: 330, data: {values},
      encoding: {x: axis('x', data.axes[across], order((v) => v.x)),
                 y: axis('y', data.axes[down], order((v) => v.y))},
      layer,
    }};
  };

  const overlay = () => {
    const d = data.distributions[Number(chosen('plot-cell') || 0)];
    if (!d) return {note: 'No cell has a whole distribution on either side.'};
    const side = (name) => d[name].map(
        ([us, share]) => ({us, share, side: name, cell: d.cell}));
    const layer = ['predicted', 'measured'].map((name) => ({
      data: {values: side(name)},
      mark: d[`${name}_whole`] ?
          {type: 'line', interpolate: 'step-after', strokeWidth: 2,
           strokeDash: name === 'predicted' ? [6, 3] : [1, 0]} :
          {type: 'point', filled: true, size: 80, shape: 'diamond'},
      encoding: {
        x: {field: 'us', type: 'quantitative', scale: {zero: false},
            axis: {title: `${d.metric}, us`}},
        y: {field: 'share', type: 'quantitative', scale: {domain: [0, 1]},
            axis: {title: 'share of events up to it', format: '%'}},
        color: {field: 'side', type: 'nominal', scale: SIDE_COLOURS,
                title: null},
        tooltip: tooltip('us', 'share', 'side'),
      },
    }));
    const more = data.distributions_total > data.distributions.length ?
        `The first ${data.distributions.length} of ${
            data.distributions_total} cells with distributions.` :
        '';
    return {note: more, spec: {height: 330, layer}};
  };

  const pareto = (rows) => {
    const cells = new Map();
    for (const row of rows) {
      const key = `${row.cell}`;
      const entry = cells.get(key) || {label: row.label};
      if (row.metric.name === 'latency') entry.latency = row[quantile()];
      if (row.metric.name === 'overhead') entry.overhead = row.p50;
      cells.set(key, entry);
    }
    const all = [];
    for (const {label, latency, overhead} of cells.values()) {
      if (!latency || !overhead) continue;
      for (const side of ['measured', 'predicted']) {
        if (latency[side] === null || overhead[side] === null) continue;
        all.push({cell: label, side, latency: latency[side],
                  overhead: overhead[side]});
      }
    }
    if (all.length === 0) {
      return {note: 'No cell that matches has both latency and overhead.'};
    }
    const [values, note] = sample(all);
    // Nothing is both sooner and cheaper than a point on the front.
    const front = [];
    for (const side of ['measured', 'predicted']) {
      let best = Infinity;
      const sorted = values.filter((v) => v.side === side).sort(
          (a, b) => a.latency - b.latency || a.overhead - b.overhead);
      for (const v of sorted) {
        if (v.overhead < best) {
          best = v.overhead;
          front.push(v);
        }
      }
    }
    const x = {field: 'latency', type: 'quantitative', scale: {type: 'log'},
               axis: {title: `latency ${quantile()}, us`}};
    const y = {field: 'overhead', type: 'quantitative',
               axis: {title: 'overhead, %'}};
    const color = {field: 'side', type: 'nominal', scale: SIDE_COLOURS,
                   title: null};
    return {note, spec: {height: 330, layer: [
      {data: {values: front},
       mark: {type: 'line', interpolate: 'step-after', opacity: 0.6},
       encoding: {x, y, color}},
      {data: {values}, mark: {type: 'point', filled: true, size: 60},
       encoding: {x, y, color,
                  shape: {field: 'side', type: 'nominal', title: null,
                          scale: {domain: SIDE_COLOURS.domain,
                                  range: ['circle', 'diamond']}},
                  tooltip: tooltip('latency', 'overhead', 'side')}},
    ]}};
  };

  const slots = () => {
    if (data.slots.length === 0) {
      return {note: 'No surface has tile times by residency slot.'};
    }
    const encoding = {
      x: {field: 'slot', type: 'ordinal',
          axis: {title: 'residency slot, 0 = oldest', labelAngle: 0}},
      y: {field: 'us', type: 'quantitative', axis: {title: 'tile time, us'}},
      color: {field: 'side', type: 'nominal', scale: SIDE_COLOURS, title: null},
      detail: [{field: 'surface'}, {field: 'cell'}],
    };
    return {note: '', spec: {height: 330, data: {values: data.slots}, layer: [
      {mark: {type: 'line', opacity: 0.6}, encoding},
      {mark: {type: 'point', filled: true, size: 60},
       encoding: {...encoding, tooltip: tooltip('slot', 'us', 'surface')}},
    ]}};
  };

  // Metrics by how many rows have them, the report's own order for ties.
  const counts = new Map();
  for (const row of window.tilebound.rows()) {
    counts.set(row.metric.name, (counts.get(row.metric.name) || 0) + 1);
  }
  const names = [...counts.keys()].sort(
      (a, b) => (b === 'latency') - (a === 'latency') ||
          counts.get(b) - counts.get(a));
  const axisOptions = (first) => {
    const axes = [...data.axes];
    axes.sort((a, b) => (b === first) - (a === first));
    return axes.map((axis) => [axis, axis]);
  };
  area.replaceChildren(
      make('div', {class: 'controls', id: 'plot-controls'},
           select('plot-metric', 'Metric', names.map((name) => [name, name])),
           select('plot-quantile', 'Quantile',
                  [['p50', 'p50, or the value'], ['p99', 'p99']])),
      make('div', {class: 'plots'},
           addPlot('scatter', 'Predicted against measured',
                   'Log axes. The line is equality, the band one quantum or ' +
                   'the declared tolerance. Hover for the cell.', scatter),
           addPlot('blocks', 'Against resident blocks, by period',
                   'Points: measured, with the interval of the quantile or, ' +
                   'without one, the tolerance band. Lines: predicted.',
                   againstBlocks),
           addPlot('heat', 'Error over two axes',
                   'Blue: predicted too low, orange: too high. Cells that ' +
                   'share both values are averaged.', heatMap,
                   make('span', {class: 'controls'},
                        select('heat-x', 'across', axisOptions('blocks')),
                        select('heat-y', 'down', axisOptions('period')))),
           addPlot('overlay', 'Distribution of one cell',
                   'Dashed: predicted. Where only quantiles were published ' +
                   'they are points.', overlay,
                   data.distributions.length === 0 ? null :
                       select('plot-cell', 'Cell', data.distributions.map(
                           (d, i) => [String(i), `${d.cell} ${d.metric}`]))),
           addPlot('pareto', 'Latency against overhead',
                   'Nothing is both sooner and cheaper than the line.', pareto),
           addPlot('slots', 'Tile time by residency slot',
                   'How unequal blocks on one SM are.', slots)));

  let drawing = Promise.resolve();
  const draw = async () => {
    for (const plot of plots) {
      const {spec, note} = plot.build(window.tilebound.rows());
      plot.note.textContent = note || '';
      if (plot.view) plot.view.finalize();
      plot.view = null;
      plot.place.replaceChildren();
      if (!spec) continue;
      const result = await vegaEmbed(plot.place, {
        $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
        width: 'container', autosize: {type: 'fit', contains: 'padding'},
        config, ...spec,
      }, {actions: false, renderer: 'svg', tooltip: {theme: 'custom'}});
      plot.view = result.view;
    }
    document.body.dataset.plots = 'drawn';
  };
  // One drawing after the other, and only the last of a burst.
  let asked = 0;
  const redraw = () => {
    const mine = ++asked;
    delete document.body.dataset.plots;
    drawing = drawing.then(() => mine === asked ? draw() : undefined);
  };
  document.addEventListener('rows', redraw);
  area.addEventListener('change', redraw);
  redraw();
})();
