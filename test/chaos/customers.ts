// Customers who send by two nodes in turn, and keep their own record of what they were told.
import { setTimeout as pause } from 'node:timers/promises';
import { campaign, consentTo } from '../support/customers/campaign.ts';
import { turkeyTime } from '../support/customers/samples.ts';
import type { Customer } from '../support/program/program.ts';

const codeLines = 4;
const bulkSize = 600;
const campaignSize = 1_000;
const slowSize = 200;
const betweenOrdersMs = 400;

export type Witness = {
  id: string;
  kind: 'code' | 'bulk' | 'slow' | 'campaign' | 'scheduled' | 'cancelled' | 'submits';
  numbers: string[];
  at: number;
};

/** Numbers of the carrier that answers and reports slowly. */
export const slowPrefix = '552';

const plainPerBlock = 9_000;

/**
 * Nobody's number twice. The last four digits decide a number's fate at the simulator: plain ones stay below 9000. Those of the slow
 * carrier too, because the simulator gets them while that one is cut off.
 */
class Numbers {
  readonly #first: number;
  #next = 0;

  constructor(first: number) {
    this.#first = first;
  }

  take(count: number): string[] {
    return Array.from({ length: count }, () => {
      const i = this.#next++;
      return String(this.#first + Math.floor(i / plainPerBlock) * 10_000 + (i % plainPerBlock));
    });
  }
}

export class Customers {
  readonly accepted: Witness[] = [];
  messages = 0;
  unknown = 0;
  readonly refused: number[] = [];
  stopped = false;
  readonly #nodes: Customer[];
  readonly #numbers = new Numbers(5_501_000_000);
  readonly #slowNumbers = new Numbers(Number(`${slowPrefix}0000000`));
  #turn = 0;

  /** The same account at each node. */
  constructor(nodes: Customer[]) {
    this.#nodes = nodes;
  }

  async run(): Promise<void> {
    await Promise.all([
      ...Array.from({ length: codeLines }, () => this.#codes()),
      this.#orders('bulk', 'Toplu duyuru', () => this.#numbers.take(bulkSize)),
      this.#orders('slow', 'Yavas duyuru', () => this.#slowNumbers.take(slowSize), 4 * betweenOrdersMs),
      this.#campaigns(),
      this.#scheduled(),
    ]);
  }

  /** Of numbers nobody has. */
  readonly numbers = (count: number): string[] => this.#numbers.take(count);

  get #node(): Customer {
    return this.#nodes[this.#turn++ % this.#nodes.length]!;
  }

  /** Accepted, refused, or not known: the answer did not come, or was 503. */
  async #note(kind: Witness['kind'], numbers: string[], send: () => Promise<string>, at = 0): Promise<Witness | null> {
    try {
      const witness = { id: await send(), kind, numbers, at };
      this.accepted.push(witness);
      this.messages += numbers.length;
      return witness;
    } catch (error) {
      const code = /answered (\d+)/.exec((error as Error).message)?.[1];
      if (code && code !== '503') this.refused.push(Number(code));
      else this.unknown++;
      await pause(50);
      return null;
    }
  }

  async #codes(): Promise<void> {
    while (!this.stopped) {
      const numbers = this.#numbers.take(1);
      await this.#note('code', numbers, () => this.#node.send('Sifreniz 1234', numbers, { sender: 'PEYK' }));
      await pause(40);
    }
  }

  async #orders(kind: 'bulk' | 'slow', text: string, next: () => string[], everyMs = betweenOrdersMs): Promise<void> {
    while (!this.stopped) {
      const numbers = next();
      await this.#note(kind, numbers, () => this.#node.send(text, numbers, { sender: 'PEYK' }));
      await pause(everyMs);
    }
  }

  async #campaigns(): Promise<void> {
    while (!this.stopped) {
      const numbers = this.#numbers.take(campaignSize);
      const consented = await consentTo(this.#node, numbers).then(
        () => true,
        () => false,
      );
      if (consented) await this.#note('campaign', numbers, () => campaign(this.#node, 'Kampanya', numbers));
      await pause(betweenOrdersMs);
    }
  }

  /** Every second one is cancelled close to its time. */
  async #scheduled(): Promise<void> {
    for (let round = 0; !this.stopped; round++) {
      const numbers = this.#numbers.take(20);
      const at = Math.ceil(Date.now() / 1_000 + 1) * 1_000;
      const members = { sender: 'PEYK', sendDateTime: turkeyTime(at - Date.now()) };
      const mine = await this.#note('scheduled', numbers, () => this.#node.send('Randevu', numbers, members), at);
      if (!mine || round % 2 !== 0) continue;
      await pause(Math.max(0, at - Date.now() - 20 + 10 * (round % 5)));
      const reply = await this.#node.call('cancel-order', { order: { id: mine.id } }).catch(() => undefined);
      if (reply?.code === 200) mine.kind = 'cancelled';
    }
  }
}
