// The replication protocol over the driver: a base backup, and the log (WAL) as it is written. Both need a role that may replicate and no
// program of the server's package, which the embedded server does not have.
import { type Connection, whereTo } from './db.ts';
import pg from './driver.ts';

type Wire = {
  stream: { pause(): void; resume(): void; destroy(error?: Error): void };
  sendCopyFromChunk(chunk: Buffer): void;
};

const connectMaxMs = 4_000;

/** A connection that takes replication commands only. The caller ends it. */
export async function openReplication(connection: Connection, name: string): Promise<pg.Client> {
  const { driver, primary } = whereTo(connection);
  const place = await primary?.find();
  if (primary && !place) throw new Error('none of the database servers takes writes');
  const config = {
    ...driver,
    application_name: name,
    connectionTimeoutMillis: connectMaxMs,
    keepAlive: true,
    replication: 'true',
  };
  const client = new pg.Client(config as pg.ClientConfig);
  // Set afterwards: the driver prefers the address to its options.
  if (place) Object.assign(client, { host: place.host, port: place.port });
  // The failing statement reports the error; without a listener a lost connection would end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}

type ServerIdentity = { system: string; timeline: number };

export async function identifyServer(client: pg.Client): Promise<ServerIdentity> {
  const { rows } = await client.query('IDENTIFY_SYSTEM');
  return { system: String(rows[0].systemid), timeline: Number(rows[0].timeline) };
}

/** Statements whose answer is a stream of messages within COPY. */
class CopyOut extends pg.Query {
  readonly #heard: (message: Buffer, wire: Wire) => void;

  constructor(
    text: string,
    heard: (message: Buffer, wire: Wire) => void,
    done: (error?: Error, result?: unknown) => void,
  ) {
    super(text, undefined, done as never);
    this.#heard = heard;
  }

  handleCopyData({ chunk }: { chunk: Buffer }, wire: Wire): void {
    this.#heard(chunk, wire);
  }
}

type BaseSink = {
  /** A piece of the archive (tar); false: no more until `onRoom` calls back. */
  archive(piece: Buffer): boolean;
  onRoom(resume: () => void): void;
  /** A piece of the server's own list of files with their checksums. */
  list(piece: Buffer): void;
};
type BaseRange = { startLsn: string; endLsn: string; timeline: number };

// WAL true: the backup contains the log written meanwhile, so it is complete by itself.
const baseCommand = `BASE_BACKUP (LABEL 'peyk', CHECKPOINT 'fast', WAL true, WAIT false, MANIFEST 'yes', MANIFEST_CHECKSUMS 'CRC32C')`;

/** Reads the whole server as one archive. Other tablespaces are refused: a restore could not place their files. */
export function readBase(client: pg.Client, sink: BaseSink): Promise<BaseRange> {
  let archives = 0;
  let isList = false;
  // Data that arrived before a pause is still delivered after it.
  let isWaiting = false;
  return new Promise((resolve, reject) => {
    const heard = (message: Buffer, wire: Wire) => {
      const kind = String.fromCharCode(message[0]!);
      if (kind === 'n' && ++archives > 1) wire.stream.destroy(new Error('the server has more than one tablespace'));
      if (kind === 'm') isList = true;
      if (kind !== 'd') return;
      // Copied, because the driver reuses its buffer.
      const piece = Buffer.from(message.subarray(1));
      if (isList) return sink.list(piece);
      if (sink.archive(piece) || isWaiting) return;
      isWaiting = true;
      wire.stream.pause();
      sink.onRoom(() => {
        isWaiting = false;
        wire.stream.resume();
      });
    };
    const done = (error?: Error, result?: unknown) => {
      if (error) return reject(error);
      const answers = (result as pg.QueryResult[]).filter(one => one.rows[0]?.recptr);
      const [first, last] = [answers[0]!.rows[0], answers.at(-1)!.rows[0]];
      resolve({ startLsn: first.recptr, endLsn: last.recptr, timeline: Number(first.tli) });
    };
    client.query(new CopyOut(baseCommand, heard, done));
  });
}

export type LogStream = {
  /** Reports our position; it is also the heartbeat that the server expects. */
  report(): void;
  pause(): void;
  resume(): void;
  /** Rejects when the stream breaks; resolves never. */
  ended: Promise<never>;
};

const logData = 0x77;
const keepAlive = 0x6b;
const headerBytes = 25;

/**
 * Streams the log from a position; `heard` must copy the bytes before it returns. `kept`: the position up to which the log is stored; the
 * server may remove it. A server that stops waits until everything it sent is stored, and asks for the position.
 */
export function readLog(
  client: pg.Client,
  from: { slot: string; lsn: string; timeline: number },
  heard: (lsn: bigint, bytes: Buffer) => void,
  kept: () => bigint,
): LogStream {
  const wire = (client as unknown as { connection: Wire }).connection;
  const report = () => {
    const status = Buffer.alloc(34);
    status.write('r');
    // One position for received, flushed and applied.
    for (const at of [1, 9, 17]) status.writeBigUInt64BE(kept(), at);
    wire.sendCopyFromChunk(status);
  };
  const ended = new Promise<never>((_, reject) => {
    const command = `START_REPLICATION SLOT ${from.slot} PHYSICAL ${from.lsn} TIMELINE ${from.timeline}`;
    const take = (message: Buffer) => {
      try {
        if (message[0] === logData) heard(message.readBigUInt64BE(1), message.subarray(headerBytes));
        else if (message[0] === keepAlive && message[17] === 1) report();
      } catch (error) {
        // Destroys the stream: a thrown error would end the process.
        wire.stream.destroy(error as Error);
      }
    };
    client.once('end', () => reject(new Error('the connection ended')));
    client.query(new CopyOut(command, take, error => reject(error ?? new Error('the server ended the stream'))));
  });
  ended.catch(() => {});
  return {
    ended,
    pause: () => wire.stream.pause(),
    resume: () => wire.stream.resume(),
    report,
  };
}
