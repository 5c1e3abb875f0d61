// What is damaged in a target is named and left out, and a moment needs nothing that came after it.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { silentLog } from '../log.ts';
import { type Base, names, readCatalogue } from './catalogue.ts';
import { planRestores } from './choose.ts';
import { folderStore } from './folder-store.ts';
import { lsnOf, segmentName } from './log-position.ts';
import { Marks } from './marks.ts';
import { restoreEmbedded, withFirstWhole } from './restore.ts';
import { putJson, type Store } from './store.ts';
import { unpackNew } from './unpack.ts';
import { verify } from './verify.ts';

const segmentBytes = 16 * 1024 * 1024;
const day = (n: number) => `2026-03-${String(n).padStart(2, '0')}T00:00:00.000Z`;
const at = (n: number) => lsnOf(BigInt(n * segmentBytes));
const folderOf = (n: number) => names.base('aa', day(n).replace(/[-:.]/g, ''));
const segment = (n: number) => names.log('aa', segmentName(1, BigInt(n * segmentBytes), segmentBytes));
const damage = (store: Store, key: string) => store.put(key, Buffer.from('{"at": "2026'));

/** Bases of the first and the third day, a segment and a mark for each day up to the sixth. */
async function target(): Promise<Store> {
  const store = folderStore(temporaryFolder());
  // The end of an archive: an empty one.
  const archive = gzipSync(Buffer.alloc(1_024));
  for (const n of [1, 3]) {
    const part = {
      key: `${folderOf(n)}part-00001`,
      bytes: archive.length,
      sha256: createHash('sha256').update(archive).digest('hex'),
    };
    await store.put(part.key, archive);
    const facts = {
      major: 18,
      segmentBytes,
      program: 'test',
      archiveBytes: 1_024,
      parts: [part],
      system: '1',
      timeline: 1,
    };
    const base: Base = { ...facts, chain: 'aa', finishedAt: day(n), startLsn: at(n), endLsn: at(n) };
    await putJson(store, names.baseFile(folderOf(n)), base);
  }
  const marks = new Marks(store, 'aa');
  for (let n = 1; n < 6; n++) {
    await store.put(segment(n), gzipSync(Buffer.alloc(100)));
    await marks.add({ at: day(n + 1), lsn: at(n + 1), timeline: 1 });
  }
  await putJson(store, names.reach('aa'), { at: day(6), lsn: at(6), timeline: 1 });
  return store;
}

const planRestore = async (store: Store, moment: Date | null) => (await planRestores(store, moment)).plans[0];

test('a moment is restored from the log up to it: what came later may be damaged or gone, and is not fetched', async () => {
  const store = await target();
  const moment = new Date('2026-03-03T12:00:00Z');
  expect((await planRestore(store, moment)).log.map(one => one.key)).toEqual([segment(3)]);
  await store.remove(segment(4));
  await damage(store, segment(5));
  const plan = await planRestore(store, moment);
  expect(plan.log.map(one => one.key)).toEqual([segment(3)]);
  await expect(planRestore(store, new Date('2026-03-04T12:00:00Z'))).rejects.toThrow('has a gap');
  // Where the marks are damaged too, the log up to its end is wanted, as of archives that have none.
  await damage(store, names.marks('aa', day(4)));
  await expect(planRestore(store, moment)).rejects.toThrow('has a gap');
});

test('a backup.json that is damaged is named, and hides no other backup', async () => {
  const store = await target();
  const key = names.baseFile(folderOf(3));
  for (const body of ['{', '[]', 'null', '{"parts": 5}', '"x"', '\u0000'.repeat(4_000_000)]) {
    await store.put(key, Buffer.from(body));
    const { bases, damaged } = await readCatalogue(store);
    expect(bases.map(one => one.finishedAt)).toEqual([day(1)]);
    expect(damaged.length === 0 || damaged[0]!.key === key).toBe(true);
  }
  // A flipped bit leaves JSON of values that are none.
  const good = JSON.parse(String(await store.get(names.baseFile(folderOf(1))))) as Base;
  for (const wrong of [
    { startLsn: '0/20X0000' },
    { startLsn: '' },
    { finishedAt: '2026-0-03' },
    { timeline: 1.5 },
    { segmentBytes: '16777216' },
    { parts: [null] },
    { parts: [{ key: 5 }] },
    { chain: 5 },
  ]) {
    await putJson(store, key, { ...good, ...wrong });
    expect((await planRestores(store, null)).plans.map(one => one.base.finishedAt)).toEqual([day(1)]);
    expect((await readCatalogue(store)).damaged).toEqual([{ key, why: expect.stringContaining(key) }]);
  }
  const { plans, damaged } = await planRestores(store, null);
  expect([plans[0].base.finishedAt, damaged]).toEqual([day(1), [expect.stringContaining(key)]]);
  expect(await verify(store)).toMatchObject({ ok: false, from: day(1), wrong: [expect.stringContaining(key)] });
});

