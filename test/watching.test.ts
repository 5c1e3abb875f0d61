// The table of metrics, the files generated from it and the runbook agree.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { alerts, metricGroups, metricList } from '../src/metrics/table.ts';
import { queriedIn } from './support/program/metrics.ts';
import { root } from './support/sources/sources.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const script = new URL('../scripts/make-watching.mjs', import.meta.url).href;
const made = (await import(script)) as {
  dashboardText(groups: object): string;
  rulesText(all: object): string;
};

test('dashboards and alert rules are those of the table: npm run watching makes them', () => {
  expect(read('ops/grafana/peyk.json')).toBe(made.dashboardText(metricGroups));
  expect(read('ops/prometheus/peyk.rules.yml')).toBe(made.rulesText(alerts));
});

test('rules are well-formed, and each alert has a name of its own', () => {
  const { groups } = parse(read('ops/prometheus/peyk.rules.yml')) as { groups: { rules: { alert: string }[] }[] };
  const names = groups[0]!.rules.map(one => one.alert);
  expect(names).toEqual(alerts.map(one => one.name));
  expect(new Set(names).size).toBe(names.length);
  for (const alert of alerts) expect(alert.for, alert.name).toMatch(/^\d+[mh]$/);
});

test('dashboards and alerts use metrics of the table only, and every metric is used', () => {
  const queried = queriedIn(read('ops/grafana/peyk.json') + read('ops/prometheus/peyk.rules.yml'));
  expect([...queried].sort()).toEqual(metricList.map(([name]) => name).sort());
});

test('labels in a query are labels of its metric', () => {
  const queries = metricList.flatMap(([, one]) => [
    ...(one.alerts ?? []).map(alert => alert.expression),
    ...(one.drawn?.lines ?? []).map(([query]) => query),
  ]);
  const usual = ['le', 'instance', 'job'];
  for (const query of queries) {
    const labels = [...query.matchAll(/by \(([^)]*)\)|\{([^}]*)\}/g)].flatMap(found =>
      (found[1] ?? found[2])!.split(',').map(one => one.trim().split('=')[0]!),
    );
    const known = metricList.filter(([name]) => queriedIn(query).has(name)).flatMap(([, one]) => [...one.labels]);
    expect(
      labels.filter(one => ![...usual, ...known].includes(one)),
      query,
    ).toEqual([]);
  }
});

test('every alert has its section in the runbook: what it means, how to look, what to do; and there are no others', () => {
  const sections = read('docs/runbook.md').split('\n### ').slice(1);
  const named = new Map(sections.map(one => [one.slice(0, one.indexOf('\n')), one]));
  expect([...named.keys()].sort()).toEqual(alerts.map(one => one.name).sort());
  for (const [name, text] of named)
    for (const part of ['**Means**', '**Look**', '**Do**']) expect(text, `${name} ${part}`).toContain(part);
});
