// The choice of a carrier by prefix, priority and bind state, and binds when settings change.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { wait } from '../../../test/support/run/wait.ts';
import { pauseCarrier, putCarrier } from '../../carriers/carriers.ts';
import { silentLog } from '../../log.ts';
import { registerDispatcher } from '../../queue/dispatcher-lease.ts';
import { type DispatchBench, dispatchBench, fault, secretKey, statsOf } from '../dispatch-fixture.ts';
import type { LinkEvents } from './link.ts';
import { fewestBinds, publishLinks } from './link-board.ts';
import { Router } from './router.ts';
import { SlotLocks } from './slot-locks.ts';

let bench: DispatchBench;
let locks: SlotLocks;
let router: Router<number>;

const events: LinkEvents<number> = {
  onAccepted() {},
  onRefused() {},
  onLateAccepted() {},
  onLost() {},
  onRoom() {},
  onRequest() {},
  onState() {},
  onTrouble() {},
  mayWrite: () => true,
};

beforeAll(async () => {
  bench = await dispatchBench();
});
afterAll(async () => {
  await router.stop();
  await locks.stop();
  await bench.close();
});
beforeEach(async () => {
  await router?.stop();
  await locks?.stop();
  await bench.db.query('delete from carriers');
  locks = new SlotLocks(bench.database.connection, silentLog);
  router = new Router({ db: bench.db, key: secretKey, events, locks, log: silentLog });
});

/** The carrier for a message to this number, or why there is none. */
function carrierFor(number = 905_550_000_000): string {
  const link = router.linkFor(number, true);
  return typeof link === 'string' ? link : link.carrier.name;
}

test('a message takes the best bound carrier for its number, and the next one while that is lost', async () => {
  const best = await bench.carrier('best', { priority: '1' });
  await bench.carrier('second', { priority: '2' });
  expect(carrierFor()).toBe('none');
  await router.reload();
  await wait('both to be bound', () => router.links.every(link => link.bound));
  expect(carrierFor()).toBe('best');
  await fault(best, 'drop', 1);
  await wait('the failover', () => carrierFor() === 'second');
  await wait('the return', () => carrierFor() === 'best');
});

test('prefixes decide before priority, and a number outside of all prefixes has no carrier', async () => {
  await bench.carrier('some', { priority: '1', prefixes: '90530,90531' });
  await bench.carrier('rest', { priority: '2', prefixes: '905' });
  await router.reload();
  await wait('both to be bound', () => router.links.every(link => link.bound));
  expect(carrierFor(905_310_000_000)).toBe('some');
  expect(carrierFor(905_550_000_000)).toBe('rest');
  expect(carrierFor(447_700_900_000)).toBe('none');
});

test('a message waits for a bound carrier with a full window', async () => {
  const best = await bench.carrier('best', { priority: '1', window: '1' });
  await bench.carrier('second', { priority: '2' });
  await router.reload();
  await wait('both to be bound', () => router.links.every(link => link.bound));
  await fault(best, 'stall', 60);
  const link = router.linkFor(905_550_000_000, true);
  if (typeof link === 'string') throw new Error(link);
  expect(link.submit(Buffer.alloc(40), 1)).toBe(true);
  expect(carrierFor()).toBe('busy');
});

test('pausing a carrier releases its binds, resuming binds again; other carriers keep theirs', async () => {
  const first = await bench.carrier('first', { priority: '1' });
  const second = await bench.carrier('second', { priority: '2' });
  await router.reload();
  await wait('both to be bound', () => router.links.every(link => link.bound));
  await pauseCarrier(bench.db, 'first', true);
  await router.reload();
  expect(carrierFor()).toBe('second');
  await wait('its bind to be released', async () => (await statsOf(first))['sessions'] === 0);
  await pauseCarrier(bench.db, 'first', false);
  await router.reload();
  await wait('it to be bound again', () => carrierFor() === 'first');
  expect((await statsOf(second))['binds']).toBe(1);
});

