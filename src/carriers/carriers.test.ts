// Carriers as the operator writes them down: read strictly, changed member by member, passwords never in the clear.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DispatchBench, dispatchBench, secretKey } from '../sending/dispatch-fixture.ts';
import { carriersWithPasswords, findCarrier, listCarriers, pauseCarrier, putCarrier } from './carriers.ts';

let bench: DispatchBench;

beforeAll(async () => {
  bench = await dispatchBench();
});
afterAll(() => bench.close());

const address = { host: 'smsc.example.com', port: '2775', 'system-id': 'peyk', password: 'gizli-parola' };
const put = (name: string, given: Record<string, string> = {}) => putCarrier(bench.db, secretKey, name, given);

test('a new carrier has what was given and the usual rest', async () => {
  expect(await put('yeni', { ...address, prefixes: '90530, 90531', rate: '200', tls: 'on' })).toMatchObject({
    name: 'yeni',
    host: 'smsc.example.com',
    port: 2_775,
    tls: true,
    rate: 200,
    prefixes: ['90530', '90531'],
    bindType: 'transceiver',
    binds: 1,
    unsure: 'lane',
    paused: false,
  });
});

test('a change touches only what it names, and makes the links bind anew', async () => {
  const before = await put('degisen', { ...address, window: '50' });
  const after = await put('degisen', { rate: '10' });
  expect(after).toMatchObject({ ...before, rate: 10, changedAt: expect.any(Date) });
  expect(after.changedAt.getTime()).toBeGreaterThan(before.changedAt.getTime());
  expect((await put('degisen', { rate: '' })).rate).toBeNull();
});

test('the password is stored sealed, and only who binds reads it', async () => {
  await put('sirli', address);
  const { rows } = await bench.db.query(`select password::text as kept from carriers where name = 'sirli'`);
  expect(Buffer.from((rows[0].kept as string).slice(2), 'hex').toString('latin1')).not.toContain('gizli-parola');
  expect(JSON.stringify(await findCarrier(bench.db, 'sirli'))).not.toContain('gizli-parola');
  const own = (await carriersWithPasswords(bench.db, secretKey)).find(one => one.name === 'sirli');
  expect(own!.password).toBe('gizli-parola');
});

test.each([
  ['port', '0', '--port: "0" is not a whole number from 1 to 65535'],
  ['binds', '33', '--binds: "33" is not a whole number from 1 to 32'],
  ['tls', 'evet', '--tls: "evet" is not on or off'],
  ['bind', 'both', '--bind: "both" is not one of transceiver, transmitter, separate'],
  ['prefixes', '90530;90531', '--prefixes: prefixes are digits, separated by commas'],
  ['host', 'a b', '--host: not a host name or address'],
  ['system-id', 'sixteen-letters!', '--system-id: at most 15 printable ASCII characters'],
  ['color', 'red', 'unknown carrier setting --color; known: kind, host, port,'],
])('a bad %s is refused with its reason, and nothing is written', async (flag, value, reason) => {
  await expect(put('kotu', { ...address, [flag]: value })).rejects.toThrow(reason);
  expect(await findCarrier(bench.db, 'kotu')).toBeUndefined();
});

test('a name is short and plain', async () => {
  await expect(put('iki kelime', address)).rejects.toThrow('a carrier name has 1 to 40');
});

test('the list shows the state that the links published, as long as it is fresh', async () => {
  const { id } = await put('durum', { ...address, binds: '2', priority: '0' });
  const state = async () => (await listCarriers(bench.db)).find(one => one.name === 'durum')!.state;
  const publish = (slot: number, word: string, age = '0 seconds') =>
    bench.db.query(
      `insert into carrier_links (carrier_id, slot, dispatcher_id, state, since, window_used, submitted, throttled, refused, receipts, at)
       values ($1, $2, 1, $3, now(), 0, 0, 0, 0, 0, now() - $4::interval)
       on conflict (carrier_id, slot, dispatcher_id) do update set state = excluded.state, at = excluded.at`,
      [id, slot, word, age],
    );
  expect(await state()).toBe('down');
  await publish(0, 'connecting');
  expect(await state()).toBe('connecting');
  await publish(0, 'bound');
  expect(await state()).toBe('partly bound');
  // The other bind is one of another cell.
  await bench.db.query('update carriers set share = 1 where id = $1', [id]);
  expect(await state()).toBe('bound');
  await bench.db.query('update carriers set share = null where id = $1', [id]);
  await publish(1, 'bound');
  expect(await state()).toBe('bound');
  await pauseCarrier(bench.db, 'durum', true, 'bakim');
  expect(await findCarrier(bench.db, 'durum')).toMatchObject({ state: 'paused', pauseReason: 'bakim' });
  await pauseCarrier(bench.db, 'durum', false);
  await publish(0, 'bound', '20 seconds');
  await publish(1, 'bound', '20 seconds');
  expect(await state()).toBe('down');
  await expect(pauseCarrier(bench.db, 'yok', true)).rejects.toThrow('there is no carrier "yok"');
});
