// A seeded nemesis kills, freezes and breaks things while customers send. They, and the carrier, keep their own records;
// at the end these are compared with the program's. Set PEYK_CHAOS_SEED to play a failed run again, PEYK_CHAOS_FAULTS for a
// longer one.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { brand, campaign, consentTo } from '../support/campaign.ts';
import { plainNumbers } from '../support/journey-numbers.ts';
import { type OutsideCarrier, outsideCarrier } from '../support/outside-carrier.ts';
import { type Customer, type Program, startProgram } from '../support/program.ts';
import { turkeyTime } from '../support/samples.ts';
import { wait } from '../support/wait.ts';

const faultsWanted = Number(process.env['PEYK_CHAOS_FAULTS'] ?? 40);
const betweenFaultsMs = 1_000;
const campaignSize = 1_000;
const endsWithinMs = 180_000;

type Witness = {
  id: string;
  kind: 'code' | 'bulk' | 'campaign' | 'scheduled' | 'cancelled';
  numbers: string[];
  at: number;
};

/** mulberry32: small, and the same on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

class Customers {
  readonly accepted: Witness[] = [];
  unknown = 0;
  readonly refused: number[] = [];
  stopped = false;
  #series = 10;
  readonly #customer: Customer;

  constructor(customer: Customer) {
    this.#customer = customer;
  }

  async run(): Promise<void> {
    await Promise.all([
      ...Array.from({ length: 4 }, (_, line) => this.#codes(plainNumbers(2_000, line))),
      this.#bulk(),
      this.#campaigns(),
      this.#scheduled(),
    ]);
  }

  /** Accepted, refused, or not known: the answer did not come, or was 503. */
  async #note(
    kind: Witness['kind'],
    numbers: string[],
    send: () => Promise<string>,
    at = 0,
  ): Promise<string | undefined> {
    try {
      const id = await send();
      this.accepted.push({ id, kind, numbers, at });
      return id;
    } catch (error) {
      const code = /answered (\d+)/.exec((error as Error).message)?.[1];
      if (code && code !== '503') this.refused.push(Number(code));
      else this.unknown++;
      await pause(50);
      return undefined;
    }
  }

  async #codes(pool: string[]): Promise<void> {
    for (const number of pool) {
      if (this.stopped) return;
      await this.#note('code', [number], () => this.#customer.send('Sifreniz 1234', [number], { sender: 'PEYK' }));
      await pause(40);
    }
  }

  /** Nobody's numbers twice: those of the codes are 0 to 3. */
  #nextSeries(): number {
    if (this.#series >= 900) throw new Error('the numbers are used up: fewer faults, please');
    return this.#series++;
  }

  async #bulk(): Promise<void> {
    while (!this.stopped) {
      const numbers = plainNumbers(600, this.#nextSeries());
      await this.#note('bulk', numbers, () => this.#customer.send('Toplu duyuru', numbers, { sender: 'PEYK' }));
      await pause(400);
    }
  }

  async #campaigns(): Promise<void> {
    while (!this.stopped) {
      const numbers = plainNumbers(campaignSize, this.#nextSeries());
      const consented = await consentTo(this.#customer, numbers).then(
        () => true,
        () => false,
      );
      if (consented) await this.#note('campaign', numbers, () => campaign(this.#customer, 'Kampanya', numbers));
      await pause(400);
    }
  }

  /** Every second one is cancelled close to its time. */
  async #scheduled(): Promise<void> {
    for (let round = 0; !this.stopped; round++) {
      const numbers = plainNumbers(20, this.#nextSeries());
      const at = Math.ceil(Date.now() / 1_000 + 1) * 1_000;
      const members = { sender: 'PEYK', sendDateTime: turkeyTime(at - Date.now()) };
      const id = await this.#note('scheduled', numbers, () => this.#customer.send('Randevu', numbers, members), at);
      if (id && round % 2 === 0) {
        await pause(Math.max(0, at - Date.now() - 20 + 10 * (round % 5)));
        const reply = await this.#customer.call('cancel-order', { order: { id } }).catch(() => undefined);
        if (reply?.code === 200) this.accepted.find(one => one.id === id)!.kind = 'cancelled';
      }
    }
  }
}

