import { afterAll, expect, test } from 'vitest';
import { transaction } from '../db/db.ts';
import { silentLog } from '../log.ts';
import { listSource } from '../panel-api/exports/sources.ts';
import { goodPassword, startPanel } from '../panel-api/panel-fixture.ts';
import { setClock } from '../time/clock.ts';
import { claimExport } from './export-files.ts';
import { makeNextExport } from './export-job.ts';

const panel = await startPanel();
const { pool } = panel.database;
afterAll(() => panel.stop());

const rowCount = 50_001;
const hourMs = 3_600_000;
const csv = { kind: 'inbox', format: 'csv', language: 'tr', filter: {} } as const;

type Owner = Awaited<ReturnType<typeof panel.owner>>;

async function receive(owner: Owner, count: number): Promise<void> {
  await pool.query(
    `insert into inbound_messages (account_id, number, number_text, recipient, text, received_at)
     select $1, 905550000000 + i, '+' || (905550000000 + i), '7889', '=1+' || i, now() from generate_series(1, $2) i`,
    [owner.accountId, count],
  );
}

async function makeAll(): Promise<void> {
  while (await makeNextExport(pool, silentLog, listSource));
}

test('more than 50,000 rows are made in the background, for the account alone, and go after a day', async () => {
  const owner = await panel.owner();
  await receive(owner, rowCount);
  const direct = await owner.get('/panel/api/export/inbox?format=csv');
  expect([direct.statusCode, direct.json().error.code]).toEqual([422, 'too-many-rows']);
  const { id } = await owner.ok('exports.start', csv);
  const seen = async () => (await owner.ok('live', {})).exports.find(one => one.id === id);
  const file = `/panel/api/export-file/${id}`;
  expect(await seen()).toMatchObject({ state: 'waiting', expiresAt: null });
  expect((await owner.get(file)).statusCode).toBe(404);
  await makeAll();
  const ready = (await seen())!;
  expect(ready).toMatchObject({ state: 'ready', kind: 'inbox', rows: rowCount, isFetched: false });
  const answer = await owner.get(file);
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.headers['content-disposition']).toContain('attachment');
  expect(answer.rawPayload.length).toBe(ready.bytes);
  expect(ready.bytes).toBeGreaterThan(1024 * 1024);
  const lines = answer.body.split('\r\n').filter(line => line !== '');
  expect(lines).toHaveLength(rowCount + 1);
  expect(lines.at(-1)).toContain(`;'=1+1;`);
  expect(await seen()).toMatchObject({ isFetched: true });
  const stranger = await panel.owner();
  expect((await stranger.get(file)).statusCode).toBe(404);
  expect((await stranger.ok('live', {})).exports).toEqual([]);
  expect((await panel.browser().get(file)).statusCode).toBe(401);
  const hoursLeft = (new Date(ready.expiresAt!).getTime() - Date.now()) / hourMs;
  expect(Math.round(hoursLeft)).toBe(24);
  const restore = setClock(() => Date.now() + 25 * hourMs);
  try {
    await makeAll();
  } finally {
    restore();
  }
  expect((await pool.query('select 1 from export_pieces where export_id = $1', [id])).rowCount).toBe(0);
  expect((await owner.get(file)).statusCode).toBe(404);
});

test('a large workbook is a zip of its own making with every row', async () => {
  const owner = await panel.owner();
  await receive(owner, 3_000);
  const { id } = await owner.ok('exports.start', { ...csv, format: 'xlsx', filter: { text: '=1+' } });
  await makeAll();
  const [line] = (await owner.ok('live', {})).exports;
  expect(line).toMatchObject({ id, state: 'ready', rows: 3_000, format: 'xlsx' });
  const { rawPayload } = await owner.get(`/panel/api/export-file/${id}`);
  expect(rawPayload.subarray(0, 4).toString('hex')).toBe('504b0304');
});

test('the filter goes along, and one that names nothing of the account is refused at once', async () => {
  const owner = await panel.owner();
  await receive(owner, 20);
  const { id } = await owner.ok('exports.start', { ...csv, filter: { text: '=1+7', cursor: '1', limit: 1 } });
  await makeAll();
  expect((await owner.ok('live', {})).exports).toMatchObject([{ id, rows: 1 }]);
  const error = await owner.refusal('exports.start', { ...csv, kind: 'recipients', filter: { id: 999_999 } });
  expect(error.code).toBe('not-found');
});

test('a process that died over one leaves it to the next, and the third death is the last', async () => {
  const owner = await panel.owner();
  await receive(owner, 5);
  const { id } = await owner.ok('exports.start', csv);
  const die = (atMs: number) =>
    transaction(pool, tx => claimExport(tx, new Date(atMs), new Date(atMs + 120_000), new Date(atMs + 24 * hourMs)));
  const begin = Date.now();
  expect(await die(begin)).toMatchObject({ id, attempt: 1 });
  expect(await die(begin + 60_000)).toBeUndefined();
  expect(await die(begin + 130_000)).toMatchObject({ id, attempt: 2 });
  const restore = setClock(() => begin + 300_000);
  try {
    await makeAll();
  } finally {
    restore();
  }
  expect((await owner.ok('live', {})).exports).toMatchObject([{ id, state: 'ready', rows: 5 }]);
  const second = await owner.ok('exports.start', csv);
  for (let i = 1; i <= 4; i++) await die(begin + i * 1_000_000);
  expect((await owner.ok('live', {})).exports[0]).toMatchObject({ id: second.id, state: 'failed' });
});

test('three may be under way and ten are kept', async () => {
  const owner = await panel.owner();
  await receive(owner, 1);
  for (let round = 0; round < 4; round++) {
    for (let i = 0; i < 3; i++) await owner.ok('exports.start', csv);
    expect((await owner.refusal('exports.start', csv)).code).toBe('too-many-exports');
    await makeAll();
  }
  expect((await owner.ok('live', {})).exports).toHaveLength(10);
});

test('the audit log is made and fetched by owners only', async () => {
  const owner = await panel.owner();
  const { token } = await owner.ok('users.invite', { email: `bakan-${owner.accountId}@ornek.com`, role: 'viewer' });
  const viewer = panel.browser();
  await viewer.ok('session.acceptInvite', { token, password: goodPassword });
  expect((await viewer.refusal('exports.start', { ...csv, kind: 'audit' })).code).toBe('forbidden');
  const { id } = await owner.ok('exports.start', { ...csv, kind: 'audit' });
  await makeAll();
  expect((await viewer.ok('live', {})).exports).toEqual([]);
  expect((await viewer.get(`/panel/api/export-file/${id}`)).statusCode).toBe(403);
  expect((await owner.get(`/panel/api/export-file/${id}`)).statusCode).toBe(200);
});
