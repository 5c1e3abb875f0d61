// Nodes are upgraded one by one: the release before and this build share a database, in both directions. This build also brings one more
// migration and a changed function. A carrier outside both records what the phones got.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test as testOf } from 'vitest';
import { type HookReceiver, startHookReceiver } from '../../simulators/hook-receiver/main.ts';
import { audit } from '../../src/audit/invariants.ts';
import { type OutsideCarrier, outsideCarrier } from '../support/carriers/outside-carrier.ts';
import { brand, campaign, consentTo } from '../support/customers/campaign.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { SteadyTraffic } from '../support/customers/steady-traffic.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { nextRelease } from '../support/program/next-release.ts';
import { builtRelease, isInHistory } from '../support/program/previous-release.ts';
import { Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

const credits = 50_000;
const campaignSize = 600;

// A copy without history (a shallow clone that cannot be deepened) has no earlier program to test.
const isHere = isInHistory();
const test = testOf.skipIf(!isHere);

let database: TestDatabase;
let hook: HookReceiver;
let carrier: OutsideCarrier;
let env: Record<string, string>;
let before: Program;
let after: Program;
/** The same account at the node of the release before and of this build. */
let atBefore: Customer;
let atAfter: Customer;
const traffic = new SteadyTraffic(1);
const campaigns: { id: string; numbers: string[] }[] = [];
let campaignsBegun = 0;

beforeAll(async () => {
  if (!isHere) return;
  database = await testDatabase({ empty: true });
  hook = await startHookReceiver();
  carrier = await outsideCarrier();
  env = {
    DATABASE_URL: database.url,
    PEYK_SECRET_KEY: randomBytes(32).toString('base64'),
    PEYK_SIMULATORS: '',
    PEYK_LEASE_SECONDS: '5',
    PEYK_ALLOW_PRIVATE_WEBHOOKS: 'on',
  };
  before = await startProgram({ root: builtRelease(), env });
  atBefore = await openByCommands(before);
  await carrier.serve(before, 'outside', '--binds', '2');
});

afterAll(async () => {
  await traffic.stop();
  await Promise.all([before?.remove(), after?.remove()]);
  await hook?.stop();
  await database?.close();
});

async function openByCommands(program: Program): Promise<Customer> {
  const { id, key, hash } = await program.cli<{ id: string; key: string; hash: string }>(
    'account',
    'create',
    '--name',
    'X',
  );
  await program.cli('credit', 'grant', id, String(credits), '--reason', 'test');
  await program.cli('sender', 'approve', id, 'PEYK');
  await program.cli('brand', 'add', id, String(brand));
  await program.cli('account', 'set', id, 'rate=10000', `webhook=${hook.url}`);
  return new Customer(program, id, key, hash);
}

async function sendCampaign(by: Customer): Promise<void> {
  const no = campaignsBegun++;
  const numbers = plainNumbers(campaignSize, 10 + no);
  await consentTo(by, numbers);
  campaigns.push({ id: await campaign(by, `Kampanya ${no}`, numbers), numbers });
}

/** Errors in a program's log, without the known warning that the test server does not wait for its disk. */
function errorsOf({ log }: Program): string[] {
  return log.filter(line => /"level":(50|60)|does not exist/.test(line) && !line.includes('DANGER'));
}

/** Batches that each live dispatcher has stored, by its number. */
async function stored(): Promise<Map<number, number>> {
  const { rows } = await database.pool.query('select id, flush from dispatchers order by id');
  return new Map(rows.map(row => [row.id, row.flush]));
}

/** Both nodes send, bind and store carriers' reports, while both take orders. */
async function bothWork(): Promise<void> {
  await wait('a bind for each node', async () => {
    const { rows } = await database.pool.query("select dispatcher_id from carrier_links where state = 'bound'");
    return new Set(rows.map(row => row.dispatcher_id)).size === 2;
  });
  const begun = await stored();
  expect(begun.size).toBe(2);
  await traffic.more(30);
  await wait('both to store answers', async () => {
    const now = await stored();
    return [...begun].every(([id, flush]) => (now.get(id) ?? 0) > flush);
  });
}

test('this build starts beside the release before under traffic, both serve one database, and each reports what the other accepted', async () => {
  traffic.start([atBefore]);
  await traffic.more(30);
  await sendCampaign(atBefore);
  after = await startProgram({ root: nextRelease(), env });
  atAfter = new Customer(after, atBefore.id, atBefore.key, atBefore.hash);
  await traffic.by(atBefore, atAfter);
  await bothWork();
  await Promise.all([sendCampaign(atBefore), sendCampaign(atAfter)]);
  await traffic.more(30);
  for (const { id } of campaigns) {
    const seen = await atAfter.finished(id);
    expect(seen).toMatchObject({ status: 114, delivered: campaignSize });
    expect(await atBefore.report(id)).toEqual(seen);
  }
  // The running node noticed nothing.
  expect(errorsOf(before)).toEqual([]);
});

test('the release before is stopped and this build goes on alone', async () => {
  await traffic.by(atAfter);
  expect(await before.stop()).toBe(0);
  await traffic.more(30);
  await sendCampaign(atAfter);
});

test('the way back: the release before starts on the newer schema and serves, beside this build and alone', async () => {
  await before.start();
  await traffic.by(atBefore, atAfter);
  await bothWork();
  await traffic.by(atBefore);
  expect(await after.stop()).toBe(0);
  await traffic.more(30);
  await sendCampaign(atBefore);
  expect(errorsOf(before)).toEqual([]);
});

test('and up again: everything that was answered 200 was sent once and reported once, and money adds up', async () => {
  await after.start();
  await traffic.by(atBefore, atAfter);
  await bothWork();
  await traffic.by(atAfter);
  expect(await before.stop()).toBe(0);
  await traffic.more(30);
  await traffic.stop();
  // Every answer was 200: the nodes were taken out of traffic before they were stopped.
  expect([...traffic.others]).toEqual([]);
  const numbers = [...traffic.accepted.map(one => one.number), ...campaigns.flatMap(one => one.numbers)];
  for (const { id } of [...campaigns, ...traffic.accepted.slice(-1)]) await atAfter.finished(id);
  const { pool } = database;
  await wait('every message to be delivered', async () => {
    const { rows } = await pool.query(
      'select count(*)::int as n from messages where status = 111 and account_id = $1 and order_id = any ($2)',
      [atAfter.id, [...traffic.accepted, ...campaigns].map(one => Number(one.id))],
    );
    return rows[0].n === numbers.length;
  });
  const copies = await carrier.copies(numbers);
  expect(numbers.filter(one => copies.get(one) !== 1)).toEqual([]);
  expect(await carrier.stats()).toMatchObject({ delivered: numbers.length, duplicates: 0 });
  const { rows } = await pool.query('select count(*)::int as n from messages');
  expect(rows[0].n).toBe(numbers.length);
  const events = 2 * numbers.length;
  await wait('every event to be posted', () => hook.count() >= events && eventsOf(hook).size === events);
  const welcome = 100;
  expect(await atAfter.balance()).toBe(credits + welcome - numbers.length);
  expect(await audit(pool)).toEqual({ ok: true, findings: [] });
});

/** `message status` of each event that arrived. */
function eventsOf({ calls }: HookReceiver): Set<string> {
  return new Set(
    calls.map(({ body }) => {
      const { report } = JSON.parse(body) as { report: { id: number; status: string } };
      return `${report.id} ${report.status}`;
    }),
  );
}
