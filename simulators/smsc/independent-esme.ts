/*
 * A client of the message centre built on the npm package `smpp`, an independent implementation. For tests only; it records
 * everything it receives and acknowledges a deliver_sm unless it is set to silent.
 */
import { createRequire } from 'node:module';

const WAIT_MS = 9_000;
const LOOK_MS = 5;

type Message = { message: string | Buffer; udh?: Buffer[] };
export type PackagePdu = {
  command: string;
  command_status: number;
  message_id?: string;
  message_state?: number;
  esm_class?: number;
  data_coding?: number;
  source_addr?: string;
  destination_addr?: string;
  receipted_message_id?: string;
  short_message?: Message;
  sc_interface_version?: number;
  response(fields?: object): PackagePdu;
};
type PackageSession = {
  on(event: string, listener: (pdu: PackagePdu) => void): void;
  send(pdu: PackagePdu): boolean;
  destroy(): void;
  socket: { destroyed: boolean; write(octets: Buffer): void };
} & Record<string, (fields: object, onAnswer: (pdu: PackagePdu) => void) => void>;
type Package = { connect(options: object): PackageSession };

const smpp = createRequire(import.meta.url)('smpp') as Package;

export type Bind = 'transceiver' | 'transmitter' | 'receiver';

export class Esme {
  readonly delivered: PackagePdu[] = [];
  readonly requests: string[] = [];
  acknowledge: 'yes' | 'no' | number = 'yes';
  closed = false;
  errors = 0;
  readonly session: PackageSession;
  readonly #unanswered = new Set<(error: Error) => void>();

  constructor(port: number) {
    this.session = smpp.connect({ host: '127.0.0.1', port });
    this.session.on('close', () => {
      this.closed = true;
      for (const fail of this.#unanswered) fail(new Error('closed'));
    });
    this.session.on('error', () => {
      this.errors++;
    });
    this.session.on('pdu', pdu => this.#received(pdu));
  }

  request(command: string, fields: object = {}): Promise<PackagePdu> {
    return new Promise((resolve, reject) => {
      this.#unanswered.add(reject);
      this.session[command]!(fields, answer => {
        this.#unanswered.delete(reject);
        resolve(answer);
      });
    });
  }

  submit(destination: string, text: string | Buffer | Message = 'merhaba', fields: object = {}): Promise<PackagePdu> {
    return this.request('submit_sm', {
      source_addr_ton: 5,
      source_addr: 'PEYK',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: destination,
      registered_delivery: 1,
      data_coding: 0,
      short_message: text,
      ...fields,
    });
  }

  /* `DELIVRD 123`, one line per receipt. */
  receipts(): string[] {
    return this.delivered
      .filter(pdu => ((pdu.esm_class ?? 0) & 0x3c) === 0x04)
      .map(pdu => `${/stat:(\w+)/.exec(textOf(pdu))?.[1]} ${/id:(\w+)/.exec(textOf(pdu))?.[1]}`);
  }

  #received(pdu: PackagePdu): void {
    if (pdu.command.endsWith('_resp')) return;
    this.requests.push(pdu.command);
    if (pdu.command === 'deliver_sm') this.delivered.push(pdu);
    if (this.acknowledge === 'no') return;
    if (pdu.command === 'deliver_sm' || pdu.command === 'enquire_link' || pdu.command === 'unbind')
      this.session.send(pdu.response(this.acknowledge === 'yes' ? {} : { command_status: this.acknowledge }));
  }
}

export async function bound(port: number, bind: Bind = 'transceiver', systemId = 'deneme'): Promise<Esme> {
  const esme = new Esme(port);
  const answer = await esme.request(`bind_${bind}`, {
    system_id: systemId,
    password: 'parola',
    interface_version: 0x34,
  });
  if (answer.command_status !== 0) throw new Error(`bind refused: ${answer.command_status}`);
  return esme;
}

export function textOf(pdu: PackagePdu): string {
  return String(pdu.short_message?.message ?? '');
}

/* Waits for a condition, never for a time; fails with the name of the condition. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + WAIT_MS;
  while (!(await condition())) {
    if (Date.now() > deadlineMs) throw new Error(`never came true: ${condition}`);
    await new Promise(resolve => setTimeout(resolve, LOOK_MS));
  }
}
