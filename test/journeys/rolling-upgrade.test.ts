// Nodes are upgraded one by one: the release before and this build share a database, in both directions. This build also brings one more
// migration and a changed function. A cell made by the release before (a schema of a cluster, where one is given) is upgraded with them. A carrier
// outside both records what the phones got.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test as testOf } from 'vitest';
import { type HookReceiver, startHookReceiver } from '../../simulators/hook-receiver/main.ts';
import { audit } from '../../src/audit/invariants.ts';
import { type Db, openPool } from '../../src/db/db.ts';
import { type OutsideCarrier, outsideCarrier } from '../support/carriers/outside-carrier.ts';
import { brand, campaign, consentTo } from '../support/customers/campaign.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { SteadyTraffic } from '../support/customers/steady-traffic.ts';
import { clusterUrl, newSchema, removeSchema } from '../support/database/citus.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { nextRelease } from '../support/program/next-release.ts';
import { builtRelease, isInHistory } from '../support/program/previous-release.ts';
import { Customer, type Program, startProgram } from '../support/program/program.ts';
import { atEndOfFile } from '../support/run/clear-away.ts';
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
/** An account in each place, by the number of its cell: the same at the node of the release before and of this build. */
type Place = { atBefore: Customer; atAfter: Customer; traffic: SteadyTraffic; campaigns: Campaign[] };
type Campaign = { id: string; numbers: string[] };
const places: Place[] = [];
/** Likewise. */
const databases: Db[] = [];
const { schema, address } = newSchema();
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
  databases.push(database.pool);
  await addCell();
  for (const cell of databases.keys()) {
    const atBefore = await openByCommands(before, cell);
    places.push({ atBefore, atAfter: atBefore, traffic: new SteadyTraffic(1 + cell), campaigns: [] });
  }
  // A bind for each dispatcher.
  await carrier.serve(before, 'outside', '--binds', String(2 * places.length));
});

afterAll(async () => {
  await everywhere(one => one.traffic.stop());
  await Promise.all([before?.remove(), after?.remove()]);
  await hook?.stop();
  await database?.close();
});

async function addCell(): Promise<void> {
  if (!clusterUrl) {
    const cell = await testDatabase({ empty: true });
    atEndOfFile(() => cell.close());
    databases.push(cell.pool);
    await before.cli('cell', 'add', cell.url);
    return;
  }
  await before.cli('distribute', address);
  const cell = openPool({ connectionString: `${address}&citus=on` }, { max: 2, name: 'peyk test', onError: () => {} });
  databases.push(cell);
  atEndOfFile(async () => {
    await cell.end();
    await removeSchema(schema);
  });
}

async function openByCommands(program: Program, cell: number): Promise<Customer> {
  const { id, key, hash } = await program.cli<{ id: string; key: string; hash: string }>(
    'account',
    'create',
    '--name',
    'X',
    '--cell',
    String(cell),
  );
  await program.cli('credit', 'grant', id, String(credits), '--reason', 'test');
  await program.cli('sender', 'approve', id, 'PEYK');
  await program.cli('brand', 'add', id, String(brand));
  await program.cli('account', 'set', id, 'rate=10000', `webhook=${hook.url}`);
  return new Customer(program, id, key, hash);
}

/** Answers other than 200: nodes are taken out of traffic before they are stopped, so there are none. */
const others = () => places.flatMap(one => [...one.traffic.others]);
const everywhere = (work: (place: Place) => Promise<unknown>) => Promise.all(places.map(work));
const more = (count: number) => everywhere(one => one.traffic.more(count));
const toBefore = () => everywhere(one => one.traffic.by(one.atBefore));
const toAfter = () => everywhere(one => one.traffic.by(one.atAfter));
const toBoth = () => everywhere(one => one.traffic.by(one.atBefore, one.atAfter));