function nemesis(program: Program, carrier: OutsideCarrier, random: () => number): () => Promise<string> {
  const signal = (role: 'dispatch' | 'api' | 'background' | 'postgres', name: NodeJS.Signals) => async () =>
    void program.signal(role, name);
  const fault =
    (kind: string, seconds = 1) =>
    async () =>
      void (await carrier.fault(kind, seconds));
  const deeds: Record<string, () => Promise<void>> = {
    'kill dispatch': signal('dispatch', 'SIGKILL'),
    'kill api': signal('api', 'SIGKILL'),
    'kill background': signal('background', 'SIGKILL'),
    'kill postgres': signal('postgres', 'SIGKILL'),
    'shut postgres down': signal('postgres', 'SIGINT'),
    'freeze dispatch': async () => {
      const pid = program.signal('dispatch', 'SIGSTOP');
      await pause(1_000 + random() * 2_000);
      process.kill(pid, 'SIGCONT');
    },
    'kill everything': async () => {
      program.killAll();
      await program.exited();
      await program.start();
    },
    drop: fault('drop'),
    throttle: fault('throttle'),
    garbage: fault('garbage'),
    'garbage-length': fault('garbage-length'),
    unbind: fault('unbind'),
    'accept-then-drop': fault('accept-then-drop', 0.5),
    'slow-read': fault('slow-read'),
    'receipt-flood': fault('receipt-flood'),
    'receipt-unknown-id': fault('receipt-unknown-id'),
  };
  const names = Object.keys(deeds);
  let round = 0;
  return async () => {
    // Each kind once before any comes again, in an order of the seed's choosing.
    if (round++ % names.length === 0) names.sort(() => random() - 0.5);
    const name = names[(round - 1) % names.length]!;
    await deeds[name]!().catch(() => {});
    return name;
  };
}

test('whatever dies or breaks while customers send, their records and the phones agree with the reports', async () => {
  const seed = Number(process.env['PEYK_CHAOS_SEED'] ?? Math.floor(Math.random() * 1e9));
  console.log(`PEYK_CHAOS_SEED=${seed}`);
  const random = randomFrom(seed);
  const program = await startProgram({
    env: { PEYK_SIMULATORS: '', PEYK_UNSURE_HOLD_SECONDS: '2', PEYK_LEASE_SECONDS: '2', PEYK_WORKERS: '2' },
  });
  // The witness forgets nothing, however long the run.
  const carrier = await outsideCarrier({ messagesMax: 10_000_000 });
  await carrier.serve(program, 'outside');
  const customer = await program.account({ credits: 1_000_000, senders: ['PEYK'], brand, set: { rate: '20000' } });

  const customers = new Customers(customer);
  const sending = customers.run();
  const strike = nemesis(program, carrier, random);
  const done: string[] = [];
  for (let i = 0; i < faultsWanted; i++) {
    await pause(betweenFaultsMs * (0.5 + random()));
    done.push(await strike());
  }
  customers.stopped = true;
  await sending;
  const story = `seed ${seed}: ${done.join(', ')}`;
  const { accepted } = customers;
  await wait(
    'everything accepted to end',
    async () => {
      const { rows } = await (await program.db()).query(
        `select 1 from orders where state in ('scheduled', 'sending') limit 1`,
      );
      return rows.length === 0;
    },
    endsWithinMs,
  );

  expect(customers.refused, story).toEqual([]);
  expect(await program.audit(), story).toEqual({ ok: true, findings: [] });
  const db = await program.db();
  const stored = await db.query(`select o.id, o.state, o.total, o.resent from orders o`);
  const orders = new Map(
    (stored.rows as { id: number; state: string; total: number; resent: number }[]).map(one => [String(one.id), one]),
  );
  // What was accepted exists; beside it only what was not answered, and that wholly.
  expect(
    accepted.filter(one => orders.get(one.id)?.total !== one.numbers.length),
    story,
  ).toEqual([]);
  expect(orders.size, story).toBeLessThanOrEqual(accepted.length + customers.unknown);
  expect((await db.query('select 1 from chunks')).rowCount, story).toBe(0);

  const found = await db.query(`select order_id, number, status, reason from messages where order_id = any ($1)`, [
    accepted.map(one => one.id),
  ]);
  const ends = new Map<string, { status: number; reason: number }>();
  for (const one of found.rows as { number: number; status: number; reason: number }[])
    ends.set(String(one.number).slice(2), one);
  const copies = await carrier.copies(accepted.flatMap(one => one.numbers));
  const wrong: string[] = [];
  for (const { id, kind, numbers } of accepted) {
    const { resent } = orders.get(id)!;
    let twice = 0;
    for (const number of numbers) {
      const { status, reason } = ends.get(number)!;
      const shown = copies.get(number)!;
      if (status === 111 ? shown === 0 : shown > 0 && reason !== 15)
        wrong.push(`${kind} ${id} ${number}: ${status}/${reason}, shown ${shown}`);
      if (shown > (kind === 'campaign' ? 1 : kind === 'cancelled' ? 0 : 2))
        wrong.push(`${kind} ${id} ${number}: shown ${shown} times`);
      if (shown > 1) twice++;
    }
    if (twice > resent) wrong.push(`${kind} ${id}: ${twice} shown twice, ${resent} counted`);
  }
  expect(wrong, story).toEqual([]);
  for (const { kind, numbers, at } of accepted.filter(one => one.kind === 'scheduled'))
    for (const shown of await carrier.phone(numbers[0]!))
      expect(Date.parse(shown.receivedAt), `${kind}, ${story}`).toBeGreaterThanOrEqual(at);
  const messages = accepted.reduce((sum, one) => sum + one.numbers.length, 0);
  console.log(`${story}; ${accepted.length} orders, ${messages} messages, ${customers.unknown} not answered`);
  expect(messages).toBeGreaterThan(5_000);
});