test('a changed carrier never has more binds than it grants, also during the change', async () => {
  const smsc = await bench.carrier('one', { binds: '2' });
  await router.reload();
  await wait('it to be bound', () => router.links.every(link => link.bound));
  await putCarrier(bench.db, secretKey, 'one', { window: '50' });
  await router.reload();
  expect(router.links).toHaveLength(2);
  let most = 0;
  await wait('it to be bound anew', async () => {
    most = Math.max(most, (await statsOf(smsc))['sessions']!);
    return router.links.every(link => link.bound);
  });
  expect(most).toBeLessThanOrEqual(2);
  expect((await statsOf(smsc))['sessions']).toBe(2);
});

test('a carrier with separate receiver and transmitter needs both', async () => {
  const smsc = await bench.carrier('apart', { bind: 'separate' });
  await router.reload();
  await wait('both to be bound', async () => carrierFor() === 'apart' && (await statsOf(smsc))['sessions'] === 2);
  await fault(smsc, 'unbind', 1);
  await wait('both to be bound again', async () => carrierFor() === 'apart' && (await statsOf(smsc))['binds'] === 4);
});

test('after a refused password the link waits before it tries again, and shows the reason', async () => {
  const smsc = await bench.carrier('strict', { password: 'wrong' }, { passwords: { peyk: 'right' } });
  await router.reload();
  await wait('the refusal', () => router.links[0]?.lastError === 'bind refused: ESME_RINVPASWD');
  await putCarrier(bench.db, secretKey, 'strict', { password: 'right' });
  await router.reload();
  await wait('it to be bound', () => carrierFor() === 'strict');
  expect((await statsOf(smsc))['bindsRefused']).toBe(1);
});

test('live dispatchers share binds: one drains a bind too many, and the other takes it', async () => {
  const smsc = await bench.carrier('shared', { binds: '2' });
  await router.reload();
  await wait('both to be ours', () => router.links.every(link => link.bound));
  const otherLocks = new SlotLocks(bench.database.connection, silentLog);
  const other = new Router({ db: bench.db, key: secretKey, events, locks: otherLocks, log: silentLog });
  await other.reload();
  let most = 0;
  await wait('one each', async () => {
    for (const one of [router, other]) one.share(2);
    most = Math.max(most, (await statsOf(smsc))['sessions']!);
    return [router, other].every(one => one.links.filter(link => link.bound).length === 1);
  });
  expect(most).toBe(2);
  await other.stop();
  await otherLocks.stop();
  await wait('both to be ours again', () => {
    router.share(1);
    return router.links.every(link => link.bound);
  });
});

test('binds that do not divide evenly leave no dispatcher without its share', async () => {
  await bench.carrier('four', { binds: '4' });
  const all = await Promise.all(
    ['a', 'b', 'c'].map(async node => {
      const locks = new SlotLocks(bench.database.connection, silentLog);
      const id = await registerDispatcher(bench.db, node);
      return { id, locks, router: new Router<number>({ db: bench.db, key: secretKey, events, locks, log: silentLog }) };
    }),
  );
  const bindsOf = (one: Router<number>) => one.links.filter(link => link.bound).length;
  const rounds = async () => {
    const fewest = await fewestBinds(bench.db);
    for (const one of all) {
      await one.router.reload();
      one.router.share(3, fewest);
      await publishLinks(bench.db, one.id, one.router.links);
    }
  };
  // Two come first and take two each; the third finds nothing free.
  for (const one of all) {
    one.router.share(3);
    await one.router.reload();
    if (one !== all[2]) await wait('two each', () => bindsOf(one.router) === 2);
  }
  await wait('one more than its share for one of them alone', async () => {
    await rounds();
    return (
      all
        .map(one => bindsOf(one.router))
        .sort()
        .join() === '1,1,2'
    );
  });
  await Promise.all(all.map(one => one.router.stop()));
  await Promise.all(all.map(one => one.locks.stop()));
});