async function sendCampaign({ campaigns }: Place, by: Customer): Promise<void> {
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
async function stored(db: Db): Promise<Map<number, number>> {
  const { rows } = await db.query('select id, flush from dispatchers order by id');
  return new Map(rows.map(row => [row.id, row.flush]));
}

/** Both nodes send, bind and store carriers' reports, while both take orders. */
async function bothWork(): Promise<void> {
  const all = await Promise.all(
    databases.map(async db => {
      await wait('a bind for each node', async () => {
        const { rows } = await db.query("select dispatcher_id from carrier_links where state = 'bound'");
        return new Set(rows.map(row => row.dispatcher_id)).size === 2;
      });
      const begun = await stored(db);
      expect(begun.size).toBe(2);
      return { db, begun };
    }),
  );
  await more(30);
  for (const { db, begun } of all)
    await wait('both to store answers', async () => {
      const now = await stored(db);
      return [...begun].every(([id, flush]) => (now.get(id) ?? 0) > flush);
    });
}

test('this build starts beside the release before under traffic, both serve one database, and each reports what the other accepted', async () => {
  for (const { traffic, atBefore } of places) traffic.start([atBefore]);
  await more(30);
  await everywhere(one => sendCampaign(one, one.atBefore));
  after = await startProgram({ root: nextRelease(), env });
  for (const one of places) {
    const { id, key, hash } = one.atBefore;
    one.atAfter = new Customer(after, id, key, hash);
  }
  await toBoth();
  await bothWork();
  await everywhere(one => Promise.all([sendCampaign(one, one.atBefore), sendCampaign(one, one.atAfter)]));
  await more(30);
  for (const { campaigns, atBefore, atAfter } of places)
    for (const { id } of campaigns) {
      const seen = await atAfter.finished(id);
      expect(seen).toMatchObject({ status: 114, delivered: campaignSize });
      expect(await atBefore.report(id)).toEqual(seen);
    }
  // The running node noticed nothing.
  expect(errorsOf(before)).toEqual([]);
  expect(others()).toEqual([]);
});

test('the release before is stopped and this build goes on alone', async () => {
  await toAfter();
  expect(await before.stop()).toBe(0);
  await more(30);
  await everywhere(one => sendCampaign(one, one.atAfter));
});

test('the way back: the release before starts on the newer schema and serves, beside this build and alone', async () => {
  await before.start();
  await toBoth();
  await bothWork();
  await toBefore();
  expect(await after.stop()).toBe(0);
  await more(30);
  await everywhere(one => sendCampaign(one, one.atBefore));
  expect(errorsOf(before)).toEqual([]);
  expect(others()).toEqual([]);
});

test('and up again: everything that was answered 200 was sent once and reported once, and money adds up', async () => {
  await after.start();
  await toBoth();
  await bothWork();
  await toAfter();
  expect(await before.stop()).toBe(0);
  await more(30);
  await everywhere(one => one.traffic.stop());
  expect(others()).toEqual([]);
  const all: string[] = [];
  for (const [cell, place] of places.entries()) all.push(...(await endOf(place, databases[cell]!)));
  expect(await carrier.stats()).toMatchObject({ delivered: all.length, duplicates: 0 });
  const events = 2 * all.length;
  await wait('every event to be posted', () => hook.count() >= events && eventsOf(hook).size === events);
});

/** Every message of the place was delivered, sent once and charged once. Returns their numbers. */
async function endOf({ traffic, campaigns, atAfter }: Place, db: Db): Promise<string[]> {
  const numbers = [...traffic.accepted.map(one => one.number), ...campaigns.flatMap(one => one.numbers)];
  for (const { id } of [...campaigns, ...traffic.accepted.slice(-1)]) await atAfter.finished(id);
  await wait('every message to be delivered', async () => {
    const { rows } = await db.query(
      'select count(*)::int as n from messages where status = 111 and account_id = $1 and order_id = any ($2)',
      [atAfter.id, [...traffic.accepted, ...campaigns].map(one => Number(one.id))],
    );
    return rows[0].n === numbers.length;
  });
  const copies = await carrier.copies(numbers);
  expect(numbers.filter(one => copies.get(one) !== 1)).toEqual([]);
  const { rows } = await db.query('select count(*)::int as n from messages');
  expect(rows[0].n).toBe(numbers.length);
  const welcome = 100;
  expect(await atAfter.balance()).toBe(credits + welcome - numbers.length);
  expect(await audit(db)).toEqual({ ok: true, findings: [] });
  return numbers;
}

/** `message status` of each event that arrived. */
function eventsOf({ calls }: HookReceiver): Set<string> {
  return new Set(
    calls.map(({ body }) => {
      const { report } = JSON.parse(body) as { report: { id: number; status: string } };
      return `${report.id} ${report.status}`;
    }),
  );
}
