// Two PostgreSQL servers of the bundled kind, one a streaming standby of the other, with a controlled failover: the primary is
// killed, the standby promoted, and the killed server rebuilt as the new standby.
import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openClient } from '../../../src/db/db.ts';
import { findBinaries } from '../../../src/db/embedded/binaries.ts';
import { databaseIdentity } from '../../../src/db/embedded/identity.ts';
import { connectionTo, layoutOf, prepareSocketDir } from '../../../src/db/embedded/layout.ts';
import { gone, launch } from '../../../src/db/embedded/postmaster.ts';
import { startEmbedded } from '../../../src/db/embedded/server.ts';
import { writeConfig } from '../../../src/db/embedded/settings.ts';
import { silentLog } from '../../../src/log.ts';
import { temporaryFolder } from '../run/temporary-folder.ts';
import { wait } from '../run/wait.ts';

const standbyName = 'standby';
// For both roles, because they change. Test data may be lost with the power; the log is kept for a later standby.
const settings = { fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB', wal_keep_size: '512MB' };
const stopMaxMs = 20_000;

class Server {
  readonly layout;
  pid = 0;

  constructor(dataDir: string) {
    this.layout = layoutOf(dataDir);
  }

  async start(): Promise<void> {
    const identity = databaseIdentity(this.layout.cluster);
    prepareSocketDir(this.layout, identity);
    writeConfig(this.layout);
    const wanted = { dataMajor: null, dataDir: this.layout.dataDir, identity, log: silentLog };
    const binaries = await findBinaries(wanted);
    const { pid, ready } = await launch({
      layout: this.layout,
      binaries,
      identity,
      settings,
    });
    this.pid = pid;
    await ready;
  }

  /** No shutdown, as if its machine were gone. */
  async strike(): Promise<void> {
    if (this.pid === 0) return;
    process.kill(this.pid, 'SIGQUIT');
    await gone(this.pid, stopMaxMs);
    this.pid = 0;
  }

  async query<Row>(...statements: string[]): Promise<Row[]> {
    const client = await openClient(connectionTo(this.layout.socketDir), { name: 'test servers', onError: () => {} });
    try {
      let rows: Row[] = [];
      for (const text of statements) rows = (await client.query(text)).rows as Row[];
      return rows;
    } finally {
      await client.end();
    }
  }
}

export class ReplicatedServers {
  primary: Server;
  standby: Server;

  private constructor(primary: Server, standby: Server) {
    this.primary = primary;
    this.standby = standby;
  }

  static async start(): Promise<ReplicatedServers> {
    const folder = temporaryFolder();
    const [one, two] = ['one', 'two'].map(name => join(folder, name)) as [string, string];
    const first = await startEmbedded({ dataDir: one, log: silentLog, settings, reserveBytes: 0 });
    await first.stop();
    mkdirSync(two, { mode: 0o711 });
    const servers = new ReplicatedServers(new Server(one), new Server(two));
    started.add(servers);
    await servers.primary.start();
    await servers.attach();
    return servers;
  }

  /** Both sockets in order of creation, whatever their present roles. */
  get url(): string {
    const hosts = [this.primary, this.standby].map(one => one.layout.socketDir).sort();
    return `postgresql://peyk@localhost/peyk?host=${encodeURIComponent(hosts.join(','))}&target_session_attrs=read-write`;
  }

  /** The standby, rebuilt from the primary, and streaming. */
  async attach(): Promise<void> {
    const { primary, standby } = this;
    rmSync(standby.layout.cluster, { recursive: true, force: true });
    const client = await openClient(connectionTo(primary.layout.socketDir), { name: 'test copy', onError: () => {} });
    await client.query("select pg_backup_start('standby', true)");
    copyCluster(primary.layout.cluster, standby.layout.cluster);
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    await client.end();
    for (const name of ['postmaster.pid', 'postmaster.opts', 'standby.signal'])
      rmSync(join(standby.layout.cluster, name), { force: true });
    own(join(standby.layout.cluster, 'backup_label'), rows[0].labelfile as string);
    own(join(standby.layout.cluster, 'standby.signal'), '');
    const source = `host=${primary.layout.socketDir} port=5432 user=peyk application_name=${standbyName}`;
    // In a file beside the server's own settings, so that it can be removed again.
    appendFileSync(join(standby.layout.cluster, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
    await standby.start();
    await wait('the standby to stream', async () => {
      const found = await primary.query<object>(
        `select 1 from pg_stat_replication where application_name = '${standbyName}' and state = 'streaming'`,
      );
      return found.length > 0;
    });
  }

  /** Turns synchronous replication on or off. */
  async synchronous(on: boolean): Promise<void> {
    await this.primary.query(
      `alter system set synchronous_standby_names = '${on ? standbyName : ''}'`,
      'select pg_reload_conf()',
    );
    if (!on) return;
    await wait('the standby to be waited for', async () => {
      const found = await this.primary.query<object>("select 1 from pg_stat_replication where sync_state = 'sync'");
      return found.length > 0;
    });
  }

  /** The standby stops receiving without noticing. */
  async cutOff(): Promise<void> {
    await this.standby.query("alter system set primary_conninfo = ''", 'select pg_reload_conf()');
    await wait('the stream to end', async () => {
      const found = await this.primary.query<object>(
        `select 1 from pg_stat_replication where application_name = '${standbyName}'`,
      );
      return found.length === 0;
    });
  }

  /** The primary is gone, and the standby takes over. */
  async failOver(): Promise<void> {
    await this.primary.strike();
    [this.primary, this.standby] = [this.standby, this.primary];
    await this.primary.query(
      'select pg_promote(true)',
      "alter system set synchronous_standby_names = ''",
      'alter system reset primary_conninfo',
      'select pg_reload_conf()',
    );
  }

  async stop(): Promise<void> {
    started.delete(this);
    await Promise.all([this.primary.strike(), this.standby.strike()]);
  }
}

const started = new Set<ReplicatedServers>();
afterAll(async () => {
  for (const one of started) await one.stop();
});

/** With owners and modes. Files that vanish meanwhile are temporary, or log that the stream brings again. */
function copyCluster(from: string, to: string): void {
  try {
    execFileSync('cp', ['-a', from, to], { stdio: 'ignore' });
  } catch (error) {
    if ((error as { status?: number }).status !== 1) throw error;
  }
}

/** A file of the server's own user. */
function own(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  const { uid, gid } = statSync(join(path, '..'));
  if (process.getuid?.() === 0) chownSync(path, uid, gid);
}