test('where reach.json is damaged the marks say how far the log reaches', async () => {
  const store = await target();
  await damage(store, names.reach('aa'));
  expect((await planRestore(store, null)).reach).toMatchObject({ at: day(6), lsn: at(6) });
  for (const wrong of [{ at: day(6), lsn: '0/Z' }, { at: 'yesterday', lsn: at(6) }, { at: day(6) }, []]) {
    await putJson(store, names.reach('aa'), wrong);
    expect((await planRestore(store, null)).reach).toMatchObject({ at: day(6), lsn: at(6) });
  }
  await putJson(store, names.marks('aa', day(7)), [null, { at: day(7), lsn: 'Z/0' }, { at: 7, lsn: at(7) }]);
  expect((await planRestore(store, null)).reach).toMatchObject({ at: day(6), lsn: at(6) });
  for (const { key } of await store.list(names.allMarks('aa'))) await damage(store, key);
  await expect(planRestore(store, null)).rejects.toThrow(`${names.reach('aa')} is damaged`);
});

test('a damaged newest backup is left out in favour of the one before, --from chooses, and nothing is left behind', async () => {
  const store = await target();
  const folder = join(temporaryFolder(), 'data');
  await store.put(`${folderOf(3)}part-00001`, Buffer.from('broken'));
  const { plans } = await planRestores(store, null);
  expect(plans.map(one => one.base.finishedAt)).toEqual([day(3), day(1)]);
  await expect(unpackNew(store, plans[0], folder)).rejects.toThrow('part-00001 is damaged');
  expect(readdirSync(join(folder, '..'))).toEqual([]);
  const used = await withFirstWhole(plans, silentLog, async plan => {
    await unpackNew(store, plan, folder).catch(error => {
      // The server's folders are in no archive of this test.
      if (!/pg_wal/.test(error.message)) throw error;
    });
    return plan.base.finishedAt;
  });
  expect(used).toBe(day(1));
  expect(existsSync(`${folder}.restoring`)).toBe(false);
  await store.remove(`${folderOf(3)}part-00001`);
  expect((await planRestores(store, null)).plans.map(one => one.base.finishedAt)).toEqual([day(1)]);
  const chosen = await planRestores(store, null, plans[1]!.base.name);
  expect(chosen.plans.map(one => one.base.finishedAt)).toEqual([day(1)]);
  await expect(planRestores(store, null, 'nothing')).rejects.toThrow('There is no backup nothing');
});

test('the newest data, which know who refused since, are read from the backup before where the newest one is damaged', async () => {
  const whole = await target();
  const fetched: string[] = [];
  const get = (key: string) => {
    fetched.push(key);
    return whole.get(key);
  };
  const store: Store = { ...whole, get };
  await store.put(`${folderOf(3)}part-00001`, Buffer.from('broken'));
  const { plans } = await planRestores(store, null);
  const options = { store, plans: plans.slice(0, 1), dataDir: temporaryFolder(), log: silentLog };
  const later = { plans, read: () => Promise.resolve(null) };
  fetched.length = 0;
  await expect(restoreEmbedded(options, later, async () => null)).rejects.toThrow('part-00001 is damaged');
  expect(fetched.slice(0, 3)).toEqual([`${folderOf(3)}part-00001`, `${folderOf(1)}part-00001`, segment(1)]);
});

test('a target that does not answer is an error and no damage; an archive that its own list cuts short is damage', async () => {
  const store = await target();
  const away: Store = {
    ...store,
    get: async key => (key.endsWith('part-00001') ? Promise.reject(new Error('ETIMEDOUT')) : store.get(key)),
  };
  await expect(verify(away)).rejects.toThrow('ETIMEDOUT');
  const key = names.baseFile(folderOf(3));
  const base = JSON.parse(String(await store.get(key))) as Base;
  await putJson(store, key, { ...base, parts: [] });
  expect(await verify(store)).toMatchObject({
    ok: false,
    wrong: [expect.stringContaining('the archive of the backup')],
  });
});
