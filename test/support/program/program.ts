// The whole program as its users run it: `peyk start` as a process with its own data folder and free ports, used only through
// its interfaces (HTTP, command line, the simulators' HTTP) and through signals. Everything that a test file started is gone
// when the file ends, even after a failure: processes, ports, folders.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openAccount } from '../../../src/accounts/open.ts';
import { changeSettings } from '../../../src/accounts/settings.ts';
import { audit } from '../../../src/audit/invariants.ts';
import { grantCredit } from '../../../src/balance/ledger.ts';
import { addBrand } from '../../../src/consent/brands.ts';
import { type Connection, type Db, openPool } from '../../../src/db/db.ts';
import { layoutOf } from '../../../src/db/embedded/layout.ts';
import { livingPostmaster } from '../../../src/db/embedded/postmaster.ts';
import { runningEmbedded } from '../../../src/db/embedded/server.ts';
import type { ReadyLine } from '../../../src/processes/program.ts';
import { decideSender } from '../../../src/senders/senders.ts';
import { CarrierSide } from '../carriers/carrier-side.ts';
import { Client, type Reply, type WireOrder } from '../customers/client.ts';
import { clusterUrl, distributedDatabase } from '../database/citus.ts';
import type { TestPlace } from '../database/database.ts';
import { atEndOfFile } from '../run/clear-away.ts';
import { temporaryFolder } from '../run/temporary-folder.ts';
import { wait } from '../run/wait.ts';
import { prepareData } from './prepared-data.ts';
import { descendants, isAlive, type Process, signalQuietly } from './processes.ts';
import { Sent } from './silent-log.ts';

/** Where the program is started from; another folder to test a built copy. */
const sources = fileURLToPath(new URL('../../..', import.meta.url));
const ownRoot = process.env['PEYK_TEST_PROGRAM'] ?? sources;
const startMaxMs = 150_000;
const stopMaxMs = 60_000;

type ProgramOptions = {
  data?: string;
  env?: Record<string, string>;
  args?: string[];
  /** Settings below that should have the program's own default. */
  without?: string[];
  /** The folder of another release. */
  root?: string;
  /** A first start that creates its database itself, instead of using a prepared empty one. */
  fresh?: boolean;
};
type AccountOptions = { credits?: number; senders?: string[]; brand?: number; set?: Record<string, string> };

const started = new Set<Program>();

process.once('exit', () => {
  for (const one of started) one.killAll();
});

export async function startProgram(options: ProgramOptions = {}): Promise<Program> {
  const program = new Program(options);
  started.add(program);
  atEndOfFile(() => (started.has(program) ? program.remove() : undefined));
  await program.start();
  return program;
}

export class Program {
  readonly data: string;
  readonly env: Record<string, string>;
  ready!: ReadyLine;
  client!: Client;
  carrier!: CarrierSide;
  /** Everything it printed: standard output and the log. */
  output: string[] = [];
  log: string[] = [];
  /** What its log must not contain. */
  readonly sent = new Sent();
  readonly #args: string[];
  readonly #root: string;
  readonly #command: string;
  readonly #isPrepared: boolean;
  readonly #isOnCluster: boolean;
  #place: TestPlace | undefined;
  #child!: ChildProcess;
  #exited!: Promise<number | null>;
  #db: Db | undefined;
  readonly #beside: ChildProcess[] = [];

  constructor({ data, env = {}, args = [], without = [], root = ownRoot, fresh = false }: ProgramOptions) {
    this.#root = root;
    this.#command = join(root, 'bin', 'peyk');
    this.data = data ?? join(temporaryFolder(), 'data');
    this.#args = args;
    // Another release or a built copy may have other migrations.
    this.#isPrepared = !fresh && root === sources && env['DATABASE_URL'] === undefined;
    this.#isOnCluster = clusterUrl !== '' && this.#isPrepared && data === undefined;
    this.env = {
      PEYK_DATA: this.data,
      PEYK_PORT: '0',
      // Saves one process in tests that do not need it.
      PEYK_SMPP_PORT: 'off',
      PEYK_SMSC_PORT: '0',
      PEYK_SMSC_HTTP_PORT: '0',
      PEYK_REGISTRY_PORT: '0',
      PEYK_SIMULATORS: 'smsc',
      PEYK_WORKERS: '1',
      PEYK_LOG_LEVEL: 'info',
      // Metrics of tests are not exported.
      PEYK_DEMO_TRAFFIC: 'off',
      // Set from the start, so that a second start uses the same ports.
      PEYK_DEMO_KEY: randomBytes(16).toString('hex'),
      PEYK_DEMO_HASH: randomBytes(32).toString('hex'),
      ...env,
    };
    for (const name of without) delete this.env[name];
  }

