import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';
import { countBytes, isHarmless } from './harmless-json.ts';
import { JsonScan, type ScanBounds, usualBounds } from './json-scan.ts';
import { buildJson, openInSteps, openLargeJson, scanJson } from './large-json.ts';
import { readingOf } from './reading.ts';

const nobody = async () => {};
const wide: ScanBounds = { ...usualBounds, depth: 100, pieceBytes: 8 };

/** Returns the value, or the refusal. */
async function read(text: string, bounds = wide): Promise<unknown> {
  const bytes = Buffer.from(text);
  try {
    const scan = await scanJson(bytes, bounds);
    return await buildJson(bytes, scan.root!);
  } catch (error) {
    if (error instanceof Refusal) return 'refused';
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    const value = JSON.parse(Buffer.from(text).toString('utf8'));
    return typeof value === 'object' && value !== null ? value : 'refused';
  } catch {
    return 'refused';
  }
}

test('any JSON, cut at any size, is read as JSON.parse reads it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.json({ maxDepth: 6 }),
      fc.integer({ min: 1, max: 60 }),
      fc.nat({ max: 4 }),
      async (text, pieceBytes, margin) => {
        const spaced = JSON.stringify(JSON.parse(text), null, margin);
        expect(await read(spaced, { ...wide, pieceBytes })).toEqual(parse(spaced));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('what JSON.parse refuses is refused, and only that', async () => {
  const letters = [...'{}[]:,"\\/ \n\t0123456789-+.eEtrufalsn_u00ş\u0001\u2028'];
  const noise = fc.array(fc.constantFrom(...letters, '{"', '":', '"a"', '[]', 'null', 'true', '\\u00e9', '1e5'), {
    maxLength: 14,
  });
  await fc.assert(
    fc.asyncProperty(noise, async parts => {
      for (const text of [parts.join(''), `[${parts.join('')}]`, `{"a":${parts.join('')}}`])
        expect([text, await read(text)]).toEqual([text, parse(text)]);
    }),
    { numRuns: 3_000 },
  );
});

test('a valid document with one letter changed is read or refused as JSON.parse does', async () => {
  const document = fc.json({ maxDepth: 4 }).map(text => `{"request":${text}}`);
  await fc.assert(
    fc.asyncProperty(document, fc.nat(), fc.constantFrom(...'{}[]:,"\\0-.e tn\x00'), async (text, at, letter) => {
      const place = at % text.length;
      const changed = text.slice(0, place) + letter + text.slice(place + 1);
      expect([changed, await read(changed)]).toEqual([changed, parse(changed)]);
    }),
    { numRuns: 2_000 },
  );
});

test('the credentials are those that JSON.parse would give: the last ones, however their names are written', async () => {
  for (const way of [openInSteps, openLargeJson]) await expectLastCredentials(way);
});

async function expectLastCredentials(way: typeof openInSteps): Promise<void> {
  const seen: unknown[] = [];
  const open = (text: string) => way(Buffer.from(text), async given => void seen.push(given));
  await open(
    '{"request":{"authentication":{"key":"1"}},"request":{"authentication":{"key":"2"}},"a":{"authentication":3}}',
  );
  await open('{"request":{"authentication":{"key":"1"},"authentication":[4]}}');
  await open('{"\\u0072equest":{"a":{"authentication":{"key":"x"}},"authenticatio\\u006e" : {"key":"5"} , "b":1}}');
  await open('{"request":{"authentication":{"key":"1"}},"request":{}}');
  await open('{"request":{"authentication":"6"},"a":["b"]}');
  await open('{"x":[{"request":{"authentication":7}}],"request":{"__proto__":{"authentication":8}}}');
  expect(seen).toEqual([{ key: '2' }, [4], { key: '5' }, undefined, '6', undefined]);
  await expect(open('{"request":{"authentication":{}},"request":[]}')).rejects.toBeInstanceOf(Refusal);
  await expect(open('{"__proto__":{"request":{}}}')).rejects.toBeInstanceOf(Refusal);
}

test('nothing is built before its credentials are verified, and more values or levels than any request has are refused before that', async () => {
  const refusal = new Refusal(401);
  const stranger = async () => {
    throw refusal;
  };
  await expect(openLargeJson(Buffer.from('{"request":{}}'), stranger)).rejects.toBe(refusal);
  const names = Array.from({ length: 100_001 }, (_, i) => `"${i}":0`);
  const text = 'x'.repeat(5_000_000);
  for (const inside of [
    `[${'{},'.repeat(500_000)}0]`,
    `${'['.repeat(11)}${']'.repeat(11)}`,
    `{${names.join(',')}}`,
    `"${text}"`,
    `{"${text}":0}`,
    '1'.repeat(5_000_000),
  ])
    await expect(openLargeJson(Buffer.from(`{"request":{"x":${inside}}}`), stranger)).rejects.toMatchObject({
      code: 400,
    });
  const most = `{"request":{"x":${'['.repeat(10)}${']'.repeat(10)},"y":[${'0,'.repeat(499_000)}0]}}`;
  expect(await openLargeJson(Buffer.from(most), nobody)).toEqual(JSON.parse(most).request);
});

test('a long document is looked through in steps of bounded length', () => {
  const scan = new JsonScan(Buffer.from(`[${'"5550000000",'.repeat(10_000)}0]`), usualBounds);
  let steps = 1;
  while (!scan.step(1_000)) steps++;
  expect(steps).toBeGreaterThan(100);
});

test('50,000 recipients are parsed at once, however they are laid out, and what would take long is not', () => {
  const number = Array.from({ length: 50_000 }, (_, i) => `+90555${1_000_000 + i}`);
  const request = {
    authentication: { key: 'a', hash: 'b' },
    order: { message: { text: 'a', receipents: { number } } },
  };
  for (const margin of [0, 1, 4]) expect(isHarmless(Buffer.from(JSON.stringify({ request }, null, margin)))).toBe(true);
  for (const piece of ['9e9,', '{},', '[],', '"a":0,', '{"a":', '[', ' '])
    expect([piece, isHarmless(Buffer.from(piece.repeat(3_000_000 / piece.length)))]).toEqual([piece, false]);
});

test('bytes are counted exactly, wherever they stand in memory', () => {
  const bytes = fc.uint8Array({ maxLength: 3_000 });
  fc.assert(
    fc.property(bytes, fc.nat({ max: 7 }), fc.constantFrom(0x2c, 0x2d, 0x00, 0xff), (given, offset, byte) => {
      // Every second member is the one that is searched for.
      const part = Buffer.from(given.map((one, i) => (i % 2 ? one : byte))).subarray(offset);
      expect(countBytes(part, byte)).toBe(part.filter(one => one === byte).length);
    }),
  );
});

test('up to 64 kB an honest body is parsed at once; of one that is slow to parse nothing is built for strangers', async () => {
  const open = (text: string) => {
    expect(text.length).toBeLessThanOrEqual(limits.largeBodyBytes);
    return readingOf('json', { contentType: undefined, query: '', body: Buffer.from(text) }).open(() =>
      Promise.reject(new Refusal(401)),
    );
  };
  const numbers = Array.from({ length: 4_200 }, (_, i) => String(905_550_000_000 + i));
  const message = Array.from({ length: 820 }, (_, i) => ({ text: `Kod ${i}`, receipents: { number: [numbers[i]] } }));
  for (const order of [{ message: { text: 'a', receipents: { number: numbers } } }, { message }])
    expect(open(JSON.stringify({ request: { order } }))).toEqual({ order });
  const names = Array.from({ length: 5_000 }, (_, i) => `"n${i}":0`).join(',');
  const login = '"authentication":{"key":"k","hash":"h"}';
  // Read in steps: a promise, which the stranger's credentials or the grammar end.
  for (const slow of [
    '['.repeat(60_000),
    '{"a":'.repeat(12_000),
    `{"request":{${login},"a":[${'9e9,'.repeat(15_000)}0]}}`,
    `{"request":{${login},${names}}}`,
    `{"request":{"authentication":{${names}}}}`,
  ])
    await expect(open(slow), slow.slice(0, 80)).rejects.toThrow(Refusal);
});
