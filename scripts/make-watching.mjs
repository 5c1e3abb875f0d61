// Makes ops/grafana/peyk.json and ops/prometheus/peyk.rules.yml from the table of metrics (src/metrics). Run by `npm run watching`;
// test/watching.test.ts compares the files with the table.
import { writeFileSync } from 'node:fs';

const width = 24;
const perLine = 3;
const height = 8;
const source = { type: 'prometheus', uid: 'peyk' };

/** @param groups rows of the dashboard: name → metrics */
export function dashboardText(groups) {
  const panels = [];
  let y = 0;
  for (const [title, metrics] of Object.entries(groups)) {
    panels.push({ id: panels.length + 1, type: 'row', title, collapsed: false, gridPos: { h: 1, w: width, x: 0, y } });
    y++;
    const drawn = Object.values(metrics).filter(metric => metric.drawn);
    for (const [i, { drawn: drawing, meaning }] of drawn.entries()) {
      const w = width / perLine;
      const gridPos = { h: height, w, x: (i % perLine) * w, y: y + Math.floor(i / perLine) * height };
      panels.push(panelOf(panels.length + 1, drawing, meaning, gridPos));
    }
    y += Math.ceil(drawn.length / perLine) * height;
  }
  const dashboard = {
    uid: 'peyk',
    title: 'Peyk',
    tags: ['peyk'],
    timezone: 'browser',
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    panels,
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

function panelOf(id, { title, unit, lines }, description, gridPos) {
  return {
    id,
    type: 'timeseries',
    title,
    description,
    datasource: source,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: lines.map(([expr, legendFormat], i) => ({
      refId: String.fromCharCode(65 + i),
      datasource: source,
      expr,
      legendFormat,
    })),
  };
}

export function rulesText(alerts) {
  const rules = alerts.map(
    ({ name, expression, for: time, severity, says, do: action }) => `      - alert: ${name}
        expr: ${quoted(expression)}
        for: ${time}
        labels: { severity: ${severity} }
        annotations:
          summary: ${quoted(says)}
          action: ${quoted(action)}
          runbook_url: ${quoted(`{{ $externalLabels.panel_url }}/docs/en/runbook#${name.toLowerCase()}`)}
`,
  );
  return `# Made by npm run watching from src/metrics. Do not edit; each alert has its section in docs/runbook.md,
# which every installation serves: external_labels in prometheus.yml name its address.
groups:
  - name: peyk
    rules:
${rules.join('')}`;
}

function quoted(text) {
  return `'${text.replaceAll("'", "''")}'`;
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const { alerts, metricGroups } = await import(new URL('../dist/src/metrics/table.js', import.meta.url).href);
  writeFileSync(new URL('../ops/grafana/peyk.json', import.meta.url), dashboardText(metricGroups));
  writeFileSync(new URL('../ops/prometheus/peyk.rules.yml', import.meta.url), rulesText(alerts));
}
