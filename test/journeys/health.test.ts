// What a load balancer and a monitor see: life means progress, readiness means a database, metrics without personal data.
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbedded } from '../../src/db/embedded/server.ts';
import { silentLog } from '../../src/log.ts';
import { metricList } from '../../src/metrics/table.ts';
import { panelHeader } from '../../src/panel-api/contract/facts.ts';
import { selfSigned } from '../../src/smpp/self-signed.ts';
import { SmppCustomer } from '../support/customers/smpp-customer.ts';
import { traceCollector } from '../support/peers/trace-collector.ts';
import { hasValue, queriedIn, valueIn } from '../support/program/metrics.ts';
import { signalQuietly } from '../support/program/processes.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { temporaryFolder } from '../support/run/temporary-folder.ts';
import { wait } from '../support/run/wait.ts';
import { root } from '../support/sources/sources.ts';

const folder = temporaryFolder();
const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
const first = selfSigned();

function place({ cert, key }: { cert: string; key: string }): void {
  writeFileSync(files.key, key);
  writeFileSync(files.cert, cert);
}

let program: Program;
let customer: Customer;
let collector: Awaited<ReturnType<typeof traceCollector>>;

beforeAll(async () => {
  place(first);
  const tls = { PEYK_TLS_CERT: files.cert, PEYK_TLS_KEY: files.key, PEYK_TLS_PORT: '0' };
  collector = await traceCollector();
  const tracing = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector=Bearer%20a=b',
    OTEL_TRACES_SAMPLER_ARG: '0',
  };
  const env = { ...tls, ...tracing, PEYK_WORKERS: '2' };
  const backups = { PEYK_BACKUP: join(folder, 'backups'), PEYK_BACKUP_LAG_SECONDS: '1' };
  program = await startProgram({ env: { ...env, ...backups, PEYK_SMPP_PORT: '0', PEYK_SMPP_TLS_PORT: 'off' } });
  customer = await program.account();
});

async function health(
  path: string,
  api = program.ready.api,
): Promise<{ code: number; body: { live?: boolean; stalled?: string[]; ready?: boolean } }> {
  const answer = await fetch(api + path);
  return { code: answer.status, body: (await answer.json()) as { live?: boolean } };
}

test('a running program lives and is ready', async () => {
  expect(await health('/health/live')).toEqual({ code: 200, body: { live: true, stalled: [] } });
  expect(await health('/health/ready')).toEqual({ code: 200, body: { ready: true } });
});

/** With a connection of its own: the next worker answers. */
async function overTls(ca: string): Promise<number> {
  const asked = request(`${program.ready.tls}/health/live`, { ca, agent: false });
  asked.end();
  const [answer] = await once(asked, 'response');
  answer.resume();
  return answer.statusCode;
}

test('over TLS every worker serves with the given certificate, and with the next one when the files change', async () => {
  for (let i = 0; i < 4; i++) expect(await overTls(first.cert)).toBe(200);
  const next = selfSigned();
  place(next);
  const tries = () => Promise.all([1, 2, 3, 4].map(() => overTls(next.cert)));
  await wait('both workers to show it', () => tries().catch(() => undefined));
});

/** One message, by a customer that stays bound. */
async function submitOverSmpp(): Promise<void> {
  const { systemId, password } = await program.cli<{ systemId: string; password: string }>(
    ...['smpp', 'add', customer.id, '--addresses', '127.0.0.1'],
  );
  bound = await SmppCustomer.bind(Number(program.ready.smpp!.split(':').at(-1)), { systemId, password });
  await bound.submit('905550001234', 'Gizli metin', { source_addr: 'APITEST' });
}
let bound: SmppCustomer | undefined;
afterAll(() => bound?.destroy());

const dashboards = ['ops/grafana/peyk.json', 'ops/prometheus/peyk.rules.yml']
  .map(path => readFileSync(join(root, path), 'utf8'))
  .join('\n');

