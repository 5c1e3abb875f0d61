// Connections begin here: a plain request (plain-request.ts) is answered on the bare socket, without the objects that Node's server makes
// for each, which are half of what it costs. At the first request of another kind the connection goes to Node's server with all that
// was read of it, and stays there. So does one whose request does not come whole within two packets, or seconds.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer, ApiServices } from '../api/call.ts';
import { closeEnvelope } from '../api/envelope.ts';
import { readingOf } from '../api/reading.ts';
import { nowMs } from '../clock.ts';
import { reasonPhrase } from '../status.ts';
import type { AddressOf } from './direct.ts';
import { type PlainRequest, readPlainRequest } from './plain-request.ts';
import { answerHeaders, answerTo, faultCode, forms } from './serve.ts';

export type QuickDoor = { close(): void };

export type QuickOptions = { addressOf: AddressOf; isClosing(): boolean; keepAliveMs: number };

type Door = {
  services: ApiServices;
  options: QuickOptions;
  open: Set<Guest>;
  /** To Node's server. */
  pass(socket: Socket): void;
  /** What came was no request. */
  broken(socket: Socket): void;
};

const restMaxMs = 2_000;

/** Stands before the server's own listener for connections. */
export function openQuickDoor(server: Server, services: ApiServices, options: QuickOptions): QuickDoor {
  const usual = server.listeners('connection') as ((socket: Socket) => void)[];
  const door: Door = {
    services,
    options,
    open: new Set(),
    pass: socket => {
      for (const listener of usual) listener.call(server, socket);
    },
    broken: socket => server.emit('clientError', new Error('the request ended before its time'), socket),
  };
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => door.open.add(new Guest(door, socket)));
  return {
    close() {
      for (const guest of door.open) guest.leave();
    },
  };
}

/** A connection that has sent nothing but plain requests, one after the other. */
class Guest {
  readonly #door: Door;
  readonly #socket: Socket;
  /** Of a request whose body is not all there yet. */
  #begun: Buffer | null = null;
  #isBusy = false;
  #hasEnded = false;
  /** Came while a request was being answered. */
  #next: Buffer[] = [];

  constructor(door: Door, socket: Socket) {
    this.#door = door;
    this.#socket = socket;
    socket.setTimeout(door.options.keepAliveMs);
    socket.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError);
    socket.on('timeout', this.#onTimeout).on('drain', this.#onDrain).on('close', this.#onClose);
  }

  /** The server closes. */
  leave(): void {
    if (!this.#isBusy && !this.#begun) this.#socket.destroy();
  }

  readonly #onData = (part: Buffer): void => {
    if (this.#isBusy) {
      this.#next.push(part);
      this.#socket.pause();
      return;
    }
    const bytes = this.#begun ? Buffer.concat([this.#begun, part]) : part;
    const request = readPlainRequest(bytes);
    if (request === null || (request === 'more' && this.#begun)) this.#handOver(bytes);
    else if (request === 'more') {
      this.#begun = bytes;
      this.#socket.setTimeout(restMaxMs);
    } else {
      if (this.#begun) this.#socket.setTimeout(this.#door.options.keepAliveMs);
      this.#begun = null;
      void this.#serve(request);
    }
  };

  async #serve(request: PlainRequest): Promise<void> {
    this.#isBusy = true;
    const answer = await answerPlain(this.#door, request, this.#socket);
    this.#isBusy = false;
    const socket = this.#socket;
    if (socket.destroyed) return;
    const isLast = this.#hasEnded || this.#door.options.isClosing();
    const text = written(answer, isLast ? 'Connection: close\r\n' : this.#kept);
    if (isLast) return void socket.end(text);
    const hasRoom = socket.write(text);
    if (this.#next.length > 0) this.#handOver(Buffer.concat(this.#next));
    // Who does not read its answers asks nothing more.
    else if (!hasRoom) socket.pause();
  }

  get #kept(): string {
    return `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(this.#door.options.keepAliveMs / 1_000)}\r\n`;
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (this.#begun) this.#door.broken(this.#socket);
    else if (!this.#isBusy) this.#socket.end();
  };

  readonly #onTimeout = (): void => {
    if (this.#begun) this.#handOver(this.#begun);
    else if (!this.#isBusy) this.#socket.destroy();
  };

  readonly #onDrain = (): void => {
    this.#socket.resume();
  };

  readonly #onError = (): void => {
    this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#door.open.delete(this);
  };

  #handOver(bytes: Buffer): void {
    const socket = this.#socket;
    socket.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError);
    socket.off('timeout', this.#onTimeout).off('drain', this.#onDrain).off('close', this.#onClose);
    this.#door.open.delete(this);
    socket.unshift(bytes);
    this.#door.pass(socket);
    socket.resume();
  }
}

async function answerPlain({ services, options }: Door, request: PlainRequest, socket: Socket): Promise<Answer> {
  const { operation, headers, body } = request;
  try {
    const { open } = readingOf('json', { contentType: headers['content-type'], query: '', body });
    const address = options.addressOf({ headers, socket });
    return await answerTo(services, operation, open, headers, address, { bytes: body, hold: null });
  } catch (error) {
    const code = faultCode(services.log, operation.path, error);
    return { code, body: closeEnvelope(code) };
  }
}

const heads = { usual: lines(200), trouble: lines(503) };

function lines(code: 200 | 503): string {
  return Object.entries(answerHeaders('json', code))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** As Node's server writes it. */
function written({ code, body, traceparent }: Answer, connection: string): string {
  const text = forms.json.write(body);
  const phrase = reasonPhrase(code, body.response.status.message);
  const trace = traceparent === undefined ? '' : `traceparent: ${traceparent}\r\n`;
  const head = `HTTP/1.1 ${code} ${phrase}\r\n${code === 503 ? heads.trouble : heads.usual}`;
  return `${head}content-length: ${Buffer.byteLength(text)}\r\n${trace}Date: ${dateNow()}\r\n${connection}\r\n${text}`;
}

let date = { second: 0, text: '' };

function dateNow(): string {
  const second = Math.floor(nowMs() / 1_000);
  if (second !== date.second) date = { second, text: new Date(second * 1_000).toUTCString() };
  return date.text;
}
