// A campaign is claimed as fast as the carrier takes it: the claimer never waits for the look that it takes every few seconds.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { wait } from '../../test/support/run/wait.ts';
import type { Db } from '../db/db.ts';
import { silentLog } from '../log.ts';
import { LeaseKeeper } from '../queue/lease-keeper.ts';
import { Claimer } from './claimer.ts';
import { secretKey } from './dispatch-fixture.ts';
import { type PumpScene, pumpScene } from './pump-fixture.ts';

let scene: PumpScene;
beforeEach(async () => {
  scene = await pumpScene(100);
});
afterEach(() => scene.close());

test('a campaign that was announced once is sent to its end, though nobody looks for work', async () => {
  const { bench, carrier, account, parts } = scene;
  let endLooks: (found: { rows: never[] }) => void = () => {};
  const looks = new Promise<{ rows: never[] }>(resolve => {
    endLooks = resolve;
  });
  const query = (statement: { name?: string }, ...more: []) =>
    statement.name === 'accounts with work' ? looks : bench.db.query(statement as never, ...more);
  const db = Object.create(bench.db, { query: { value: query } }) as Db;
  const lease = new LeaseKeeper(bench.db, silentLog, 60_000, 0, 'test', () => {});
  await lease.start([]);
  const { pump, router, recorder } = parts;
  const settings = { validityMs: 60_000, holdMs: 0 };
  const claimer = new Claimer({ db, key: secretKey, log: silentLog, pump, router, recorder, lease, ...settings });
  parts.claimer = claimer;
  claimer.start();
  carrier.onSubmit = submit => carrier.answer(submit, `id-${submit.number}`);
  const numbers = Array.from({ length: 5_000 }, (_, i) => 5_550_000_000 + i);
  await bench.accept(account, 'Kampanya', numbers);
  await bench.db.query('update chunks set lane = 1 where account_id = $1', [account]);
  claimer.hear(`1:${account}`);
  await wait('every message to arrive', () => carrier.submits.length === numbers.length, 60_000);
  expect(new Set(carrier.submits.map(one => one.number)).size).toBe(numbers.length);
  endLooks({ rows: [] });
  await claimer.stop();
  await lease.stop();
});
