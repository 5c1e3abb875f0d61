// A door before the database that can take an answer away: the server has committed, the connection breaks, and nobody is
// told. The third outcome beside yes and no. It can also fall silent, as a network that swallows everything.
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Connection } from '../../src/db/db.ts';
import type { EmbeddedConnection } from '../../src/db/embedded/layout.ts';
import { ofThisMachine } from './database.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type LeakyDoor = {
  connection: EmbeddedConnection;
  /** The answer to the next statement whose name has this word is lost. */
  swallowAnswerTo(word: string): void;
  /** How many were. */
  swallowed: number;
  /** Nothing comes through, on no connection, old or new (or only on no new one), until it speaks again. */
  fallSilent(which?: 'all' | 'new'): void;
  speak(): void;
  close(): Promise<void>;
};

const commandComplete = /SELECT |CALL\0/;

export async function leakyDoor(before: Connection): Promise<LeakyDoor> {
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
      door.swallowed++;
      client.destroy();
    });
    // A server behind a silent network does not learn that its client went away.
    client.on('close', () => held || behind.destroy());
  });
  const door: LeakyDoor = {
    connection: { ...connection, host: folder },
    swallowAnswerTo: next => {
      word = next;
    },
    swallowed: 0,
    fallSilent(which = 'all') {
      silent = true;
      if (which === 'new') return;
      for (const one of sockets) one.pause();
      for (const tell of onSilence.splice(0)) tell();
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
  return door;
}
