// An HTTP client for tests over real sockets. It reads every answer as the interface's envelope and fails on any other, so that
// no test can pass on a page of HTML or a stack trace.
import { Agent, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { reportAnswer, reportsAnswer, sendSmsAnswer } from '../../../src/api/orders-contract.ts';
import type { Static } from '../../../src/contract/type.ts';

/** As `send-sms` and `get-report` answer it. */
export type WireOrder = Static<typeof sendSmsAnswer>['order'] & Static<typeof reportAnswer>['order'];

/** `response` of the envelope: the members of all operations. */
export type WireResponse = {
  status: { code: number; message: string };
  errors?: Record<string, string>;
  order?: WireOrder;
  count?: number;
  orders?: Static<typeof reportsAnswer>['orders'];
  balance?: { amount: number; sms: number };
  senders?: { sender: string[] };
  blacklist?: { count: number; number: string[] };
  consent?: Record<string, unknown>;
  inbox?: { count: number; message: { id: number; number: string; to: string; text: string; receivedAt: string }[] };
};

export type Reply = {
  http: number;
  code: number;
  message: string;
  response: WireResponse;
  body: { response: WireResponse };
  text: string;
  headers: IncomingHttpHeaders;
};

export type HttpOptions = { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer | Readable };

export class Client {
  readonly url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });

  constructor(url: string) {
    this.url = url;
  }

  /** Any request to any path; the answer must be an envelope. */
  async send(path: string, options: HttpOptions = {}): Promise<Reply> {
    const answer = await this.open(path, options);
    const text = await readText(answer);
    return { ...readEnvelope(text), http: answer.statusCode!, text, headers: answer.headers };
  }

  post(path: string, value: unknown, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    const body = typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value);
    return this.send(path, { body, headers });
  }

  /** Returns the answer's head as soon as it arrives; the caller reads the rest. */
  open(path: string, { method = 'POST', headers = {}, body = '' }: HttpOptions = {}): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const length =
        typeof body === 'string' || Buffer.isBuffer(body) ? { 'content-length': Buffer.byteLength(body) } : {};
      const call = request(new URL(path, this.url), {
        method,
        agent: this.#agent,
        headers: given({ 'content-type': 'application/json', ...length, ...headers }),
      });
      call.once('response', resolve);
      call.once('error', reject);
      if (typeof body === 'string' || Buffer.isBuffer(body)) call.end(body);
      // A server may answer and close before it has read everything; its answer is what counts.
      else pipeline(body, call).catch(() => {});
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** A header that is `undefined` is not sent, not even a default one. */
function given(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
}

function readEnvelope(text: string): Pick<Reply, 'code' | 'message' | 'response' | 'body'> {
  let body: { response?: Partial<WireResponse> } | null;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Error(`the answer is no JSON: ${text.slice(0, 200)}`);
  }
  const status = body?.response?.status;
  if (typeof status?.code !== 'number' || typeof status.message !== 'string')
    throw new Error(`the answer is no envelope: ${text.slice(0, 200)}`);
  const response = body!.response as WireResponse;
  return { code: status.code, message: status.message, response, body: { response } };
}
