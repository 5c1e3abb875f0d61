// Requests with several messages: gathering, partial answers, refusals because of one message, and lost answers. Simulators of the
// providers whose presets batch, through the dispatcher as the program runs it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HttpCarrier } from '../../../simulators/http-carrier/main.ts';
import { changeSettings } from '../../accounts/settings.ts';
import { presets } from '../../carriers/http/presets.ts';
import { type DispatchBench, dispatchBench } from '../dispatch-fixture.ts';
import { HttpBench } from './http-fixture.ts';
import { judge } from './rules.ts';

let bench: DispatchBench;
let http: HttpBench;
beforeEach(async () => {
  bench = await dispatchBench();
  http = await new HttpBench(bench.db).start();
});
afterEach(async () => {
  await bench.close();
  await http.close();
});

const numbersTo = (count: number, first = 905_550_000_000) =>
  Array.from({ length: count }, (_, i) => String(first + i));

/** The numbers of each request, in the order of the requests. */
function requestsOf(provider: HttpCarrier): string[][] {
  return provider.bodies
    .filter(body => body.includes('msisdn') || body.includes('dest'))
    .map(body => {
      const { messages, smsmessages } = JSON.parse(body);
      return (messages ?? smsmessages).map((one: { dest?: string; msisdn?: string }) => one.dest ?? one.msisdn);
    });
}

test('messages sent together share requests up to the batch size, the first goes alone, and each is sent once', async () => {
  const provider = await http.carrier('verimor', { window: '1000' }, { together: 100 });
  await bench.dispatcher();
  const account = await bench.account();
  const numbers = numbersTo(600);
  const order = await bench.accept(account, 'Kampanya', numbers);
  const ends = await bench.finished(order);
  expect(ends.every(one => one.status === 111)).toBe(true);
  const requests = requestsOf(provider);
  expect(requests[0]).toHaveLength(1);
  expect(Math.max(...requests.map(one => one.length))).toBeGreaterThan(50);
  expect(Math.max(...requests.map(one => one.length))).toBeLessThanOrEqual(500);
  expect(requests.flat().sort()).toEqual(numbers.sort());
});

test('different texts, senders and consents never share a request that has them outside of its list', async () => {
  const provider = await http.carrier('verimor', { window: '500' }, { together: 100 });
  await bench.dispatcher();
  const account = await bench.account();
  await changeSettings(bench.db, account, { mode: 'turkish' });
  const texts = ['Merhaba', 'Günaydın, ışık'];
  const orders = await Promise.all(
    texts.map((text, i) => bench.accept(account, text, numbersTo(200, 905_320_000_000 + i * 1_000))),
  );
  for (const order of orders) expect((await bench.finished(order)).every(one => one.status === 111)).toBe(true);
  for (const body of provider.bodies) {
    const { messages, datacoding } = JSON.parse(body) as { messages: { msg: string }[]; datacoding: string };
    // The coding stands beside the list: one text is of GSM 7 bit, the other is not.
    expect(new Set(messages.map(one => one.msg)).size).toBe(1);
    expect(datacoding).toBe(messages[0]!.msg === 'Merhaba' ? '0' : '1');
  }
});

test('each message of an answer ends as its entry says', async () => {
  const provider = await http.carrier('jetsms', { window: '500' });
  await bench.dispatcher();
  const account = await bench.account();
  const numbers = numbersTo(200);
  const refused = ['905559999002', '905558889002'];
  const undelivered = '905557779001';
  const order = await bench.accept(account, 'Kampanya', [...numbers, ...refused, undelivered]);
  const ends = new Map((await bench.finished(order)).map(one => [String(one.number), one]));
  expect(numbers.every(one => ends.get(one)!.status === 111)).toBe(true);
  expect(refused.map(one => [ends.get(one)!.status, ends.get(one)!.reason])).toEqual([
    [112, 12],
    [112, 12],
  ]);
  expect(ends.get(undelivered)!.status).toBe(112);
  expect(provider.taken.map(one => one.to).sort()).toEqual([...numbers, undelivered].sort());
  expect(Math.max(...requestsOf(provider).map(one => one.length))).toBeGreaterThan(10);
});

