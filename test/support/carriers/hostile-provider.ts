// An SMS provider over HTTP that answers each request as the test says, on a bare socket, so that it can also send what no HTTP
// server would.

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';

type Asked = { path: string; body: { to?: string; text?: string }; at: number };
/** Writes any bytes. */
export type Behaviour = (socket: Socket, asked: Asked) => void;

export class HostileProvider {
  readonly asked: Asked[] = [];
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #behaviour: Behaviour;

  constructor(behaviour: Behaviour) {
    this.#behaviour = behaviour;
    this.#server = createServer(socket => {
      this.#open.add(socket);
      socket.on('close', () => this.#open.delete(socket));
      socket.on('error', () => {});
      this.#read(socket);
    });
  }

  async start(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', () => resolve()));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Connections that are still open. */
  get open(): number {
    return this.#open.size;
  }

  stop(): Promise<void> {
    for (const one of this.#open) one.destroy();
    return new Promise(resolve => this.#server.close(() => resolve()));
  }

  #read(socket: Socket): void {
    let read = '';
    socket.on('data', chunk => {
      read += chunk.toString('latin1');
      const end = read.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = read.slice(0, end);
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      const body = read.slice(end + 4);
      if (body.length < length) return;
      read = body.slice(length);
      const given = body.slice(0, length);
      const asked = { path: head.split(' ', 2)[1]!, body: given ? JSON.parse(given) : {}, at: performance.now() };
      this.asked.push(asked);
      this.#behaviour(socket, asked);
    });
  }
}

/** A complete, valid answer. */
export function answer(body: unknown, status = '200 OK', headers = ''): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n${headers}\r\n${text}`;
}

/** Writes as much as the other side takes, until it closes. */
export function pour(socket: Socket, chunk: Buffer, poured: (bytes: number) => void): void {
  const more = () => {
    while (socket.writable) {
      poured(chunk.length);
      if (!socket.write(chunk)) return void socket.once('drain', more);
    }
  };
  more();
}
