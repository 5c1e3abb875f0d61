// Texts at rest, sealed or not: what is stored, what is returned, and what fails.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderDraft } from '../accept/draft.ts';
import { readRecipients } from '../accept/recipients.ts';
import {
  headOf,
  isSameDigest,
  nameDigest,
  openBytes,
  openJson,
  openText,
  sealBytes,
  sealDigest,
  sealJson,
  sealText,
  sealTextAlike,
  sealTexts,
  shownStart,
  shownText,
  shownTexts,
  Unreadable,
  unreadableText,
  useContentKeys,
} from './content.ts';
import { sha256 } from './digest.ts';

const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const both = Object.assign(Buffer.from(fresh), { older: [old] });
beforeEach(() => useContentKeys(old, 'sealed'));
afterEach(() => useContentKeys(old, 'plain'));

const texts = ['', 'Kodunuz 482913', 'ş😀'.repeat(500), 'peyk1:abc', `${headOf(old)}AAAA`];

test('a sealed text opens to the same, never looks the same twice, and begins with the name of its key', () => {
  for (const text of texts) {
    const [one, other] = [sealText(text), sealText(text)];
    expect([openText(one), openText(other)]).toEqual([text, text]);
    expect(one).not.toBe(other);
    expect(one.startsWith(headOf(old))).toBe(true);
  }
  expect(sealText('Kodunuz 482913')).not.toContain('482913');
});

test('a hundred thousand texts have as many nonces', () => {
  const nonces = new Set<string>();
  for (let i = 0; i < 100_000; i++) nonces.add(sealText('').slice(13, 29));
  expect(nonces.size).toBe(100_000);
});

test('turned off, texts are stored as they are and sealed ones still open; what only looks sealed is sealed all the same', () => {
  const kept = texts.map(text => sealText(text));
  const bytes = sealBytes(Buffer.from('liste'));
  useContentKeys(old, 'plain');
  expect(kept.map(openText)).toEqual(texts);
  expect(openBytes(bytes).toString()).toBe('liste');
  expect(texts.slice(0, 3).map(sealText)).toEqual(texts.slice(0, 3));
  expect(texts.map(sealText).map(openText)).toEqual(texts);
  const looks = Buffer.from('peyk1:liste');
  expect([sealBytes(looks).equals(looks), openBytes(sealBytes(looks)).equals(looks)]).toEqual([false, true]);
  expect(shownTexts(sealTexts(['peyk1:ad']))).toEqual(['peyk1:ad']);
});

test('lists, objects and bytes are sealed whole', () => {
  const head = { text: 'gizli', fallbacks: {} };
  expect(JSON.stringify([sealJson(head), sealTexts(['gizli', 'ad'])])).not.toContain('gizli');
  expect([openJson(sealJson(head)), shownTexts(sealTexts(['gizli', 'ad']))]).toEqual([head, ['gizli', 'ad']]);
  expect(openBytes(sealBytes(Buffer.from([0, 255, 1]))).equals(Buffer.from([0, 255, 1]))).toBe(true);
});

test('one changed letter, a cut end and another key are recognised, never shown as a text', () => {
  const sealed = sealText('Merhaba');
  const changed = [...sealed].map(
    (letter, i) => sealed.slice(0, i) + (letter === 'A' ? 'B' : 'A') + sealed.slice(i + 1),
  );
  // Behind the mark of sealed values; the last letter holds unused bits.
  for (const one of [...changed.slice(6, -1), sealed.slice(0, 20), sealed.slice(0, -4), headOf(old)]) {
    expect(() => openText(one)).toThrow(Unreadable);
    expect(shownText(one)).toBe(unreadableText);
  }
  useContentKeys(fresh, 'sealed');
  expect(() => openText(sealed)).toThrow('which is not given');
  expect(shownTexts([sealed])).toEqual([unreadableText]);
});

test('with a new key both open, the first seals, and what is sealed anew needs the old one no more', () => {
  const before = sealText('Merhaba');
  useContentKeys(both, 'sealed');
  expect(openText(before)).toBe('Merhaba');
  const anew = sealText(openText(before));
  useContentKeys(fresh, 'sealed');
  expect(openText(anew)).toBe('Merhaba');
  expect(() => openText(before)).toThrow(Unreadable);
});

test('the beginning of a text is cut between letters', () => {
  expect(shownStart(sealText('😀😀😀'), 2)).toBe('😀😀');
  expect(shownStart('plain', 2)).toBe('plain');
});

test('the same part in the same place is the same, and nowhere else', () => {
  expect(sealTextAlike('a', '1')).toBe(sealTextAlike('a', '1'));
  expect(new Set([sealTextAlike('a', '1'), sealTextAlike('a', '2'), sealTextAlike('b', '1')]).size).toBe(3);
  expect(openText(sealTextAlike('a', '1'))).toBe('a');
});

test('who knows everything of an order but its code does not find the code by its fingerprint', async () => {
  const draft: OrderDraft = {
    sender: 'PEYK',
    texts: [{ text: 'Kodunuz 482913', recipients: ['5550000000'] }],
    sendAt: null,
    consentCheck: false,
    consentList: null,
    source: 'api',
  };
  const named = async () => (await readRecipients(draft, false)).fingerprint;
  const sealed = await named();
  expect(await named()).toBe(sealed);
  useContentKeys(fresh, 'sealed');
  expect(await named()).not.toBe(sealed);
  useContentKeys(old, 'plain');
  expect(await named()).not.toBe(sealed);
  expect(nameDigest('a')).toEqual(sha256('a'));
});

test('a request is known again by its digest, whichever way it was stored', () => {
  const digest = sha256('body');
  const stored = [digest, sealDigest(digest)];
  useContentKeys(both, 'sealed');
  stored.push(sealDigest(digest));
  useContentKeys(both, 'plain');
  expect(new Set(stored.map(String)).size).toBe(3);
  for (const one of stored)
    expect([isSameDigest(one, digest), isSameDigest(one, sha256('other'))]).toEqual([true, false]);
});
