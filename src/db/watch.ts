// Is the server there at all? A statement that is silent for some seconds may be long, or its server may be hung (frozen, a
// dead disk, a network that swallows everything). Another connection tells them apart. When nobody is there, everything
// under way is given up at once, and nothing new is tried until somebody answers again: callers are told 503 within ten
// seconds instead of queueing one behind the other for as long as each may wait.
import pg from 'pg';
import { monotonicMs } from '../clock.ts';
import { probeMs } from './statement-limits.ts';

/** Nobody answered within the time that we wait. What was sent may have been done, or may yet be. */
export class DatabaseSilent extends Error {}

const askAgainMs = 500;
/** A timer that is this late was held up on our side (a frozen process): the answer may lie unread in the socket. */
export const lateMs = 500;

type GivenUp = { giveUp(error: Error): void };

export class Watch {
  silent = false;
  readonly #config: pg.ClientConfig;
  readonly #sessions = new Set<GivenUp>();
  #asking: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(config: pg.ClientConfig) {
    this.#config = config;
  }

  add(session: GivenUp): void {
    this.#sessions.add(session);
  }

  remove(session: GivenUp): void {
    this.#sessions.delete(session);
  }

  /** Some session got an answer: somebody is there, however long a new connection may take. */
  heard(): void {
    this.#heardAt = monotonicMs();
  }

  /** Asks for all who want to know at this moment. If nobody answers, every session of ours is given up. */
  answers(): Promise<boolean> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<boolean> {
    const begun = monotonicMs();
    const answered = (await probe(this.#config)) || this.#heardAt > begun;
    if (this.#stopped) return answered;
    this.silent = !answered;
    if (answered) return true;
    const error = new DatabaseSilent('the database does not answer');
    for (const one of [...this.#sessions]) one.giveUp(error);
    this.#timer = setTimeout(() => void this.answers(), askAgainMs);
    this.#timer.unref();
    return false;
  }
}

/** Over a connection of its own: a pool may have none left. A refusal is an answer too, but not that of an empty port. */
async function probe(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...config, application_name: 'peyk probe', connectionTimeoutMillis: 0 });
  client.on('error', () => {});
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  const due = monotonicMs() + probeMs;
  let heldUp = false;
  const timer = setTimeout(() => {
    heldUp = monotonicMs() - due > lateMs;
    connection.stream.destroy();
  }, probeMs);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch (error) {
    return heldUp || error instanceof pg.DatabaseError;
  } finally {
    clearTimeout(timer);
    client.end().catch(() => {});
  }
}