test('a refused request is sent again in halves until the refused message is alone', async () => {
  const provider = await http.carrier('verimor', { window: '500' }, { together: 100 });
  await bench.dispatcher();
  const account = await bench.account();
  const numbers = numbersTo(200);
  const refused = '905559999002';
  const order = await bench.accept(account, 'Kampanya', [...numbers, refused]);
  const ends = new Map((await bench.finished(order)).map(one => [String(one.number), one]));
  expect(numbers.filter(one => ends.get(one)!.status !== 111)).toEqual([]);
  expect(ends.get(refused)).toMatchObject({ status: 112, reason: 12 });
  expect(provider.taken.map(one => one.to).sort()).toEqual(numbers.sort());
});

test('a lost answer puts every message of its request in doubt: none is sent again, and other messages are sent', async () => {
  const lost = '905559999014';
  const provider = await http.carrier(
    'verimor',
    // A message in doubt ends, in both lanes: none is sent once more.
    { window: '500', unsure: 'fail' },
    {},
    {
      answer: { ...presets['verimor']!.answer, seconds: 1 },
    },
  );
  // Without receipts the outcome stays unknown.
  provider.setCallback('');
  await bench.dispatcher();
  const account = await bench.account();
  const order = await bench.accept(account, 'Kampanya', [...numbersTo(200), lost]);
  await expect.poll(() => requestsOf(provider).find(one => one.includes(lost)), { timeout: 20_000 }).toBeDefined();
  const together = requestsOf(provider).find(one => one.includes(lost))!;
  expect(together.length).toBeGreaterThan(1);
  const ends = async () => {
    const found = (await bench.messages(order)).filter(one => together.includes(String(one.number)));
    return found.map(one => [one.status, one.reason]);
  };
  await expect.poll(ends, { timeout: 20_000 }).toEqual(together.map(() => [112, 15]));
  expect(
    requestsOf(provider)
      .flat()
      .filter(one => together.includes(one)),
  ).toHaveLength(together.length);
});

test('of an answer with a list, a message without an entry is in doubt, and so are all where entries are counted and one is missing', () => {
  const jetsms = presets['jetsms']!;
  const messages = ['1', '2', '3'].map(id => ({ ownId: id, to: `90555000000${id}` }));
  const entries = (list: object[]) => JSON.stringify({ smsmessages: list });
  const kinds = (definition: typeof jetsms, body: string) => {
    const judged = judge(definition, 200, body, messages);
    return judged === 'halve' ? judged : judged.map(one => one.kind);
  };
  const of = (messageid: string, status: number) => ({
    messageid,
    status,
    msisdn: `5550000000${messageid}`.slice(-10),
  });
  expect(kinds(jetsms, entries([of('3', 0), of('1', 7)]))).toEqual(['refused', 'unknown', 'sent']);
  expect(kinds(jetsms, entries([of('3', 0), of('2', 0), of('1', 0), of('9', 0)]))).toEqual(['sent', 'sent', 'sent']);
  const { id: _, ...unnamed } = jetsms.batch!;
  const byNumber = { ...jetsms, batch: { ...unnamed, number: '/msisdn' } };
  expect(kinds(byNumber, entries([{ status: 0, msisdn: '+905550000002' }]))).toEqual(['unknown', 'sent', 'unknown']);
  const byOrder = { ...jetsms, batch: unnamed };
  expect(kinds(byOrder, entries([of('1', 0), of('2', 5), of('3', 0)]))).toEqual(['sent', 'refused', 'sent']);
  expect(kinds(byOrder, entries([of('1', 0), of('2', 5)]))).toEqual(['unknown', 'unknown', 'unknown']);
  const inXml: typeof jetsms = {
    ...jetsms,
    answer: { read: 'xml', rules: [{ when: [{ at: 'answer/status', equals: 'ok' }], means: 'sent' }] },
    batch: {
      size: 10,
      list: 'answer/messages/sms',
      id: '@ref',
      rules: [
        { when: [{ at: 'state', equals: 'queued' }], means: 'sent', id: 'id' },
        { when: [{ at: 'state', equals: 'refused' }], means: 'failed' },
      ],
    },
  };
  const elements = [...'31'].map(
    id => `<sms ref="${id}"><state>${id === '1' ? 'refused' : 'queued'}</state><id>x${id}</id></sms>`,
  );
  const answer = `<answer><status>ok</status><messages>${elements.join('')}</messages></answer>`;
  expect(kinds(inXml, answer)).toEqual(['refused', 'unknown', 'sent']);
  expect(judge(presets['verimor']!, 400, 'FORBIDDEN_MESSAGE', messages)).toBe('halve');
});
