import { expect, test } from 'vitest';
import type { Answer } from '../../../src/panel-api/contract/contract.ts';
import type { LocalList } from './messages.ts';
import { type Post, piecesOf, StoredDraft } from './stored-draft.ts';

const head = { sender: 'APITEST', text: 'Merhaba', sendAt: null, commercial: false };
const shape = { fileName: 'a.csv', header: false, numberColumn: 0, names: ['numara'] };
const list = (count: number, listVersion = 1): LocalList => ({
  rows: Array.from({ length: count }, (_, i) => [String(i)]),
  shape,
  listVersion,
});

/** A server that says yes, and remembers what it was asked. */
function server(answer: (name: string, n: number) => unknown = () => ({})) {
  const asked: string[] = [];
  const post = async (name: string) => {
    asked.push(name);
    await Promise.resolve();
    const data = answer(name, asked.length);
    return (
      data instanceof Error
        ? { ok: false, error: { code: data.message, tr: '', en: '' } }
        : { ok: true, data: { id: 7, listNo: 1, version: asked.length, ...(data as object) } }
    ) as Answer<never>;
  };
  return { asked, post: post as unknown as Post };
}

const nothing = () => {};

test('a list leaves once, however often the text changes after it', async () => {
  const { asked, post } = server();
  const draft = new StoredDraft(post);
  await draft.keep(head, list(25_000), nothing);
  expect(asked.splice(0)).toEqual([
    'drafts.create',
    'drafts.startList',
    'drafts.putRows',
    'drafts.putRows',
    'drafts.putRows',
    'drafts.prepare',
  ]);
  await draft.keep({ ...head, text: 'başka' }, list(25_000), nothing);
  expect(asked.splice(0)).toEqual(['drafts.save', 'drafts.prepare']);
  await draft.keep({ ...head, text: 'başka' }, list(3, 2), nothing);
  expect(asked).toEqual(['drafts.startList', 'drafts.putRows', 'drafts.prepare']);
});

test('an upload that is overtaken by another list stops, and the newer one is stored whole', async () => {
  const { asked, post } = server();
  const draft = new StoredDraft(post);
  const first = draft.keep(head, list(100_000), nothing);
  await Promise.resolve();
  const second = draft.keep(head, list(3, 2), nothing);
  expect(await first).toBeNull();
  expect((await second)?.ok).toBe(true);
  expect(asked.filter(name => name === 'drafts.putRows').length).toBeLessThan(5);
  expect(asked.at(-1)).toBe('drafts.prepare');
});

test('a draft that was deleted somewhere else becomes a new one, list included', async () => {
  const { asked, post } = server((name, n) => (name === 'drafts.save' && n > 4 ? new Error('not-found') : {}));
  const draft = new StoredDraft(post);
  await draft.keep(head, list(3), nothing);
  asked.length = 4;
  await draft.keep({ ...head, text: 'başka' }, list(3), nothing);
  expect(asked.slice(4)).toEqual([
    'drafts.save',
    'drafts.create',
    'drafts.startList',
    'drafts.putRows',
    'drafts.prepare',
  ]);
});

test('a draft that was opened and not touched is not stored again, whatever order its members have', async () => {
  const { asked, post } = server();
  const draft = new StoredDraft(post);
  const { sender, text, ...rest } = head;
  draft.adopt(7, { ...rest, text, sender }, list(3));
  await draft.keep(head, list(3), nothing);
  expect(asked).toEqual(['drafts.prepare']);
});

test('what somebody else changed meanwhile is stored again as it stands here, before it can be sent', async () => {
  let isChanged = true;
  const { asked, post } = server(name => (name === 'drafts.submit' && isChanged ? new Error('draft-changed') : {}));
  const draft = new StoredDraft(post);
  await draft.keep(head, list(3), nothing);
  expect((await draft.submit(3)).ok).toBe(false);
  isChanged = false;
  asked.length = 0;
  await draft.keep(head, list(3), nothing);
  expect(asked).toEqual(['drafts.save', 'drafts.startList', 'drafts.putRows', 'drafts.prepare']);
  expect((await draft.submit(4)).ok).toBe(true);
});

test('a refusal in the middle of an upload is reported, and the next try sends the list again', async () => {
  let refuse = true;
  const { asked, post } = server(name => (name === 'drafts.putRows' && refuse ? new Error('signed-out') : {}));
  const draft = new StoredDraft(post);
  expect(await draft.keep(head, list(3), nothing)).toMatchObject({ ok: false, error: { code: 'signed-out' } });
  refuse = false;
  asked.length = 0;
  expect(await draft.keep(head, list(3), nothing)).toMatchObject({ ok: true });
  expect(asked).toEqual(['drafts.startList', 'drafts.putRows', 'drafts.prepare']);
});

test('pieces hold at most ten thousand rows and four million characters, in order, nothing left out', () => {
  const wide = Array.from({ length: 10_000 }, (_, i) => [String(i), 'x'.repeat(2_000)]);
  const pieces = [...piecesOf(wide)];
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.flat().map(row => row[0])).toEqual(wide.map(row => row[0]));
  expect(Math.max(...pieces.map(piece => JSON.stringify(piece).length))).toBeLessThan(5_000_000);
  expect(pieces[0]![0]![1]).toHaveLength(1_000);
});
