// A connection with a time limit for each answer. After the limit the connection is destroyed: the statement may still be running, so later
// answers could not be trusted. A session that must write also ends when its server is, or becomes, read-only.

import type { Place } from '../settings/database-places.ts';
import { monotonicMs } from '../time/clock.ts';
import pg from './driver.ts';
import type { Finder } from './primary.ts';
import { lateMs } from './probe.ts';
import { graceMs, patienceMs, type StatementLimit } from './statement-limits.ts';
import { DatabaseSilent, type Watch } from './watch.ts';

export type SessionConfig = pg.ClientConfig & {
  watch: Watch;
  limit: StatementLimit;
  mustWrite: boolean;
  /** Of several servers, the one to connect to. */
  primary: Finder | undefined;
};

/** The server is read-only: a standby, or set so by an administrator or because of a full disk. */
export class DatabaseReadsOnly extends Error {}

type Parameter = { parameterName: string; parameterValue: string };
type Wire = {
  stream: { destroyed: boolean; destroy(error?: Error): void };
  on(event: 'readyForQuery', listener: () => void): void;
  on(event: 'parameterStatus', listener: (parameter: Parameter) => void): void;
  on(event: 'errorMessage', listener: (error: { code?: string }) => void): void;
};

// A server reports both at the start of a connection and whenever they change (since PostgreSQL 14).
const readingParameters = new Set(['in_hot_standby', 'default_transaction_read_only']);
const readOnlyState = '25006';

export class Session extends pg.Client {
  /** Limit of the next statements; a transaction may set its own. */
  limit: StatementLimit;
  /** The server of this connection, if there are several. */
  place: Place | undefined;
  readonly #watch: Watch;
  readonly #mustWrite: boolean;
  readonly #primary: Finder | undefined;
  /** The parameters that make it read-only; empty = it writes. */
  readonly #reads = new Set<string>();
  #begun = false;
  #open = false;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;

  constructor(config: SessionConfig) {
    super(config);
    this.#watch = config.watch;
    this.limit = config.limit;
    this.#mustWrite = config.mustWrite;
    this.#primary = config.primary;
    this.#watch.add(this);
    // The failing statement reports the error; without a listener a connection that breaks between two statements would end the process.
    this.on('error', () => {});
    this.once('end', () => {
      this.#rest();
      this.#watch.remove(this);
      // The server ended it, not we.
      if (this.place && !(this as unknown as { _ending: boolean })._ending) this.#primary?.forget(this.place);
    });
    this.#noticeReading();
    this.on('drain', () => this.#rest());
    this.#wire.on('readyForQuery', () => {
      this.#watch.heard();
      // Each of several queued statements has the whole limit.
      if (this.#timer) this.#begin();
    });
    const query = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...given: unknown[]) => {
      const result = query(...given);
      if (!this.#timer) this.#begin();
      return result;
    }) as typeof this.query;
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const done = this.#connect();
    if (!callback) return done.then(() => this);
    done.then(() => callback(undefined as unknown as Error), callback);
    return undefined;
  }

  async #connect(): Promise<void> {
    try {
      if (this.#primary) await this.#choose(this.#primary);
      this.#begun = true;
      await super.connect();
      if (this.#mustWrite && this.#reads.size > 0)
        throw new DatabaseReadsOnly(`the database only reads (${[...this.#reads].join(', ')})`);
      this.#open = true;
    } catch (error) {
      this.giveUp(error as Error);
      this.#watch.remove(this);
      throw error;
    }
  }

  async #choose(primary: Finder): Promise<void> {
    this.place = await primary.find();
    if (!this.place) throw new DatabaseSilent('none of the database servers takes writes');
    // The time limit ended while we searched for the server.
    if (this.#wire.stream.destroyed) throw new DatabaseSilent('no database server was found in time');
    Object.assign(this, { host: this.place.host, port: this.place.port });
  }

  #noticeReading(): void {
    if (!this.#mustWrite) return;
    this.#wire.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (!readingParameters.has(parameterName)) return;
      if (parameterValue === 'on') this.#reads.add(parameterName);
      else this.#reads.delete(parameterName);
      if (this.#open && this.#reads.size > 0) this.#giveUpReading();
    });
    // A pooler may not forward the parameters, so error codes are checked too.
    this.#wire.on('errorMessage', ({ code }) => {
      if (code === readOnlyState) this.#giveUpReading();
    });
  }

  /** Ends the session after the server's answer has reached its caller. */
  #giveUpReading(): void {
    setImmediate(() => this.giveUp(new DatabaseReadsOnly('the database only reads from now on')));
  }

  giveUp(error: Error): void {
    if (this.place) this.#primary?.forget(this.place);
    this.#rest();
    // Without an error before the start: an error of the socket without a listener would end the process.
    this.#wire.stream.destroy(this.#begun ? error : undefined);
  }

  get #wire(): Wire {
    return (this as unknown as { connection: Wire }).connection;
  }

  #begin(): void {
    this.#since = monotonicMs();
    this.#wait(patienceMs);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    const left = this.#since + this.limit.statement + graceMs - monotonicMs();
    const due = monotonicMs() + Math.min(ms, left);
    this.#timer = setTimeout(() => this.#look(due), Math.min(ms, left));
  }

  #look(due: number): void {
    const time = monotonicMs();
    if (time - due > lateMs) return this.#wait(lateMs);
    if (time >= this.#since + this.limit.statement + graceMs)
      return this.giveUp(new DatabaseSilent(`no answer to a statement in ${Math.round(time - this.#since)} ms`));
    // Ends all sessions if no server answers.
    void this.#watch.answers();
    this.#wait(patienceMs);
  }
}
