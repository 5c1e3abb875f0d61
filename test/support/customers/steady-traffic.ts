// Single messages over several connections, one after the other, to the nodes that currently take traffic, as a load balancer
// would. Records the orders answered 200, and every other answer.

import type { Customer } from '../program/program.ts';
import { wait } from '../run/wait.ts';
import { plainNumbers } from './journey-numbers.ts';

const lines = 4;

type Accepted = { id: string; number: string; by: Customer };

export class SteadyTraffic {
  readonly accepted: Accepted[] = [];
  /** Answers other than 200 by their HTTP status; `none` if the connection was lost. */
  readonly others = new Map<number | 'none', number>();
  slowestMs = 0;
  readonly #numbers: string[];
  readonly #pauseMs: number;
  #nodes: Customer[] = [];
  readonly #underWay: Customer[] = [];
  #next = 0;
  #stopped = false;
  #running: Promise<unknown> = Promise.resolve();

  /** `pauseMs`: pause of each connection after each message. Without it the load itself would dominate the test. */
  constructor(series: number, pauseMs = 60) {
    this.#pauseMs = pauseMs;
    this.#numbers = plainNumbers(9_000, series);
  }

  start(nodes: Customer[]): void {
    this.#nodes = nodes;
    this.#running = Promise.all(Array.from({ length: lines }, () => this.#line()));
  }

  /** From now on to these nodes; returns when the previous ones have answered everything in flight, as a balancer drains a node. */
  async by(...nodes: Customer[]): Promise<void> {
    this.#nodes = nodes;
    await wait('the others to be drained', () => this.#underWay.every(node => nodes.includes(node)));
  }

  /** Waits until each of the present nodes has accepted this many more. */
  async more(count: number): Promise<void> {
    const before = new Map(this.#nodes.map(node => [node, this.#acceptedBy(node)]));
    await wait(`${count} more to be accepted by each node`, () =>
      this.#nodes.every(node => this.#acceptedBy(node) - (before.get(node) ?? 0) >= count),
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  #acceptedBy(node: Customer): number {
    return this.accepted.filter(one => one.by === node).length;
  }

  async #line(): Promise<void> {
    while (!this.#stopped && this.#next < this.#numbers.length) {
      const turn = this.#next++;
      const number = this.#numbers[turn]!;
      const by = this.#nodes[turn % this.#nodes.length]!;
      this.#underWay.push(by);
      const sentMs = Date.now();
      const reply = await by.trySend(`Kodunuz ${turn}`, [number], { sender: 'PEYK' }).catch(() => undefined);
      this.slowestMs = Math.max(this.slowestMs, Date.now() - sentMs);
      this.#underWay.splice(this.#underWay.indexOf(by), 1);
      if (reply?.code === 200) this.accepted.push({ id: reply.response.order!.id, number, by });
      else this.#note(reply?.http ?? 'none');
      await new Promise(resolve => setTimeout(resolve, this.#pauseMs));
    }
  }

  #note(status: number | 'none'): void {
    this.others.set(status, (this.others.get(status) ?? 0) + 1);
  }
}
