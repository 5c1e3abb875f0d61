// How long a statement may take, by what it is for. The server ends it at its own limit (statement_timeout) and says so; a
// second later we stop waiting, because a server that has not even said that is hung, or the way to it is.

/** In milliseconds. `lock`: the longest wait for somebody else's lock, which must end before the statement does. */
export type StatementLimit = { readonly statement: number; readonly lock: number };

const minute = 60_000;
const hour = 60 * minute;

export const statementLimits = {
  /** Somebody waits for the answer: 503 within ten seconds. */
  call: { statement: 7_000, lock: 5_000 },
  /** Loops of the dispatcher and of the background, commands. */
  work: { statement: minute, lock: 15_000 },
  /** Orders of up to 50,000 recipients, on a machine that is busy with other things too. */
  large: { statement: minute, lock: 15_000 },
  /** Everything that is stored is read once. */
  audit: { statement: 6 * hour, lock: minute },
  /** Counting and rewriting whole tables. How long a migration waits for locks is its own matter: migrate.ts. */
  migration: { statement: 24 * hour, lock: 15_000 },
} as const satisfies Record<string, StatementLimit>;

/** So much later than the server's own limit we stop waiting for it to speak. */
export const graceMs = 1_000;
/** So long a statement may be silent before we ask, over another connection, whether anybody is there at all. */
export const patienceMs = 4_000;
/** A server that does not take a connection and answer `select 1` on it within this is not there. */
export const probeMs = 3_000;
