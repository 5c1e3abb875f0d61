// A carrier built on the npm package `smpp`, an independent implementation: a submit it received was on the air, whether or not
// its answer arrived. Its answers and reports can be delayed, and its connections cut.
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Program } from '../program/program.ts';
import { atEndOfFile } from '../run/clear-away.ts';
import { wait } from '../run/wait.ts';

type Pdu = {
  command: string;
  system_id?: string;
  source_addr?: string;
  destination_addr?: string;
  response(fields?: object): Pdu;
};
type Session = {
  on(event: string, listener: (pdu: Pdu) => void): void;
  send(pdu: Pdu): boolean;
  deliver_sm(fields: object, answered: (pdu: Pdu) => void): void;
  destroy(): void;
};
type Server = { listen(port: number, host: string, done: () => void): void; address(): AddressInfo; close(): void };
const smpp = createRequire(import.meta.url)('smpp') as { createServer(serve: (session: Session) => void): Server };

type CarrierDelays = { answerMs: number; receiptMs: number };

/** A receipt that is not acknowledged within this time is sent again. */
const againMs = 5_000;

export class IndependentCarrier {
  /** How often each number was on the air. */
  readonly air = new Map<string, number>();
  readonly #delays: CarrierDelays;
  readonly #server: Server;
  readonly #sessions = new Set<Session>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #nextId = 1;

  constructor(delays: CarrierDelays) {
    this.#delays = delays;
    this.#server = smpp.createServer(session => this.#serve(session));
    atEndOfFile(() => this.stop());
  }

  /** For numbers with this prefix, before any other carrier. */
  async serve(program: Program, name: string, prefix: string): Promise<void> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address();
    const address = ['--host', '127.0.0.1', '--port', String(port), '--system-id', 'peyk', '--password', 'peyk'];
    await program.cli('carrier', 'add', '--name', name, ...address, '--prefixes', `90${prefix}`, '--priority', '1');
    await wait(`carrier ${name} to be bound`, () => this.#sessions.size > 0);
  }

  copies(number: string): number {
    return this.air.get(`90${number}`) ?? 0;
  }

  cut(): void {
    for (const session of this.#sessions) session.destroy();
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.cut();
    this.#server.close();
  }

  #serve(session: Session): void {
    this.#sessions.add(session);
    session.on('close', () => this.#sessions.delete(session));
    session.on('error', () => session.destroy());
    const answer = (pdu: Pdu) => void session.send(pdu.response());
    for (const command of ['bind_transceiver', 'bind_transmitter', 'bind_receiver', 'enquire_link', 'unbind'])
      session.on(command, answer);
    session.on('submit_sm', pdu => this.#take(session, pdu));
  }

  #take(session: Session, pdu: Pdu): void {
    const to = pdu.destination_addr!;
    const id = String(this.#nextId++);
    this.air.set(to, (this.air.get(to) ?? 0) + 1);
    this.#later(this.#delays.answerMs, () => session.send(pdu.response({ message_id: id })));
    this.#later(this.#delays.receiptMs, () => this.#report(id, to, pdu.source_addr!));
  }

  /** Over any open connection. */
  #report(id: string, to: string, from: string): void {
    const [session] = this.#sessions;
    const again = this.#later(againMs, () => this.#report(id, to, from));
    const date = new Date().toISOString().replace(/\D/g, '').slice(2, 12);
    const text = `id:${id} sub:001 dlvrd:001 submit date:${date} done date:${date} stat:DELIVRD err:000 text:`;
    session?.deliver_sm({ source_addr: to, destination_addr: from, esm_class: 4, short_message: text }, pdu => {
      if ((pdu as unknown as { command_status: number }).command_status !== 0) return;
      clearTimeout(again);
      this.#timers.delete(again);
    });
  }

  #later(ms: number, action: () => unknown): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }
}
