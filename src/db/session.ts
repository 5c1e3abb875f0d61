// A connection that waits for no answer longer than its limit. Past it the connection is destroyed: the statement may still
// be running, so nothing that came later over it could be trusted.
import pg from 'pg';
import { monotonicMs } from '../clock.ts';
import { graceMs, patienceMs, type StatementLimit } from './statement-limits.ts';
import { DatabaseSilent, lateMs, type Watch } from './watch.ts';

export type SessionConfig = pg.ClientConfig & { watch: Watch; limit: StatementLimit };

type Wire = {
  stream: { destroy(error: Error): void };
  on(event: 'readyForQuery', listener: () => void): void;
};

export class Session extends pg.Client {
  /** For what is sent from now on; a transaction may set its own. */
  limit: StatementLimit;
  readonly #watch: Watch;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;

  constructor(config: SessionConfig) {
    super(config);
    this.#watch = config.watch;
    this.limit = config.limit;
    this.#watch.add(this);
    // Whoever waits for an answer is told by it; without a listener here a connection that breaks between two statements of
    // a transaction would end the whole process.
    this.on('error', () => {});
    this.once('end', () => {
      this.#rest();
      this.#watch.remove(this);
    });
    this.on('drain', () => this.#rest());
    this.#wire.on('readyForQuery', () => {
      this.#watch.heard();
      // Of several statements in a row each has the whole limit.
      if (this.#timer) this.#begin();
    });
    const query = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...given: unknown[]) => {
      const result = query(...given);
      if (!this.#timer) this.#begin();
      return result;
    }) as typeof this.query;
  }

  giveUp(error: Error): void {
    this.#rest();
    this.#wire.stream.destroy(error);
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
    // Gives up all of us if nobody is there.
    void this.#watch.answers();
    this.#wait(patienceMs);
  }
}
