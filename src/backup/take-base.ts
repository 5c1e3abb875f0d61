// Takes a base backup: the server's archive, compressed and cut into pieces, each stored with its checksum. backup.json is written
// last.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import { type Connection, type Db, row, sql } from '../db/db.ts';
import { identifyServer, openReplication, readBase } from '../db/replication.ts';
import { programVersion } from '../db/version.ts';
import { now } from '../time/clock.ts';
import { type Base, names, type Part, timestamp } from './catalogue.ts';
import { putJson, type Store } from './store.ts';

/** Size of each object; at most two are in memory. */
const pieceBytes = 16 * 1024 * 1024;
// Disk and network are slower than the lowest level, which already halves the size.
export const quickly = { level: constants.Z_BEST_SPEED };

const serverSql = sql<{ major: number; segmentBytes: number }>('backup server')`
  select current_setting('server_version_num')::integer / 10000 as major,
    (select setting::bigint from pg_settings where name = 'wal_segment_size') as "segmentBytes"`;

type ServerFacts = { major: number; segmentBytes: number };

export async function serverFacts(db: Db): Promise<ServerFacts> {
  return (await row(db, serverSql))!;
}

type BaseOptions = {
  db: Db;
  connection: Connection;
  store: Store;
  chain: string;
  pieceBytes?: number;
  signal?: AbortSignal;
};

export async function takeBase(options: BaseOptions): Promise<Base> {
  const { store, chain, db } = options;
  const facts = await serverFacts(db);
  const folder = names.base(chain, timestamp(now()));
  const client = await openReplication(options.connection, 'peyk base backup');
  try {
    const { system } = await identifyServer(client);
    options.signal?.addEventListener('abort', () => void client.end().catch(() => {}));
    const squeeze = createGzip(quickly);
    // The reader reports the error.
    squeeze.on('error', () => {});
    const list: Buffer[] = [];
    let archiveBytes = 0;
    const storing = storePieces(squeeze, folder, store, options.pieceBytes ?? pieceBytes);
    // A refusing target ends the reading too; its error is the one to report.
    storing.catch(() => client.end().catch(() => {}));
    const range = await readBase(client, {
      archive(piece) {
        archiveBytes += piece.length;
        return squeeze.write(piece);
      },
      onRoom: resume => squeeze.once('drain', resume),
      list: piece => void list.push(piece),
    }).catch(async cause => {
      squeeze.destroy(cause);
      await storing;
      throw cause;
    });
    squeeze.end();
    const parts = await storing;
    await store.put(`${folder}files.json.gz`, await promisify(gzip)(Buffer.concat(list)));
    const finishedAt = now().toISOString();
    const base = { chain, finishedAt, ...range, system, ...facts, program: programVersion(), archiveBytes, parts };
    await putJson(store, names.baseFile(folder), base);
    return base;
  } finally {
    await client.end().catch(() => {});
  }
}

async function storePieces(from: AsyncIterable<Buffer>, folder: string, store: Store, most: number): Promise<Part[]> {
  const parts: Part[] = [];
  let waiting: Buffer[] = [];
  let bytes = 0;
  const flush = async () => {
    const body = Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
    const key = `${folder}part-${String(parts.length + 1).padStart(5, '0')}`;
    await store.put(key, body);
    parts.push({ key, bytes: body.length, sha256: sha256(body) });
  };
  for await (const chunk of from) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes >= most) await flush();
  }
  if (bytes > 0) await flush();
  return parts;
}

export function sha256(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