test('metrics count what happened, contain all that dashboards and alerts use, and show no number, text or key', async () => {
  const id = await customer.send('Gizli metin', ['5550001234']);
  await customer.finished(id);
  await submitOverSmpp();
  await fetch(`${program.ready.panel}api/none`, { method: 'POST' });
  const read = async () => (await fetch(`${program.ready.api}/metrics`)).text();
  const text = await wait('the metrics', async () => {
    const found = await read();
    // The chunk of a message ends a moment after the message.
    if (valueIn(found, 'peyk_queue_messages', 'lane="transactional",cell="0"') !== 0) return undefined;
    const settled = valueIn(found, 'peyk_receipts_total', 'carrier="simulator"') === 2;
    if (valueIn(found, 'peyk_smpp_deliveries_total', 'outcome="taken"') !== 1) return undefined;
    if (!/^peyk_backup_age_seconds\{cell="0"\} \d/m.test(found)) return undefined;
    if (!/^peyk_backup_behind_seconds\{cell="0"\} \d/m.test(found)) return undefined;
    return settled && /^peyk_submitted_total\{carrier="simulator"\} 2$/m.test(found) ? found : undefined;
  });
  expect(text).toMatch(/^peyk_links_bound\{carrier="simulator"\} 1$/m);
  expect(text).toMatch(/^peyk_settled_total 2$/m);
  expect(text).toMatch(/^peyk_api_request_seconds_count\{operation="send-sms",code="200"\} 1$/m);
  const missing = metricList.filter(([name]) => !text.includes(`# HELP ${name} `)).map(([name]) => name);
  expect(missing, 'of the table').toEqual([]);
  const unseen = [...queriedIn(dashboards)].filter(name => !hasValue(text, name));
  expect(unseen, 'asked for by dashboards and alerts').toEqual([]);
  expect(valueIn(text, 'peyk_node_live')).toBe(1);
  const { validTo } = new X509Certificate(readFileSync(files.cert));
  expect(valueIn(text, 'peyk_certificate_ends_seconds')).toBe(Date.parse(validTo) / 1_000);
  expect(valueIn(text, 'peyk_disk_free_ratio')).toBeGreaterThan(0);
  expect(valueIn(text, 'peyk_disk_free_ratio')).toBeLessThan(1);
  expect(valueIn(text, 'peyk_database_answers', 'cell="0"')).toBe(1);
  expect(valueIn(text, 'peyk_receipts_total', 'carrier="simulator"')).toBe(2);
  expect(valueIn(text, 'peyk_smpp_submits_total', 'status="ESME_ROK"')).toBe(1);
  expect(valueIn(text, 'peyk_smpp_binds', 'kind="transceiver"')).toBe(1);
  expect(valueIn(text, 'peyk_smpp_window_size')).toBe(100);
  expect(valueIn(text, 'peyk_links_wanted', 'carrier="simulator",cell="0"')).toBe(1);
  expect(valueIn(text, 'peyk_pool_connections_max', 'pool="peyk api"')).toBe(16);
  for (const secret of ['5550001234', 'Gizli', customer.key, customer.hash]) expect(text).not.toContain(secret);
  expect(program.log.join('\n')).not.toMatch(/5550001234|Gizli metin/);
  expect(program.log.join('\n')).not.toContain(customer.hash);
});

test('one trace id from the caller’s request to the carrier’s answer and receipt, exported to a collector without texts and numbers', async () => {
  const [traceId, caller] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  const authentication = { key: customer.key, hash: customer.hash };
  const message = { text: 'Izlenen metin', receipents: { number: ['5550004321'] } };
  const answer = await fetch(`${program.ready.api}/v1/send-sms/json`, {
    method: 'POST',
    headers: { traceparent: `00-${traceId}-${caller}-01` },
    body: JSON.stringify({ request: { authentication, order: { sender: 'APITEST', message } } }),
  });
  expect(answer.status).toBe(200);
  const spans = await wait('its spans', () => {
    const found = collector.spans.filter(one => one.traceId === traceId);
    return found.length >= 3 ? found : undefined;
  });
  const [request, submit, receipt] = [2, 3, 5].map(kind => spans.find(one => one.kind === kind)!);
  expect(request).toMatchObject({ name: 'send-sms', parentSpanId: caller });
  expect(answer.headers.get('traceparent')).toBe(`00-${traceId}-${request!.spanId}-01`);
  expect(submit).toMatchObject({ name: 'submit simulator', parentSpanId: request!.spanId });
  expect(receipt).toMatchObject({ name: 'receipt', parentSpanId: submit!.spanId });
  for (const { startTimeUnixNano: start, endTimeUnixNano: end } of spans)
    expect(BigInt(end)).toBeGreaterThanOrEqual(BigInt(start));
  expect(new Set(collector.heads)).toEqual(new Set(['POST /v1/traces application/json Bearer a=b']));
  // What comes without the header is traced by chance, here never.
  expect(new Set(collector.spans.map(one => one.traceId))).toEqual(new Set([traceId]));
  expect(collector.bodies.join('\n')).not.toMatch(/Izlenen|5550004321|Gizli/);
});

