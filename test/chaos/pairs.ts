// A pair of faults and its messages: three codes of two accounts to the same number, a campaign, a large order, submits over SMPP and
// further codes. Each text names its pair and its message, so that the carrier's log identifies it.
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordingCarrier, Taken } from '../support/carriers/recording-carrier.ts';
import { campaign, consentTo } from '../support/customers/campaign.ts';
import { type Login, SmppCustomer } from '../support/customers/smpp-customer.ts';
import type { Customer } from '../support/program/program.ts';
import { type Field, faultNames, faults, holdMs, longFaults } from './pair-faults.ts';

type Place = 'number' | 'chunk' | 'carrier';
type Accepted = { token: string; numbers: string[] };
export type Senders = { shop: Customer; bank: Customer; smppPort: number; login: Login };

/** The prefix of each carrier. */
export const prefixes = ['551', '552'];
const numbersPerPair = 10_000;
const codesPerPair = 10;
const submitsPerPair = 20;
/** An order with more recipients is large. */
const smallMax = 100;
export const perPairLeast = 2 * (smallMax + 1) + codesPerPair + submitsPerPair + 3;

export class Pair {
  readonly place: Place;
  readonly names: string[];
  readonly accepted: Accepted[] = [];
  /** What happened, for the report of a failure. */
  readonly events: string[] = [];
  readonly no: number;
  readonly carrier: RecordingCarrier;
  readonly #field: Field;
  readonly #first: number;
  readonly #size: number;
  readonly #chunk: 'k' | 'g';
  readonly #at: number[];
  readonly #bad = new Set<string>();
  readonly #running: Promise<unknown>[] = [];
  #toNumber = 0;
  #ofChunk = 0;
  #struckAt = 0;

  /** `long`: a fault that takes minutes, as the second one. */
  constructor(no: number, field: Field, messages: number, long?: string) {
    const { random, carriers } = field;
    const some = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    this.no = no;
    this.#field = field;
    this.place = some(['number', 'number', 'number', 'chunk', 'carrier']);
    this.names = [some(faultNames), long ?? some(faultNames)];
    this.carrier = some(carriers);
    this.#chunk = some(['k', 'g']);
    this.#first = Number(`${prefixes[carriers.indexOf(this.carrier)]}0000000`) + no * numbersPerPair;
    this.#size = Math.max(smallMax + 1, Math.floor((messages - codesPerPair - submitsPerPair - 3) / 2));
    this.#at = [random(), random()].map(one => 1 + Math.floor(one * this.#size * 0.8)).sort((a, b) => a - b);
  }

  get story(): string {
    const events = this.events.length > 0 ? this.events.join(', ') : 'no fault';
    return `pair ${this.no} (same ${this.place}, ${this.carrier.name}): ${this.names.join(' + ')} [${events}]`;
  }

  async run({ shop, bank, smppPort, login }: Senders): Promise<void> {
    const { random } = this.#field;
    const target = this.#numbers(0, 1);
    const later = (least: number, most: number) => pause(holdMs * (least + random() * (most - least)));
    const code = (customer: Customer, name: string, numbers = target) =>
      this.#note(name, numbers, () => customer.send(this.#text(name), numbers, { sender: 'PEYK' }));
    const many = this.#numbers(1_000, this.#size);
    await Promise.all([
      code(shop, 'a'),
      later(0, 1.2).then(() => code(bank, 'b')),
      later(0.5, 3).then(() => code(shop, 'c')),
      this.#campaign(shop, this.#numbers(3_000, this.#size)),
      this.#note('g', many, () => bank.send(this.#text('g'), many, { sender: 'PEYK' })),
      this.#submits(smppPort, login),
      ...this.#numbers(10, codesPerPair).map(async (number, i) => {
        await later(0, 2);
        await code(bank, `d${i}`, [number]);
      }),
    ]);
  }

  /** Waits until its faults have ended. */
  async over(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  /** Plans what the carrier does with a submit of this pair; `token` is empty for a test message of the operator. */
  strike(token: string, taken: Taken): void {
    const { random } = this.#field;
    Object.assign(taken.plan, { answerMs: random() * 30, receiptMs: 30 + random() * 300 });
    if (this.#bad.has(`${token} ${taken.number}`)) taken.plan.fate = 'undelivered';
    if (token === '') return this.#test(taken);
    // The third message to the number gets no receipt: a wrong match would end it by another's.
    if (token === 'c' && random() < 0.4) taken.plan.fate = 'swallowed';
    const which = this.#which(token, taken);
    const name = which === null ? undefined : this.names[which];
    if (name === undefined) return;
    this.events.push(`${name} at ${token} ${taken.number} after ${(taken.atMs / 1_000).toFixed(2)} s`);
    const undelivered = (one: Taken) => {
      one.plan.fate = 'undelivered';
      this.#bad.add(`${token} ${one.number}`);
    };
    const fault = (faults[name] ?? longFaults[name]!)({ ...this.#field, carrier: this.carrier, taken, undelivered });
    if (fault instanceof Promise) this.#running.push(fault);
  }

  #test(taken: Taken): void {
    const { random } = this.#field;
    taken.plan.receiptMs = holdMs * random() * 2;
    if (random() < 0.3) taken.plan.fate = 'swallowed';
    if (random() < 0.7) return;
    taken.plan.answerMs = null;
    this.carrier.drop([taken.link]);
  }

  /** Which of the two faults happens at this submit. */
  #which(token: string, taken: Taken): 0 | 1 | null {
    const isTarget = ['a', 'b', 'c'].includes(token);
    const nth = isTarget ? ++this.#toNumber : token === this.#chunk ? ++this.#ofChunk : 0;
    if (this.place === 'chunk') {
      if (token !== this.#chunk) return null;
      return nth === this.#at[0] ? 0 : nth === this.#at[1]! + 1 ? 1 : null;
    }
    if (isTarget && nth === 1) {
      this.#struckAt = taken.atMs;
      return 0;
    }
    if (this.place === 'number') return isTarget && nth === 2 ? 1 : null;
    if (this.#struckAt === 0 || taken.atMs < this.#struckAt + 100) return null;
    this.#struckAt = Number.POSITIVE_INFINITY;
    return 1;
  }

  #text(name: string): string {
    return `P${this.no} ${name}`;
  }

  #numbers(from: number, count: number): string[] {
    return Array.from({ length: count }, (_, i) => String(this.#first + from + i));
  }

  /** An order without an answer may be stored or not. */
  async #note(token: string, numbers: string[], send: () => Promise<unknown>): Promise<void> {
    const accepted = await send().then(
      () => true,
      () => false,
    );
    if (accepted) this.accepted.push({ token, numbers });
    else this.events.push(`${token} not answered`);
  }

  async #campaign(shop: Customer, numbers: string[]): Promise<void> {
    await this.#note('k', numbers, async () => {
      await consentTo(shop, numbers);
      await campaign(shop, this.#text('k'), numbers);
    });
  }

  async #submits(port: number, login: Login): Promise<void> {
    const customer = await SmppCustomer.bind(port, login).catch(() => null);
    if (!customer) return;
    const patience = pause(15_000, null, { ref: false });
    await Promise.all(
      this.#numbers(100, submitsPerPair).map(number =>
        this.#note('s', [number], async () => {
          const answer = await Promise.race([customer.submit(`90${number}`, this.#text('s')), patience]);
          if (answer?.command_status !== 0) throw new Error('not accepted');
        }),
      ),
    );
    customer.destroy();
  }
}