  async start(): Promise<void> {
    this.output = [];
    this.log = [];
    if (this.#isOnCluster) await this.#placeOnCluster();
    else if (this.#isPrepared) await prepareData(this.data);
    this.#child = spawn(process.execPath, [this.#command, 'start', ...this.#args], {
      env: { ...cleanEnvironment(), ...this.env },
      cwd: this.#root,
      // A process group of its own, so that Ctrl-C can be simulated: a signal to the whole group.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#exited = new Promise(resolve => this.#child.once('exit', resolve));
    createInterface({ input: this.#child.stderr! }).on('line', line => this.log.push(line));
    this.ready = await this.#readyLine();
    this.client = new Client(this.ready.api);
    if (this.ready.smscHttp) this.carrier = new CarrierSide(this.ready.smscHttp);
  }

  async #placeOnCluster(): Promise<void> {
    if (this.#place) return;
    this.#place = await distributedDatabase();
    this.env['DATABASE_URL'] = this.#place.url;
    this.env['PEYK_SECRET_KEY'] = randomBytes(32).toString('base64');
  }

  #readyLine(): Promise<ReadyLine> {
    const lines = createInterface({ input: this.#child.stdout! });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not ready in time\n${this.log.join('\n')}`)), startMaxMs);
      lines.on('line', line => {
        this.output.push(line);
        if (!line.startsWith('peyk ready ')) return;
        clearTimeout(timer);
        resolve(JSON.parse(line.slice('peyk ready '.length)) as ReadyLine);
      });
      void this.#exited.then(code => {
        clearTimeout(timer);
        reject(new Error(`the program ended (${code}) before it was ready\n${this.log.join('\n')}`));
      });
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get demo(): { key: string; hash: string } {
    return { key: this.env['PEYK_DEMO_KEY']!, hash: this.env['PEYK_DEMO_HASH']! };
  }

  /** Processes below the first one, by role; the database server stands outside. */
  processes(role?: Process['role']): Process[] {
    return descendants(this.pid).filter(one => role === undefined || one.role === role);
  }

  /** Signals the first process of a role and returns its id. */
  signal(role: Process['role'] | 'first' | 'postgres', name: NodeJS.Signals): number {
    const pid =
      role === 'first'
        ? this.pid
        : role === 'postgres'
          ? this.postmaster()!
          : this.processes(role).map(one => one.pid)[0];
    if (!pid) throw new Error(`there is no ${role} process`);
    process.kill(pid, name);
    return pid;
  }

  lives(pid: number): boolean {
    return isAlive(pid);
  }

  postmaster(): number | undefined {
    return livingPostmaster(layoutOf(this.data).cluster)?.pid;
  }

  /** Ctrl-C, as a terminal sends it: to the whole group. */
  interrupt(): Promise<number | null> {
    process.kill(-this.pid, 'SIGINT');
    return this.exited();
  }

  async exited(): Promise<number | null> {
    const code = await this.#exited;
    this.client?.close();
    await this.#db?.end();
    this.#db = undefined;
    const leaked = this.sent.foundIn(this.log);
    this.log.length = leaked.length > 0 ? 0 : this.log.length;
    if (leaked.length > 0) throw new Error(`the log contains what it must not:\n${leaked.join('\n')}`);
    return code;
  }

  async stop(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGTERM');
    return this.exited();
  }

  /** A command that keeps running, such as a simulator. */
  async run(...words: string[]): Promise<{ line(like: RegExp): Promise<string>; stop(): Promise<void> }> {
    const env = { ...cleanEnvironment(), ...this.env };
    const child = spawn(process.execPath, [this.#command, ...words], {
      env,
      cwd: this.#root,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', one => void lines.push(one));
    this.#beside.push(child);
    return {
      line: like => wait(`a line like ${like}`, () => lines.find(one => like.test(one))),
      async stop() {
        child.kill('SIGTERM');
        await exited;
      },
    };
  }

  /** Runs a command with --json; returns its value, or throws its output. */
  cli<T = Record<string, unknown>>(...words: string[]): Promise<T> {
    return new Promise((resolve, reject) => {
      const env = { ...cleanEnvironment(), ...this.env };
      execFile(
        process.execPath,
        [this.#command, ...words, '--json'],
        { env, cwd: this.#root },
        (error, stdout, stderr) => {
          if (stdout.trim() === '') reject(new Error(`peyk ${words.join(' ')}: ${stderr || error?.message}`));
          else resolve(JSON.parse(stdout) as T);
        },
      );
    });
  }

  /** The findings of `peyk audit`, by the same function, because a command costs half a second. */
  async audit(): ReturnType<typeof audit> {
    return audit(await this.db());
  }

  /** As the commands would create it, by the same functions. */
  async account(options: AccountOptions = {}): Promise<Customer> {
    const db = await this.db();
    const { id, key, hash } = await openAccount(db, 'Deneme');
    if (options.credits) await grantCredit(db, id, options.credits, 'test', 'test');
    for (const name of options.senders ?? []) await decideSender(db, id, name, 'approved');
    if (options.brand) await addBrand(db, id, options.brand, null);
    await this.set(String(id), options.set ?? {});
    return new Customer(this, String(id), key, hash);
  }

  async set(account: string, settings: Record<string, string>): Promise<void> {
    if (Object.keys(settings).length > 0) await changeSettings(await this.db(), Number(account), settings);
  }

  get demoCustomer(): Customer {
    return new Customer(this, '', this.demo.key, this.demo.hash);
  }

  /** Reads the stored data, for facts that no answer shows. */
  async db(): Promise<Db> {
    if (this.#db) return this.#db;
    const url = this.env['DATABASE_URL'];
    const connection: Connection | null = url ? { connectionString: url } : await runningEmbedded(this.data);
    if (!connection) throw new Error('the database does not run');
    this.#db = openPool(connection, { max: 2, name: 'peyk journey', onError: () => {} });
    return this.#db;
  }

  /** At the end of the test file: stops all processes that still run, by force if necessary. */
  async remove(): Promise<void> {
    for (const one of this.#beside) one.kill('SIGKILL');
    for (const one of this.processes()) signalQuietly(one.pid, 'SIGCONT');
    const timer = setTimeout(() => this.killAll(), stopMaxMs);
    await this.stop();
    clearTimeout(timer);
    const postmaster = this.postmaster();
    if (postmaster) {
      signalQuietly(postmaster, 'SIGQUIT');
      await wait('the database server to end', () => !isAlive(postmaster));
    }
    await this.#place?.close();
    started.delete(this);
  }

  killAll(): void {
    for (const one of this.#beside) one.kill('SIGKILL');
    const all = this.#child?.pid ? [...this.processes().map(one => one.pid), this.pid] : [];
    for (const pid of all) signalQuietly(pid, 'SIGKILL');
  }
}

/** An account as its owner uses it: over HTTP, with key and hash. */
export class Customer {
  readonly id: string;
  readonly key: string;
  readonly hash: string;
  readonly #program: Program;

  constructor(program: Program, id: string, key: string, hash: string) {
    this.#program = program;
    this.id = id;
    this.key = key;
    this.hash = hash;
  }

  call(operation: string, members: object = {}): Promise<Reply> {
    const authentication = { key: this.key, hash: this.hash };
    this.#program.sent.note({ authentication, ...members });
    return this.#program.client.post(`/v1/${operation}/json`, { request: { authentication, ...members } });
  }

  /** The id of an accepted order. */
  async send(text: string, numbers: string[], members: object = {}): Promise<string> {
    const reply = await this.trySend(text, numbers, members);
    if (reply.code !== 200) throw new Error(`send-sms answered ${reply.code} ${reply.message}`);
    return reply.response.order!.id;
  }

  trySend(text: string, numbers: string[], members: object = {}): Promise<Reply> {
    const order = { sender: 'APITEST', ...members, message: { text, receipents: { number: numbers } } };
    return this.call('send-sms', { order });
  }

  async report(id: string, page = 1, rowCount = 1000): Promise<WireOrder> {
    const reply = await this.call('get-report', { order: { id, page, rowCount } });
    if (reply.code !== 200) throw new Error(`get-report answered ${reply.code} ${reply.message}`);
    return reply.response.order!;
  }

  /** Every message of an order, over all pages: number → status. */
  async statuses(id: string): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (let page = 1; ; page++) {
      const { message } = await this.report(id, page);
      for (const one of message) found.set(one.number, one.status);
      if (message.length < 1000) return found;
    }
  }

  /** Waits until no message of the order is pending. It reads one row, because a thousand would cost more than the wait. */
  async finished(id: string, timeoutMs?: number): Promise<WireOrder> {
    await wait(
      `order ${id} to finish`,
      async () => {
        const report = await this.report(id, 1, 1).catch(() => undefined);
        return report && report.waiting === 0 && report.status !== 113;
      },
      timeoutMs,
    );
    return this.report(id);
  }

  async balance(): Promise<number> {
    return (await this.call('get-balance')).response.balance!.sms;
  }
}

/** Without the settings of the person who runs the tests. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('PEYK_') && name !== 'DATABASE_URL');
  const kept = own.filter(([name]) => !name.startsWith('VITEST') && name !== 'NODE_OPTIONS');
  return { ...Object.fromEntries(kept), PEYK_TEST_BUILT: '1' };
}
