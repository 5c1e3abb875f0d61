// `npm run interop:prometheus`: Prometheus reads the program's metrics with the configuration and the alert rules of
// `ops`, and answers every query of the dashboard. A healthy program raises no alert. Not part of `npm test`:
// Prometheus comes from the system's packages.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { end, numbersFrom, startProgram } from '../bench/program.mjs';
import { atEnd, check, expectSoon, runChecks } from './interop-checks.mjs';
import { freePorts, loopback } from './kannel-peer.mjs';

const ops = name => fileURLToPath(new URL(`../ops/${name}`, import.meta.url));
const token = 'prometheus-interop-token';

function promtool(...args) {
  const done = spawnSync('promtool', args, { encoding: 'utf8' });
  if (done.error)
    throw new Error('promtool is missing: install Prometheus (Debian, Ubuntu: apt-get install prometheus)');
  check(`promtool ${args[0]} ${args[1]}`, done.status === 0, (done.stdout + done.stderr).trim().split('\n').at(-1));
}

/** The configuration of `ops`, adapted to the program and the files of this run. */
function configuration(folder, address) {
  const config = parse(readFileSync(ops('prometheus/prometheus.yml'), 'utf8'));
  config.global = { scrape_interval: '1s', evaluation_interval: '1s' };
  config.rule_files = [ops('prometheus/peyk.rules.yml')];
  const [peyk] = config.scrape_configs;
  peyk.authorization.credentials_file = join(folder, 'token');
  peyk.static_configs[0].targets = [address];
  writeFileSync(join(folder, 'token'), token);
  const path = join(folder, 'prometheus.yml');
  writeFileSync(path, stringify(config));
  return path;
}

async function startPrometheus(folder, config) {
  const [port] = await freePorts(1);
  const args = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'series')}`,
    `--web.listen-address=${loopback}:${port}`,
    '--log.level=error',
  ];
  const child = spawn('prometheus', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  atEnd(() => end(child, 'SIGTERM'));
  return async (path, parameters = {}) => {
    const url = new URL(`http://${loopback}:${port}/api/v1/${path}`);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return (await fetch(url)).json().catch(error => ({ status: 'error', error: error.message }));
  };
}

function dashboardQueries() {
  const { panels } = JSON.parse(readFileSync(ops('grafana/peyk.json'), 'utf8'));
  return panels.flatMap(panel => (panel.targets ?? []).map(target => [panel.title, target.expr]));
}

await runChecks(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'peyk-prometheus-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const program = await startProgram({ PEYK_METRICS_TOKEN: token, PEYK_METRICS_ADDRESSES: '' });
  atEnd(() => program.stop());
  const config = configuration(folder, new URL(program.ready.api).host);
  promtool('check', 'rules', ops('prometheus/peyk.rules.yml'));
  promtool('check', 'config', config);
  const ask = await startPrometheus(folder, config);
  const sent = await program.call('send-sms', program.order(numbersFrom(905_550_000_000, 500), 'watched'));
  check('an order of 500 is accepted while it is watched', sent.code === 200, sent.message);

  const scalar = async query => (await ask('query', { query })).data?.result?.[0]?.value?.[1];
  await expectSoon('Prometheus reads the metrics with the token', async () => (await scalar('up{job="peyk"}')) === '1');
  await expectSoon('and sees the 500 settled', async () => Number(await scalar('sum(peyk_settled_total)')) >= 500);
  const queries = dashboardQueries();
  const empty = [];
  for (const [title, query] of queries) {
    const { status, error, data } = await ask('query', { query });
    if (status !== 'success') check(`${title}: ${query}`, false, error);
    else if (data.result.length === 0) empty.push(title);
  }
  check(
    `all ${queries.length} queries of the dashboard are answered`,
    true,
    `${empty.length} of them have nothing to show yet`,
  );
  const rules = async () => (await ask('rules')).data?.groups?.flatMap(group => group.rules) ?? [];
  await expectSoon('every alert rule is evaluated', async () => {
    const all = await rules();
    return all.length > 0 && all.every(rule => rule.health === 'ok');
  });
  const alarmed = (await rules()).filter(rule => rule.state !== 'inactive').map(rule => `${rule.name} ${rule.state}`);
  check(
    `none of ${(await rules()).length} alerts is about to sound of a healthy program`,
    alarmed.length === 0,
    alarmed.join(', '),
  );
});
