// A customer over SMPP who submits the same text in bursts, which become one order, to two nodes in turn. It binds again whenever a bind
// ends, and keeps a record of answers and receipts.
import { setTimeout as pause } from 'node:timers/promises';
import { loadSecretKey } from '../../src/sealing/secrets.ts';
import { createSmppUser } from '../../src/smpp-server/users.ts';
import { type Login, SmppCustomer } from '../support/customers/smpp-customer.ts';
import type { Program } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';
import type { SentOrder } from './customers.ts';

const burst = 60;
const betweenBurstsMs = 300;

type Stored = { id: number; orderId: number; number: string };

export class Submitter {
  /** The number of each accepted submit, by its id. */
  readonly answered = new Map<number, string>();
  unknown = 0;
  stopped = false;
  readonly #nodes: Program[];
  readonly #login: Login;
  readonly #next: (count: number) => string[];
  readonly #reported = new Set<number>();
  #turn = 0;

  private constructor(nodes: Program[], login: Login, next: (count: number) => string[]) {
    this.#nodes = nodes;
    this.#login = login;
    this.#next = next;
  }

  static async of(account: string, nodes: Program[], next: (count: number) => string[]): Promise<Submitter> {
    const [first] = nodes;
    const key = loadSecretKey(first!.data, first!.env['PEYK_SECRET_KEY'] ?? '');
    const settings = { addresses: ['127.0.0.1'], binds: 10, window: 200 };
    return new Submitter(nodes, await createSmppUser(await first!.db(), key, Number(account), settings), next);
  }

  async run(): Promise<void> {
    while (!this.stopped) {
      const customer = await this.#bind().catch(() => null);
      if (!customer) await pause(betweenBurstsMs);
      else await this.#submits(customer);
    }
  }

  /** Checks that every answered message is stored once, under its id, with its number, and no other one except unanswered ones. */
  async stored(db: Awaited<ReturnType<Program['db']>>): Promise<{ orders: SentOrder[]; wrong: string[] }> {
    const { rows } = await db.query(
      `select o.id + m.id - o.first_message_id as id, o.id as "orderId", m.number::text as number
       from orders o join messages m on m.order_id = o.id where o.source = 'smpp' order by m.id`,
    );
    const found = new Map((rows as Stored[]).map(one => [Number(one.id), one]));
    const wrong = [...this.answered].flatMap(([id, number]) => {
      const shown = found.get(id)?.number;
      return shown === number ? [] : [`submit ${id} to ${number}: stored as ${shown}`];
    });
    if (found.size !== rows.length) wrong.push('two messages under one id');
    if (rows.length > this.answered.size + this.unknown) wrong.push(`${rows.length} stored, more than were submitted`);
    const orders = new Map<number, SentOrder>();
    for (const { orderId, number } of rows as Stored[]) {
      const order = orders.get(orderId) ?? { id: String(orderId), kind: 'submits' as const, numbers: [], at: 0 };
      order.numbers.push(number.slice(2));
      orders.set(orderId, order);
    }
    return { orders: [...orders.values()], wrong };
  }

  /** Waits for a receipt of every message that was answered. */
  async allReported(): Promise<void> {
    const customer = await wait('a bind', () => this.#bind());
    await wait('a receipt of each submit', () => {
      this.#note(customer);
      return [...this.answered.keys()].every(id => this.#reported.has(id));
    });
    customer.destroy();
  }

  #bind(): Promise<SmppCustomer> {
    const node = this.#nodes[this.#turn++ % this.#nodes.length]!;
    return SmppCustomer.bind(Number(node.ready.smpp!.split(':').at(-1)), this.#login);
  }

  /** Submits bursts until an answer is missing. */
  async #submits(customer: SmppCustomer): Promise<void> {
    while (!this.stopped && !customer.closed) {
      const lost = await Promise.all(this.#next(burst).map(number => this.#submit(customer, `90${number}`)));
      if (lost.includes(true)) break;
      await pause(betweenBurstsMs);
    }
    this.#note(customer);
    customer.destroy();
  }

  /** Returns whether the outcome is unknown. */
  async #submit(customer: SmppCustomer, number: string): Promise<boolean> {
    const answer = await Promise.race([customer.submit(number, 'Birlikte'), pause(15_000, null)]).catch(() => null);
    if (answer?.command_status === 0) this.answered.set(Number(answer.message_id), number);
    else this.unknown++;
    return answer?.command_status !== 0;
  }

  #note(customer: SmppCustomer): void {
    for (const one of customer.received.splice(0)) this.#reported.add(Number(one.receipted_message_id));
  }
}
