// Who counts as alive, by whose clock, and what the dead leave behind.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wait } from '../../test/support/run/wait.ts';
import { openPool } from '../db/db.ts';
import { silentLog } from '../log.ts';
import { type DispatchBench, dispatchBench } from '../sending/dispatch-fixture.ts';
import { setHostClock } from '../time/clock.ts';
import { ChunkProgress } from './chunk-progress.ts';
import { claimChunks } from './claim.ts';
import { registerDispatcher } from './dispatcher-lease.ts';
import { LeaseKeeper } from './lease-keeper.ts';

let bench: DispatchBench;
const leaseMs = 800;

beforeAll(async () => {
  bench = await dispatchBench();
});
afterAll(() => bench.close());

const parts = { log: silentLog, leaseMs, holdMs: 0, node: 'test', progress: new ChunkProgress(null) };

function keeper(identities: number[] = [], db = bench.db): LeaseKeeper {
  return new LeaseKeeper({ ...parts, db, onNewIdentity: id => void identities.push(id) });
}

async function dispatchers(): Promise<number[]> {
  const { rows } = await bench.db.query('select id from dispatchers order by id');
  return (rows as { id: number }[]).map(one => one.id);
}

test('two that live leave each other alone; one that is silent is declared dead, and its chunks are free', async () => {
  const account = await bench.account();
  const order = await bench.accept(account, 'Sessiz', [5_550_000_000, 5_550_000_001]);
  const silent = await registerDispatcher(bench.db, 'silent');
  await claimChunks(bench.db, silent, 0, [{ id: account, mark: 10 }], { messages: 10 });
  const [one, other] = [keeper(), keeper()];
  await Promise.all([one.start([]), other.start([])]);
  await wait('the silent one to be gone', async () => !(await dispatchers()).includes(silent));
  expect(await dispatchers()).toEqual([one.id, other.id].sort((a, b) => a - b));
  expect(await bench.chunks(order)).toEqual([]);
  await Promise.all([one.stop(), other.stop()]);
  expect(await dispatchers()).toEqual([]);
});

test('what is certainly dead is released at once, without waiting for the lease', async () => {
  const dead = await registerDispatcher(bench.db, 'dead');
  const heir = keeper();
  await heir.start([dead]);
  expect(await dispatchers()).toEqual([heir.id]);
  await heir.stop();
});

test('one that was declared dead starts again under a new identity', async () => {
  const identities: number[] = [];
  const one = keeper(identities);
  await one.start([]);
  await bench.db.query('delete from dispatchers');
  await wait('a new identity', () => identities.length === 2);
  expect(one.id).toBe(identities[1]);
  expect(await dispatchers()).toEqual([one.id]);
  await one.stop();
});

test('one that was declared dead while it had nothing to do knows that it only could not speak', async () => {
  const registered: boolean[] = [];
  const one = new LeaseKeeper({
    ...parts,
    db: bench.db,
    onNewIdentity: (_, wasIdle) => void registered.push(wasIdle),
  });
  await one.start([]);
  expect(registered).toEqual([false]);
  // Again when something else of this process (a collection, a compilation) took half of a core between two signs of life.
  await wait('a new identity after an idle while', async () => {
    const before = registered.length;
    await bench.db.query('delete from dispatchers');
    await wait('a new identity', () => registered.length > before);
    return registered.at(-1) === true;
  });
  await one.stop();
});

test('without a database nothing may be written, and nobody is declared dead for a silence we could not hear', async () => {
  const db = openPool(bench.database.connection, { max: 2, name: 'peyk cut', onError: () => {} });
  const [one, other] = [keeper([], db), keeper()];
  await Promise.all([one.start([]), other.start([])]);
  expect(one.mayWrite()).toBe(true);
  // The first one's connections are cut and its questions wait behind a lock for longer than a lease.
  const blocker = await bench.db.connect();
  await blocker.query('begin; lock table dispatchers in access exclusive mode');
  await wait('it to stop writing', () => !one.mayWrite() && !other.mayWrite());
  const before = performance.now();
  await wait('a lease to pass', () => performance.now() - before > leaseMs);
  await blocker.query('commit');
  blocker.release();
  await wait('both to write again', () => one.mayWrite() && other.mayWrite());
  expect(await dispatchers()).toEqual([one.id, other.id].sort((a, b) => a - b));
  await Promise.all([one.stop(), other.stop()]);
  await db.end();
});

test('after the whole machine slept nothing is written until life is confirmed again', async () => {
  const one = keeper();
  await one.start([]);
  expect(one.mayWrite()).toBe(true);
  // The wall clock jumps, the monotonic one stood still: what a suspended machine sees when it wakes.
  const restore = setHostClock(() => Date.now() + 3_600_000);
  expect(one.mayWrite()).toBe(false);
  await wait('life to be confirmed', () => one.mayWrite());
  restore();
  await one.stop();
});
