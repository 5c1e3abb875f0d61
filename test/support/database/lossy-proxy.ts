// A proxy in front of the database that drops chosen answers: the server has committed, but the connection breaks before the
// client reads the result. It can also fall silent, like a network that drops every packet.
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Connection } from '../../../src/db/db.ts';
import type { EmbeddedConnection } from '../../../src/db/embedded/layout.ts';
import { temporaryFolder } from '../run/temporary-folder.ts';
import { ofThisMachine } from './database.ts';

export type LossyProxy = {
  connection: EmbeddedConnection;
  /** Drops the answer to the next statement whose name contains this word. */
  swallowAnswerTo(word: string): void;
  /** How many answers were dropped. */
  swallowed: number;
  /** Stops all traffic, or only that of new connections, until `speak()`. */
  fallSilent(which?: 'all' | 'new'): void;
  speak(): void;
  close(): Promise<void>;
};

const commandComplete = /SELECT |CALL\0/;

export async function lossyProxy(before: Connection): Promise<LossyProxy> {
  const connection = ofThisMachine(before);
  const folder = temporaryFolder();
  const sockets = new Set<Socket>();
  let word: string | null = null;
  let silent = false;
  const onSilence: (() => void)[] = [];
  const server = createServer(client => {
    const behind = connect(join(connection.host, `.s.PGSQL.${connection.port}`));
    let chosen = false;
    for (const one of [client, behind]) sockets.add(one.on('error', () => {}));
    if (silent) for (const one of [client, behind]) one.pause();
    let held = silent;
    onSilence.push(() => {
      held = true;
    });
    client.on('data', data => {
      if (word !== null && data.includes(word)) {
        word = null;
        chosen = true;
      }
      behind.write(data);
    });
    behind.on('data', data => {
      // CommandComplete: the statement is done, and so is its commit.
      if (!chosen || !commandComplete.test(data.toString('latin1'))) return void client.write(data);
      chosen = false;
      proxy.swallowed++;
      client.destroy();
    });
    // A server behind a silent network does not learn that its client went away.
    client.on('close', () => held || behind.destroy());
  });
  const proxy: LossyProxy = {
    connection: { ...connection, host: folder },
    swallowAnswerTo: next => {
      word = next;
    },
    swallowed: 0,
    fallSilent(which = 'all') {
      silent = true;
      if (which === 'new') return;
      for (const one of sockets) one.pause();
      for (const listener of onSilence.splice(0)) listener();
    },
    speak() {
      silent = false;
      for (const one of sockets) one.resume();
    },
    async close() {
      for (const one of sockets) one.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
  await new Promise<void>(resolve => server.listen(join(folder, `.s.PGSQL.${connection.port}`), resolve));
  return proxy;
}
