// What stays, and what can be restored from what is there.
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/run/temporary-folder.ts';
import { setClock } from '../time/clock.ts';
import { type Base, names } from './catalogue.ts';
import { planRestores } from './choose.ts';
import { folderStore } from './folder-store.ts';
import { LogPieces } from './log-pieces.ts';
import { lsnOf, positionOf, segmentName } from './log-position.ts';
import { prune } from './prune.ts';
import { putJson, type Store } from './store.ts';
import { verify } from './verify.ts';

const segmentBytes = 16 * 1024 * 1024;
const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step();
});

const day = (n: number) => `2026-03-${String(n).padStart(2, '0')}T00:00:00.000Z`;
const at = (n: number) => lsnOf(BigInt(n * segmentBytes));

/** A chain with a base at the beginning of each of these days, and a segment for each day up to `reach`. */
async function chain(store: Store, name: string, bases: number[], reach: number): Promise<void> {
  for (const n of bases) {
    const folder = names.base(name, day(n).replace(/[-:.]/g, ''));
    await store.put(`${folder}part-00001`, Buffer.from('x'));
    const facts = { major: 18, segmentBytes, program: 'test', archiveBytes: 1, parts: [], system: '1', timeline: 1 };
    const base: Base = { ...facts, chain: name, finishedAt: day(n), startLsn: at(n), endLsn: at(n) };
    await putJson(store, names.baseFile(folder), base);
  }
  for (let n = bases[0]!; n < reach; n++)
    await store.put(names.log(name, segmentName(1, BigInt(n * segmentBytes), segmentBytes)), Buffer.from('x'));
  await putJson(store, names.reach(name), { at: day(reach), lsn: at(reach), timeline: 1 });
}

const keysOf = async (store: Store) => (await store.list('')).map(one => one.key);

const planRestore = async (store: Store, at: Date | null) => (await planRestores(store, at)).plans[0];

test('every moment of the days to keep stays restorable, and what no such moment needs goes', async () => {
  const store = folderStore(temporaryFolder());
  await chain(store, 'aa', [1, 3, 5], 6);
  await chain(store, 'bb', [7, 9], 10);
  const half = `${names.base('bb', '20260301T000000000Z')}part-00001`;
  const young = `${names.base('bb', '20260310T000000000Z')}part-00001`;
  const [done, needed] = ['erasures/20260301T000000000Z-aa.json', 'erasures/20260302T120000000Z-bb.json'] as const;
  for (const key of [half, young, done, needed]) await store.put(key, Buffer.from('x'));
  undo.push(setClock(() => Date.parse('2026-03-10T01:00:00Z')));
  expect(await prune(store, 6)).toEqual({ bases: 1, objects: 5 });
  expect((await planRestore(store, new Date('2026-03-04T12:00:00Z'))).base.finishedAt).toBe(day(3));
  const left = await keysOf(store);
  expect(left).not.toContain(half);
  expect(left).not.toContain(done);
  expect(left).toEqual(expect.arrayContaining([young, needed]));
  expect(await prune(store, 2)).toMatchObject({ bases: 2 });
  expect((await keysOf(store)).filter(key => key.startsWith('chains/aa/'))).toEqual([]);
  expect(await prune(store, 1)).toMatchObject({ bases: 1 });
  // The last one stays, however old it is.
  undo.push(setClock(() => Date.parse('2027-01-01T00:00:00Z')));
  expect(await prune(store, 1)).toMatchObject({ bases: 0 });
  expect((await planRestore(store, null)).base.finishedAt).toBe(day(9));
});

test('a moment is restored from the last backup before it, if the log reaches it without a gap', async () => {
  const store = folderStore(temporaryFolder());
  await expect(planRestore(store, null)).rejects.toThrow('no whole backup');
  await chain(store, 'aa', [1, 3], 6);
  const plan = await planRestore(store, new Date('2026-03-02T00:00:00Z'));
  expect([plan.base.finishedAt, plan.log.length]).toEqual([day(1), 5]);
  expect((await planRestore(store, new Date('2026-03-05T00:00:00Z'))).log).toHaveLength(3);
  await expect(planRestore(store, new Date('2026-02-01T00:00:00Z'))).rejects.toThrow('nothing before can be restored');
  await expect(planRestore(store, new Date('2026-03-06T00:00:01Z'))).rejects.toThrow(`reaches to ${day(6)}`);
  const [missing] = (await planRestore(store, null)).log;
  await store.remove(missing!.key);
  await expect(planRestore(store, null)).rejects.toThrow('has a gap');
  expect((await verify(store)).wrong).toEqual([expect.stringContaining('has a gap')]);
});

test('a backup whose last file is missing is no backup', async () => {
  const store = folderStore(temporaryFolder());
  await chain(store, 'aa', [1, 3], 6);
  await store.remove(names.baseFile(names.base('aa', '20260303T000000000Z')));
  expect((await planRestore(store, null)).base.finishedAt).toBe(day(1));
});

test('the log is cut into segments by position, whatever pieces it comes in', () => {
  const from = positionOf('2/FE000000');
  const pieces = new LogPieces(from + 77n, 3, segmentBytes);
  expect(pieces.begun()).toBeNull();
  const all = Buffer.alloc(2 * segmentBytes + 5, 'abcdefg');
  for (let i = 0, size = 1; i < all.length; i += size, size = size * 3 + 1)
    pieces.add(from + BigInt(i), all.subarray(i, Math.min(all.length, i + size)));
  expect(pieces.finished.map(one => one.name)).toEqual(['0000000300000002000000FE', '0000000300000002000000FF']);
  expect(Buffer.concat([...pieces.finished, pieces.begun()!].map(one => one.bytes)).equals(all)).toBe(true);
  expect(pieces.begun()!.name).toBe('000000030000000300000000');
  expect(lsnOf(pieces.position)).toBe('3/5');
  expect(() => pieces.add(from, Buffer.from('x'))).toThrow('gap');
});
