// A carrier that records every submit it accepted, the ids it gave, the receipts it sent, and which submits reached the phone, so
// that tests can compare the program's reports with it. It is built on the npm package `smpp`. For each submit a `script` decides
// when it is answered, with which id, whether the phone gets it, when its receipt comes, and what breaks meanwhile.
import type { AddressInfo } from 'node:net';
import type { Program } from '../program/program.ts';
import { atEndOfFile } from '../run/clear-away.ts';
import { wait } from '../run/wait.ts';
import { bindCommands, type PackagePdu, type PackageSession, smpp } from './smpp-package.ts';

type Fate = 'delivered' | 'undelivered' | 'swallowed';
/** The plan of one submit; times in ms from its arrival. `answerMs` null: never; `receiptMs` may be earlier than the answer. */
type Plan = { answerMs: number | null; fate: Fate; id: string; receiptMs: number; repeatMs: number[] };
export type Taken = {
  no: number;
  number: string;
  text: string;
  link: Link;
  plan: Plan;
  atMs: number;
  /** The answer was written to a link that was open. */
  answered: boolean;
  receiptsSent: number;
  receiptsAcknowledged: number;
};
/** `lost`: nothing that arrives over it is answered any more, nor reaches a phone. */
type Link = { session: PackageSession; open: boolean; lost: boolean };

/** A receipt without an acknowledgement is sent again after this time, over any link. */
const againMs = 1_500;
const triesMax = 400;
const closedAfterMs = 150;

export class RecordingCarrier {
  readonly log: Taken[] = [];
  /** May change the plan, or break something. */
  script: (taken: Taken) => void = () => {};
  nextId = 1;
  #away = 0;
  readonly name: string;
  readonly #began = performance.now();
  readonly #links = new Set<Link>();
  readonly #given = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #server = smpp.createServer(session => this.#welcome(session));

  constructor(name: string) {
    this.name = name;
    atEndOfFile(() => this.stop());
  }

  async serve(program: Program, prefix: string, ...more: string[]): Promise<void> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = this.#server.address() as AddressInfo;
    const address = ['--host', '127.0.0.1', '--port', String(port), '--system-id', 'peyk', '--password', 'peyk'];
    await program.cli('carrier', 'add', '--name', this.name, ...address, '--prefixes', prefix, ...more);
    await wait(`carrier ${this.name} to be bound`, () => this.open.length > 0);
  }

  get open(): Link[] {
    return [...this.#links].filter(one => one.open);
  }

  /** No timer is pending. */
  get isIdle(): boolean {
    return this.#timers.size === 0;
  }

  nowMs(): number {
    return performance.now() - this.#began;
  }

  /** Ended a little later, and read to the last octet: what was on its way was written, and is in the log. */
  drop(links = this.open): void {
    for (const one of links) {
      one.open = false;
      one.lost = true;
      this.later(closedAfterMs, () => one.session.close());
    }
  }

  /** Lost with all its links, and nobody gets a bind. */
  async away(ms: number): Promise<void> {
    this.#away++;
    this.drop();
    await new Promise<void>(resolve => this.later(ms, resolve));
    this.#away--;
  }

  /** Sends the receipt again. */
  report(taken: Taken, tries = 0): void {
    const { plan, number, text } = taken;
    if (plan.fate === 'swallowed' || tries > triesMax) return;
    const link = taken.link.open && tries === 0 ? taken.link : this.open[tries % Math.max(1, this.open.length)];
    const again = this.later(againMs, () => this.report(taken, tries + 1));
    if (!link) return;
    const stat = plan.fate === 'delivered' ? 'DELIVRD' : 'UNDELIV';
    const message = `id:${plan.id} sub:001 dlvrd:001 submit date:2611150000 done date:2611150000 stat:${stat} err:000 text:${text.slice(0, 9)}`;
    taken.receiptsSent++;
    link.session.deliver_sm(
      { esm_class: 4, source_addr: number, destination_addr: 'PEYK', short_message: message },
      answer => {
        if (answer.command_status !== 0) return;
        clearTimeout(again);
        this.#timers.delete(again);
        taken.receiptsAcknowledged++;
      },
    );
  }

  later(ms: number, action: () => unknown): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    for (const one of this.#links) one.session.destroy();
    this.#server.close();
  }

  #welcome(session: PackageSession): void {
    const link: Link = { session, open: false, lost: false };
    this.#links.add(link);
    session.on('error', () => session.destroy());
    session.on('close', () => {
      link.open = false;
      this.#links.delete(link);
    });
    for (const command of bindCommands)
      session.on(command, pdu => {
        if (this.#away > 0) return session.destroy();
        session.send(pdu.response({ system_id: this.name }));
        link.open = true;
      });
    for (const command of ['enquire_link', 'unbind']) session.on(command, pdu => void session.send(pdu.response()));
    session.on('submit_sm', pdu => this.#take(link, pdu));
  }

  /** Two submits to one number never share an id, because their receipts could not be distinguished. */
  wasGiven(id: string, number: string): boolean {
    return this.#given.has(`${id} ${number}`);
  }

  #idFor(number: string): string {
    for (;;) {
      const id = `w${this.nextId++}`;
      if (!this.wasGiven(id, number)) return id;
    }
  }

  #take(link: Link, pdu: PackagePdu): void {
    const number = pdu.destination_addr ?? '';
    const plan: Plan = { answerMs: 5, fate: 'delivered', id: this.#idFor(number), receiptMs: 100, repeatMs: [] };
    const text = String(pdu.short_message?.message ?? '');
    const facts = { no: this.log.length, number, text, link, plan, atMs: this.nowMs() };
    const taken: Taken = { ...facts, answered: false, receiptsSent: 0, receiptsAcknowledged: 0 };
    this.log.push(taken);
    if (link.lost) {
      plan.fate = 'swallowed';
      return;
    }
    this.script(taken);
    this.#given.add(`${plan.id} ${number}`);
    if (plan.answerMs !== null)
      this.later(plan.answerMs, () => {
        if (!link.open) return;
        link.session.send(pdu.response({ message_id: plan.id }));
        taken.answered = true;
      });
    for (const ms of [0, ...plan.repeatMs]) this.later(plan.receiptMs + ms, () => this.report(taken));
  }
}
