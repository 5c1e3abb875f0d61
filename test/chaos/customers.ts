// Customers who send to two nodes in turn, and keep a record of the answers.
import { setTimeout as pause } from 'node:timers/promises';
import { campaign, consentTo } from '../support/customers/campaign.ts';
import { turkeyTime } from '../support/customers/samples.ts';
import type { Customer } from '../support/program/program.ts';

const codeLines = 4;
const bulkSize = 600;
const campaignSize = 1_000;
const slowSize = 200;
const betweenOrdersMs = 400;

export type SentOrder = {
  id: string;
  kind: 'code' | 'bulk' | 'slow' | 'campaign' | 'scheduled' | 'cancelled' | 'submits';
  numbers: string[];
  at: number;
};

/** Numbers of the carrier that answers and reports slowly. */
export const slowPrefix = '552';

const normalPerBlock = 9_000;

/**
 * Unique numbers. Their last four digits are below 9000, because higher ones have a special outcome at the simulator, which also gets the
 * messages of the slow carrier while that one is cut off.
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
      return String(this.#first + Math.floor(i / normalPerBlock) * 10_000 + (i % normalPerBlock));
    });
  }
}

export class Customers {
  readonly accepted: SentOrder[] = [];
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

  /** Unused numbers. */
  readonly numbers = (count: number): string[] => this.#numbers.take(count);

  get #node(): Customer {
    return this.#nodes[this.#turn++ % this.#nodes.length]!;
  }

  /** Records an order as accepted, refused, or unknown (no answer, or 503). */
  async #note(
    kind: SentOrder['kind'],
    numbers: string[],
    send: () => Promise<string>,
    at = 0,
  ): Promise<SentOrder | null> {
    try {
      const order = { id: await send(), kind, numbers, at };
      this.accepted.push(order);
      this.messages += numbers.length;
      return order;
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

  /** Cancels every second order close to its time. */
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
