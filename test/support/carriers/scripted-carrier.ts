// A carrier that does nothing by itself: the test decides when a submit is answered, when its receipt comes and on which bind.
// It is built on the npm package `smpp`, which shares no code with ours or the simulator's.
import type { AddressInfo } from 'node:net';
import { wait } from '../run/wait.ts';
import { bindCommands, type PackagePdu, type PackageSession, smpp } from './smpp-package.ts';

/** `unacknowledged`: rejects those who wait for an acknowledgement when the bind is lost. */
export type Bind = { session: PackageSession; open: boolean; unacknowledged: Set<(error: Error) => void> };
export type Submit = { number: string; text: string; bind: Bind; pdu: PackagePdu };
type ReceiptOptions = { bind?: Bind; stat?: string };

export class ScriptedCarrier {
  /** Every bind so far, and every submit in order of arrival. */
  readonly binds: Bind[] = [];
  readonly submits: Submit[] = [];
  /** Called for each submit; by default it stays unanswered. */
  onSubmit: (submit: Submit) => void = () => {};
  /** Binds are answered only while this is false. */
  holdBinds = false;
  port = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #server = smpp.createServer(session => this.#welcome(session));

  async start(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', () => resolve()));
    this.port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  /** The binds that are up. */
  get open(): Bind[] {
    return this.binds.filter(one => one.open);
  }

  releaseBinds(): void {
    this.holdBinds = false;
    for (const answer of this.#waiting.splice(0)) answer();
  }

  /** The n-th submit to a number, once it has arrived. */
  submitTo(number: string, nth = 1): Promise<Submit> {
    return wait(`submit ${nth} to ${number}`, () => this.submitsTo(number)[nth - 1]);
  }

  submitsTo(number: string): Submit[] {
    return this.submits.filter(one => one.number === `90${number}`);
  }

  answer({ bind, pdu }: Submit, messageId: string, status = 0): void {
    bind.session.send(pdu.response({ command_status: status, ...(status === 0 ? { message_id: messageId } : {}) }));
  }

  /** Resolves with the status of the acknowledgement; fails when the bind is lost before it. */
  receipt(
    submit: Submit,
    messageId: string,
    { bind = submit.bind, stat = 'DELIVRD' }: ReceiptOptions = {},
  ): Promise<number> {
    const text = `id:${messageId} sub:001 dlvrd:001 submit date:2611150000 done date:2611150000 stat:${stat} err:000 text:`;
    const fields = { esm_class: 4, source_addr: submit.number, destination_addr: 'PEYK', short_message: text };
    return new Promise((resolve, reject) => {
      bind.unacknowledged.add(reject);
      bind.session.deliver_sm(fields, answer => {
        bind.unacknowledged.delete(reject);
        resolve(answer.command_status);
      });
    });
  }

  drop(): void {
    for (const one of this.open) one.session.destroy();
  }

  async stop(): Promise<void> {
    const closed = new Promise(resolve => this.#server.close(resolve));
    this.drop();
    await closed;
  }

  #welcome(session: PackageSession): void {
    const bind: Bind = { session, open: false, unacknowledged: new Set() };
    session.on('error', () => {});
    session.on('close', () => {
      bind.open = false;
      for (const fail of bind.unacknowledged) fail(new Error('the bind was lost'));
    });
    for (const command of bindCommands)
      session.on(command, pdu => {
        const answer = () => {
          bind.open = true;
          this.binds.push(bind);
          session.send(pdu.response({ system_id: 'scripted' }));
        };
        if (this.holdBinds) this.#waiting.push(answer);
        else answer();
      });
    session.on('enquire_link', pdu => void session.send(pdu.response()));
    session.on('unbind', pdu => void session.send(pdu.response()));
    session.on('submit_sm', pdu => {
      const message = pdu.short_message?.message ?? '';
      const submit = { number: pdu.destination_addr ?? '', text: String(message), bind, pdu };
      this.submits.push(submit);
      this.onSubmit(submit);
    });
  }
}
