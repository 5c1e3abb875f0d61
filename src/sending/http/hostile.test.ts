// Providers that stall, never end, send wrong lengths, redirect or speak another protocol, and strangers who post receipts; through the
// dispatcher and the handler as the program runs them. After an answer that is not understood the message may be on the air: it is not
// sent again and not charged.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answer, type Behaviour, HostileProvider, pour } from '../../../test/support/carriers/hostile-provider.ts';
import { wait } from '../../../test/support/run/wait.ts';
import { readBalance } from '../../balance/ledger.ts';
import { callbackUrl, carriersWithPasswords, findCarrier, putCarrier } from '../../carriers/carriers.ts';
import type { Definition } from '../../carriers/http/definition.ts';
import { presets } from '../../carriers/http/presets.ts';
import { retryAfterMs } from '../../http-client/retry-after.ts';
import { nowMs } from '../../time/clock.ts';
import { type DispatchBench, dispatchBench, secretKey } from '../dispatch-fixture.ts';
import { HttpBench } from './http-fixture.ts';

const generic = presets['generic']!;

const good = { accepted: true, id: 'a1' };
const letters = Buffer.alloc(16 * 1024, 'x');
let poured = 0;
const pouring = (head: string): Behaviour => {
  return socket => {
    socket.write(head);
    pour(socket, letters, bytes => {
      poured += bytes;
    });
  };
};

const misbehaviours: Record<string, Behaviour> = {
  'stalls after the headers': socket => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 30\r\n\r\n'),
  'stalls in the middle of the body': socket => socket.write(answer(good).slice(0, -5)),
  'stalls in the middle of the headers': socket => socket.write('HTTP/1.1 200 OK\r\ncontent-le'),
  'sends one byte and closes': socket => socket.end('H'),
  'closes in the middle of the body': socket => socket.end(answer(good).slice(0, -5)),
  'never ends, in chunks': pouring('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffff\r\n'),
  'never ends, without a length': pouring('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n'),
  'never ends its headers': pouring('HTTP/1.1 200 OK\r\nx-long: '),
  'says 1xx for ever': socket => {
    const again = () => socket.writable && socket.write('HTTP/1.1 102 Processing\r\n\r\n', () => setTimeout(again, 5));
    again();
  },
  'leads elsewhere': socket => socket.write(answer('', '302 Found', 'location: /elsewhere\r\n')),
  'leads elsewhere and asks for the same again': socket =>
    socket.write(answer('', '307 Temporary Redirect', 'location: /elsewhere\r\n')),
  'answers in another protocol': socket => socket.end('220 mail.example.com ESMTP\r\n'),
  'answers with a page': socket => socket.write(answer('<html><body>accepted</body></html>')),
  'answers with half of the JSON': socket => socket.write(answer('{"accepted":true,"id":"a1"')),
  'answers with JSON of another shape': socket => socket.write(answer([[good]])),
  'answers with very deep JSON': socket => socket.write(answer('['.repeat(60_000))),
  'says "sent" without an id': socket => socket.write(answer({ accepted: true })),
  'repeats the number in its words': (socket, { body }) =>
    socket.write(
      answer({ error: `no route for ${body.to}, said (0${body.to?.slice(3, 6)}) ${body.to?.slice(6)}` }, '418 Unknown'),
    ),
  'says nothing at all': socket => socket.write(answer('', '204 No Content')),
  'switches to another protocol': socket =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
};
const names = Object.keys(misbehaviours);
const definition: Definition = {
  ...generic,
  ids: 'theirs',
  idempotent: false,
  send: { ...generic.send, headers: {} },
  answer: {
    read: 'json',
    seconds: 1,
    rules: [
      { status: [2], when: [{ at: '/accepted', equals: 'true' }], means: 'sent', id: '/id' },
      { status: [429], means: 'slow' },
      { status: [503], means: 'retry' },
      { status: [418], means: 'unknown', words: '/error' },
    ],
  },
};
/** 90 555 1NN 0000: of the misbehaviour NN. */
const numberOf = (name: string, end: string) => `905551${String(names.indexOf(name)).padStart(2, '0')}${end}`;

let bench: DispatchBench;
let provider: HostileProvider;
let resting: HostileProvider;

function addCarrier(name: string, url: string, settings: Record<string, string>): Promise<unknown> {
  const own = { kind: 'http', url, private: 'on', password: 'gizli-parola' };
  return putCarrier(bench.db, secretKey, name, {
    ...own,
    definition: JSON.stringify(definition),
    // The rule of campaigns for all of them.
    unsure: 'fail',
    ...settings,
  });
}

beforeAll(async () => {
  bench = await dispatchBench();
  provider = await new HostileProvider((socket, asked) => {
    const name = names[Number(asked.body.to?.slice(7, 9))];
    const isGood = asked.path !== '/messages' || asked.body.to?.endsWith('9') || name === undefined;
    if (isGood) socket.write(answer({ accepted: true, id: `a${provider.asked.length}` }));
    else misbehaviours[name]!(socket, asked);
  }).start();
  const pauses = ['1', '90'];
  resting = await new HostileProvider(socket => {
    const pause = pauses.shift();
    if (pause) socket.write(answer({}, '429 Too Many Requests', `retry-after: ${pause}\r\n`));
    else socket.write(answer({ accepted: true, id: `r${resting.asked.length}` }));
  }).start();
  for (const name of names) await addCarrier(`c${names.indexOf(name)}`, provider.url, { prefixes: numberOf(name, '') });
  await addCarrier('resting', resting.url, { prefixes: '9055599', priority: '1' });
  await addCarrier('beside', provider.url, { prefixes: '9055599', priority: '2' });
  await bench.dispatcher();
});
afterAll(async () => {
  await bench.close();
  await Promise.all([provider.stop(), resting.stop()]);
});

