// The claimer with a pump and a carrier around it: how it finds the work of an account, and what it may not forget.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { wait } from '../../test/support/run/wait.ts';
import type { Db } from '../db/db.ts';
import { silentLog } from '../log.ts';
import { ChunkProgress } from '../queue/chunk-progress.ts';
import { LeaseKeeper } from '../queue/lease-keeper.ts';
import { Claimer } from './claimer.ts';
import { secretKey } from './dispatch-fixture.ts';
import { type PumpScene, pumpScene } from './pump-fixture.ts';

type Statement = { name?: string };

let scene: PumpScene;
beforeEach(async () => {
  scene = await pumpScene(100);
});
afterEach(() => scene.close());

/** Sends a campaign of so many messages, announced once, and waits until each has arrived. `query`: what the claimer's database does. */
async function sendCampaign(count: number, query: (statement: Statement, run: () => Promise<unknown>) => unknown) {
  const { bench, carrier, account, parts } = scene;
  const asked = (statement: Statement, ...more: []) =>
    query(statement, () => bench.db.query(statement as never, ...more));
  const db = Object.create(bench.db, { query: { value: asked } }) as Db;
  const lease = new LeaseKeeper({
    db: bench.db,
    log: silentLog,
    leaseMs: 60_000,
    holdMs: 0,
    node: 'test',
    progress: new ChunkProgress(null),
    onNewIdentity() {},
  });
  await lease.start([]);
  const { pump, router, recorder } = parts;
  const settings = { validityMs: 60_000 };
  const claimer = new Claimer({ db, key: secretKey, log: silentLog, pump, router, recorder, lease, ...settings });
  parts.claimer = claimer;
  carrier.onSubmit = submit => carrier.answer(submit, `id-${submit.number}`);
  const numbers = Array.from({ length: count }, (_, i) => 5_550_000_000 + i);
  await bench.accept(account, 'Kampanya', numbers);
  await bench.db.query('update chunks set lane = 1 where account_id = $1', [account]);
  claimer.start();
  claimer.hear(`1:${account}`);
  await wait('every message to arrive', () => carrier.submits.length === count, 60_000);
  expect(new Set(carrier.submits.map(one => one.number)).size).toBe(count);
  return async () => {
    await claimer.stop();
    await lease.stop();
  };
}

test('a campaign that was announced once is sent to its end, though nobody looks for work', async () => {
  let endLooks: (found: { rows: never[] }) => void = () => {};
  const looks = new Promise(resolve => {
    endLooks = resolve;
  });
  const stop = await sendCampaign(5_000, ({ name }, run) => (name === 'accounts with work' ? looks : run()));
  endLooks({ rows: [] });
  await stop();
});

test('a claim that the database executes after we gave it up holds up no message', async () => {
  let late: (() => Promise<unknown>) | undefined;
  let wasGivenUp = false;
  const stop = await sendCampaign(300, async ({ name }, run) => {
    if (name === 'claim chunks' && !wasGivenUp) {
      wasGivenUp = true;
      late = run;
      throw new Error('the database has not answered for some seconds');
    }
    const result = await run();
    if (name !== 'chunk lost' || !late) return result;
    const execute = late;
    late = undefined;
    await execute();
    return result;
  });
  await stop();
});
