// An SMPP customer built on the independent npm package `smpp`; it has no type declarations, so the few members used are
// declared here. Received messages are recorded and answered as the test says.
import { createRequire } from 'node:module';

type CustomerPdu = {
  command: string;
  command_status: number;
  sequence_number: number;
  message_id?: string;
  source_addr?: string;
  destination_addr?: string;
  short_message?: { message: string | Buffer };
  message_payload?: { message: string | Buffer };
  receipted_message_id?: string;
  message_state?: number;
  user_message_reference?: number;
  additional_status_info_text?: string;
  esm_class?: number;
  unsuccess_sme?: { destination_addr: string; error_status_code: number }[];
  response(options?: object): CustomerPdu;
};
type PackageSession = {
  socket: { readyState: string };
  on(event: string, listener: (pdu: CustomerPdu) => void): void;
  send(pdu: CustomerPdu, answered?: (pdu: CustomerPdu) => void): boolean;
  destroy(): void;
};
type Package = {
  connect(options: object, onConnect: () => void): PackageSession;
  PDU: new (command: string, fields: object) => CustomerPdu;
};
const smpp = createRequire(import.meta.url)('smpp') as Package;

type BindKind = 'transceiver' | 'transmitter' | 'receiver';
export type Login = { systemId: string; password: string };

export class SmppCustomer {
  readonly received: CustomerPdu[] = [];
  /** The status that answers the next messages; 'silent': no answer. */
  answer: number | 'silent' = 0;
  closed = false;
  readonly #session: PackageSession;
  readonly #waiting = new Set<(error: Error) => void>();

  private constructor(session: PackageSession) {
    this.#session = session;
    session.on('error', () => {});
    session.on('close', () => {
      this.closed = true;
      for (const reject of this.#waiting) reject(new Error('closed before the answer'));
    });
    session.on('deliver_sm', pdu => {
      this.received.push(pdu);
      if (this.answer !== 'silent') session.send(pdu.response({ command_status: this.answer }));
    });
    session.on('enquire_link', pdu => session.send(pdu.response()));
    session.on('unbind', pdu => session.send(pdu.response()));
  }

  /** `port`, or 'port over TLS' as `tls`. */
  static connect(port: number, tls = false): Promise<SmppCustomer> {
    const url = `${tls ? 'ssmpp' : 'smpp'}://127.0.0.1:${port}`;
    return new Promise((resolve, reject) => {
      const session = smpp.connect({ url, rejectUnauthorized: false }, () => resolve(new SmppCustomer(session)));
      session.on('error', reject as never);
    });
  }

  /** Connected and bound; rejects with the status when it is refused. */
  static async bind(port: number, login: Login, kind: BindKind = 'transceiver', tls = false): Promise<SmppCustomer> {
    const customer = await SmppCustomer.connect(port, tls);
    const { command_status } = await customer.login(login, kind);
    if (command_status === 0) return customer;
    customer.destroy();
    throw new Error(`0x${command_status.toString(16)}`);
  }

  login({ systemId, password }: Login, kind: BindKind): Promise<CustomerPdu> {
    return this.ask(`bind_${kind}`, { system_id: systemId, password });
  }

  ask(command: string, fields: object = {}): Promise<CustomerPdu> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      this.#session.send(new smpp.PDU(command, fields), answer => {
        this.#waiting.delete(reject);
        resolve(answer);
      });
    });
  }

  submit(to: string, text: string | object, more: object = {}): Promise<CustomerPdu> {
    const fields = {
      source_addr_ton: 5,
      source_addr: 'PEYK',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      registered_delivery: 1,
    };
    return this.ask('submit_sm', { ...fields, destination_addr: to, short_message: text, ...more });
  }

  destroy(): void {
    this.#session.destroy();
  }
}

/** `id:… stat:…` of a receipt as text. */
export function receiptText(pdu: CustomerPdu): string {
  return String(pdu.short_message?.message ?? '');
}