test('calls of the panel and of assistants are part of their callers’ traces, and what the panel sends is followed to its receipt', async () => {
  const header = (traceId: string) => ({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  const [panel, assistant] = ['11111111111111111111111111111111', '22222222222222222222222222222222'];
  const ask = async (name: string, input: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${program.ready.panel}api/${name}`, {
      method: 'POST',
      headers: { [panelHeader.name]: panelHeader.value, ...headers },
      body: JSON.stringify(input),
    });
    const { data, error } = (await answer.json()) as {
      data: { id: number; invite: { token: string }; orderId: number };
      error?: object;
    };
    expect([name, error]).toEqual([name, undefined]);
    return { ...data, cookie: answer.headers.getSetCookie().join().split(';')[0]! };
  };
  const staff = await ask('session.signIn', program.ready.staff!);
  const opened = { name: 'Deneme Ltd', ownerEmail: 'iz@ornek.com' };
  const { id, invite } = await ask('staff.openAccount', opened, { cookie: staff.cookie });
  await ask('staff.grantCredit', { id, sms: 10, reason: 'test' }, { cookie: staff.cookie });
  const own = { token: invite.token, mobile: '5550004322', password: 'uzun bir parola 1' };
  const { cookie } = await ask('session.acceptInvite', own);
  const draft = { sender: 'APITEST', text: 'Panelden', recipients: ['5550004322'], commercial: false };
  const sent = await ask('send.submit', { ...draft, idempotencyKey: 'izlenen-1' }, { ...header(panel), cookie });
  expect(sent.orderId).toBeGreaterThan(0);
  await fetch(`${program.ready.api}/mcp`, {
    method: 'POST',
    headers: {
      ...header(assistant),
      ...{ authorization: `Bearer ${customer.key}:${customer.hash}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream' },
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_balance","arguments":{}}}',
  });
  const names = (traceId: string) => collector.spans.filter(one => one.traceId === traceId).map(one => one.name);
  await wait('all of it', () => names(panel).length === 3 && names(assistant).length === 1);
  expect(names(panel).sort()).toEqual(['receipt', 'send.submit', 'submit simulator']);
  expect(names(assistant)).toEqual(['get-balance']);
});

// Beside the next one: both wait ten seconds for nothing to happen.
test.concurrent('a frozen dispatcher makes the program unfit, and it recovers when it wakes', async () => {
  const pid = program.signal('dispatch', 'SIGSTOP');
  try {
    const { body } = await wait('it to show', async () => {
      const found = await health('/health/live');
      return found.code === 503 ? found : undefined;
    });
    expect(body).toEqual({ live: false, stalled: ['dispatch process'] });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await wait('it to recover', async () => (await health('/health/live')).code === 200);
  const id = await customer.send('Uyandi', ['5550000001']);
  expect((await customer.finished(id)).delivered).toBe(1);
});

test.concurrent('a loop that stands still makes the program unfit though its process lives, and it recovers', async () => {
  const other = await startProgram({ env: { PEYK_LEASE_SECONDS: '2' } });
  const sessions = new Set<number>();
  // The sessions of the dispatcher freeze inside the server, new ones too: its questions get no answer, and no error either.
  const freeze = async () => {
    const { rows } = await (await other.db()).query(
      `select pid from pg_stat_activity where application_name like 'peyk dispatch %'`,
    );
    for (const { pid } of rows as { pid: number }[]) {
      if (!sessions.has(pid)) signalQuietly(pid, 'SIGSTOP');
      sessions.add(pid);
    }
  };
  try {
    const { body } = await wait('it to show', async () => {
      await freeze();
      const found = await health('/health/live', other.ready.api);
      return found.code === 503 ? found : undefined;
    });
    expect(body.stalled).toContain('dispatcher beat');
    expect(body.stalled).not.toContain('dispatch process');
  } finally {
    for (const pid of sessions) signalQuietly(pid, 'SIGCONT');
  }
  await wait('it to recover', async () => (await health('/health/live', other.ready.api)).code === 200);
  const id = await other.demoCustomer.send('Yine akiyor', ['5550000003']);
  expect((await other.demoCustomer.finished(id)).delivered).toBe(1);
  await other.remove();
});

test('without its database the program is not ready but alive, and recovers by itself', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const options = { dataDir, log: silentLog, reserveBytes: 0 };
  const database = await startEmbedded(options);
  const { user, port, host } = database.connection;
  const url = `postgresql://${user}@localhost:${port}/${user}?host=${encodeURIComponent(host)}`;
  const program = await startProgram({ env: { DATABASE_URL: url, PEYK_SIMULATORS: '' } });
  const { api } = program.ready;
  expect(await health('/health/ready', api)).toEqual({ code: 200, body: { ready: true } });
  await database.stop();
  await wait('it to show', async () => (await health('/health/ready', api)).code === 503);
  expect(await health('/health/live', api)).toMatchObject({ code: 200 });
  expect((await program.demoCustomer.call('get-balance')).code).toBe(503);
  const again = await startEmbedded(options);
  await wait('it to recover', async () => (await health('/health/ready', api)).code === 200);
  expect(await program.demoCustomer.balance()).toBe(100);
  await program.remove();
  await again.stop();
});

test('the embedded database is brought back after a crash', async () => {
  const before = program.signal('postgres', 'SIGKILL');
  await wait('another server', () => ![before, undefined].includes(program.postmaster()));
  await wait('it to be ready', async () => (await health('/health/ready')).code === 200);
  const id = await customer.send('Yine burada', ['5550000002']);
  expect((await customer.finished(id)).delivered).toBe(1);
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});
