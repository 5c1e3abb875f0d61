// A proxy between a node and its database. It passes every byte unchanged and in order, but can cut, stall or delay the traffic.
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runningEmbedded } from '../../../src/db/embedded/server.ts';
import { atEndOfFile } from '../run/clear-away.ts';

export class DatabaseProxy {
  readonly #folder: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #delayMs = 0;
  #stalled = false;

  /** Connects to the embedded database of this data folder, wherever it listens at the time. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#server = createServer(client => void this.#pass(client));
    atEndOfFile(() => {
      this.#server.close();
      this.cut();
    });
  }

  async url(): Promise<string> {
    if (!this.#server.listening)
      await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = this.#server.address() as { port: number };
    return `postgresql://peyk@127.0.0.1:${port}/peyk`;
  }

  cut(): void {
    for (const one of this.#sockets) one.destroy();
  }

  /** Stops all traffic for `ms`, then passes it on in order. */
  async stall(ms: number): Promise<void> {
    this.#stalled = true;
    for (const one of this.#sockets) one.pause();
    await pause(ms);
    this.#stalled = false;
    for (const one of this.#sockets) one.resume();
  }

  /** Delays each piece by `ms`, for `forMs` in all. */
  async delay(ms: number, forMs: number): Promise<void> {
    this.#delayMs = ms;
    await pause(forMs);
    this.#delayMs = 0;
  }

  async #pass(client: Socket): Promise<void> {
    client.on('error', () => {});
    client.pause();
    const place = await runningEmbedded(this.#folder).catch(() => null);
    if (!place) return void client.destroy();
    const behind = connect(join(place.host, `.s.PGSQL.${place.port}`));
    this.#join(client, behind);
    this.#join(behind, client);
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on('error', () => {});
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    // Writes are chained, so that delayed pieces keep their order.
    let last: Promise<unknown> = Promise.resolve();
    from.on('data', data => {
      const ms = this.#delayMs;
      last = last.then(async () => {
        if (ms > 0) await pause(ms);
        if (!to.destroyed) to.write(data);
      });
    });
    if (this.#stalled) from.pause();
    else from.resume();
  }
}
