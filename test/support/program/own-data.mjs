// A process that owns a data directory as the program does (lock, then database), for tests that kill such a process.
// Arguments: the data directory, and `lock` to stop after locking. Prints one JSON line when it is there, then stays.
import { load } from '../run/load-source.mjs';

const [dataDir, until] = process.argv.slice(2);
const { lockData } = await load('db/embedded/data-lock.ts');
const { startEmbedded } = await load('db/embedded/server.ts');
const { silentLog } = await load('log.ts');
await lockData(dataDir, 'program', 0);
const database = until === 'lock' ? null : await startEmbedded({ dataDir, log: silentLog, reserveBytes: 0 });
console.log(JSON.stringify({ pid: process.pid, serverPid: database?.pid ?? null }));
setInterval(() => {}, 60_000);
