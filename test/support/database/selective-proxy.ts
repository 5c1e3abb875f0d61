// A proxy in front of a database that closes connections by application name, open and new ones, until `open()` is called.
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { EmbeddedConnection } from '../../../src/db/embedded/layout.ts';
import { atEndOfFile } from '../run/clear-away.ts';

export class SelectiveProxy {
  /** How many connections were refused since `shut()`. */
  refused = 0;
  readonly #behind: EmbeddedConnection;
  readonly #open = new Map<Socket, string>();
  #shut: RegExp | null = null;

  constructor(behind: EmbeddedConnection) {
    this.#behind = behind;
  }

  async url(): Promise<string> {
    const server = createServer(client => this.#pass(client));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    atEndOfFile(() => {
      server.close();
      this.shut(/^/);
    });
    const { port } = server.address() as { port: number };
    return `postgresql://${this.#behind.user}@127.0.0.1:${port}/${this.#behind.database}`;
  }

  shut(who: RegExp): void {
    this.refused = 0;
    this.#shut = who;
    for (const [socket, name] of this.#open) if (who.test(name)) socket.destroy();
  }

  open(): void {
    this.#shut = null;
  }

  #pass(client: Socket): void {
    client.on('error', () => {});
    client.once('data', first => {
      const name = /application_name\0([^\0]*)/.exec(first.toString('latin1'))?.[1] ?? '';
      if (this.#shut?.test(name)) {
        this.refused++;
        return void client.destroy();
      }
      const behind = connect(join(this.#behind.host, `.s.PGSQL.${this.#behind.port}`));
      this.#open.set(client, name);
      behind.on('error', () => {});
      behind.on('close', () => client.destroy());
      client.on('close', () => {
        this.#open.delete(client);
        behind.destroy();
      });
      behind.write(first);
      client.pipe(behind);
      behind.pipe(client);
    });
  }
}