const requestsFor = (number: string) => provider.asked.filter(one => one.body.to === `+${number}`).length;

test('anything but a valid answer is an unknown outcome: the message is written once, never "sent", not charged, and the carrier goes on', async () => {
  const account = await bench.account();
  const before = await readBalance(bench.db, account);
  const bad = names.map(name => numberOf(name, '0000'));
  const ends = await bench.finished(await bench.accept(account, 'Merhaba', bad));
  const endOf = (number: string) => ends.find(one => String(one.number) === number)!;
  for (const [i, name] of names.entries()) {
    const { status, reason } = endOf(bad[i]!);
    expect.soft([name, status, reason, requestsFor(bad[i]!)]).toEqual([name, 112, 15, 1]);
  }
  expect(await readBalance(bench.db, account)).toEqual(before);
  expect(provider.asked.filter(one => one.path !== '/messages')).toEqual([]);
  const { rows } = await bench.db.query(
    'select s.message_id from submits s join messages m on m.id = s.message_id where m.account_id = $1',
    [account],
  );
  expect(rows).toEqual([]);
  // Kept for staff, without a retention of its own.
  const kept = () => bench.db.query(`select error from carrier_errors where error like 'HTTP 418%'`);
  await wait('its words', async () => (await kept()).rows.length > 0);
  expect((await kept()).rows).toEqual([{ error: 'HTTP 418: no route for ***, said (***' }]);
  // Three providers wrote as fast as possible; kernel buffers of both ends come on top of 64 kB each.
  expect(poured).toBeLessThan(64 * 1024 * 1024);
  const fine = names.map(name => numberOf(name, '0009'));
  await bench.accept(account, 'Devam', fine);
  await wait('every carrier to be used again', () => fine.every(number => requestsFor(number) === 1));
  await wait('idle connections to be given up', () => provider.open === 0);
});

test('after HTTP 429 the link waits for a short Retry-After, and leaves its messages to another carrier for a long one', async () => {
  const account = await bench.account();
  const number = '905559900000';
  await bench.accept(account, 'Yavaş', [number]);
  await wait('both carriers to be asked', () => requestsFor(number) === 1);
  // The second request comes after the demanded second; no third one within the demanded 90 s.
  expect(resting.asked).toHaveLength(2);
  expect(resting.asked[1]!.at - resting.asked[0]!.at).toBeGreaterThanOrEqual(990);
  expect((await findCarrier(bench.db, 'resting'))!.paused).toBe(false);
});

test.each([
  [undefined, 0],
  ['3', 3_000],
  ['Fri, 02 Jan 1970 00:00:00 GMT', 0],
  ['soon', 0],
  ['-5', 0],
  ['99999999999', 0],
])('Retry-After: %s is a pause of %d ms', (header, ms) => {
  expect(retryAfterMs(header)).toBe(ms);
});

test('a post whose signature is missing, wrong, old or of another body is refused and stores nothing', async () => {
  const http = await new HttpBench(bench.db).start();
  const time = { header: 'x-time', seconds: 300 };
  const check = { header: 'x-signature', algorithm: 'sha256', encoding: 'hex', prefix: 'v1=' } as const;
  const hmac = { kind: 'hmac', ...check, over: 'time.body', key: '{{secret:signing}}', time } as const;
  const inbound = { ...generic.inbound!, check: hmac };
  await http.carrier('generic', { prefixes: '0', secret: 'signing=imza-anahtarı' }, {}, { inbound });
  const [carrier] = (await carriersWithPasswords(bench.db, secretKey)).filter(one => one.name === 'generic');
  const url = `${callbackUrl(http.url, carrier!.id, carrier!.secrets)}/inbound`;
  const message = JSON.stringify([{ id: 'h1', from: '+905550000000', to: '4242', text: 'imzalı' }]);
  const seconds = Math.floor(nowMs() / 1_000);
  const sign = (body: string, at: number | string, key = 'imza-anahtarı') =>
    `v1=${createHmac('sha256', key).update(`${at}.${body}`).digest('hex')}`;
  const post = async (signature: string, at: number | string, body = message) =>
    (await fetch(url, { method: 'POST', body, headers: { 'x-signature': signature, 'x-time': String(at) } })).status;
  const stored = async () =>
    (await bench.db.query(`select text from inbound_unrouted where carrier_id = $1`, [carrier!.id])).rows.length;

  expect(await post('', seconds)).toBe(403);
  expect(await post(sign(message, seconds, 'başka'), seconds)).toBe(403);
  expect(await post(sign(message, seconds, ''), seconds)).toBe(403);
  expect(await post(sign(message, seconds), seconds, message.replace('imzalı', 'başka'))).toBe(403);
  expect(await post(sign(message, seconds).slice(3), seconds)).toBe(403);
  for (const old of [seconds - 400, seconds + 400, '', 'x', `${seconds}000`])
    expect([old, await post(sign(message, old), old)]).toEqual([old, 403]);
  expect(await stored()).toBe(0);
  expect(await post(sign(message, seconds), seconds)).toBe(200);
  expect(await stored()).toBe(1);
  // A replayed post: the id is known.
  expect(await post(sign(message, seconds), seconds)).toBe(200);
  expect(await stored()).toBe(1);
  await http.close();
});
