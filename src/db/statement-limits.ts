// Time limits of statements by purpose. The server ends a statement at its limit (statement_timeout). A second later we stop waiting:
// without that error the server or the network hangs.

/** In milliseconds. `lock`: the longest wait for a lock, shorter than the limit of the statement. */
export type StatementLimit = { readonly statement: number; readonly lock: number };

const minute = 60_000;
const hour = 60 * minute;

export const statementLimits = {
  /** A request waits for the answer: 503 within ten seconds. */
  call: { statement: 7_000, lock: 5_000 },
  /** Loops of the dispatcher and the background, commands. */
  work: { statement: minute, lock: 15_000 },
  /** Orders of up to 50,000 recipients, on a busy machine. */
  large: { statement: minute, lock: 15_000 },
  /** The audit reads all stored data. */
  audit: { statement: 6 * hour, lock: minute },
  /** Counting and rewriting whole tables. Migrations set their own lock limit: migrate.ts. */
  migration: { statement: 24 * hour, lock: 15_000 },
} as const satisfies Record<string, StatementLimit>;

/** Time after the server's limit at which we stop waiting. */
export const graceMs = 1_000;
/** After this time without an answer we check the server over another connection. */
export const patienceMs = 4_000;
/** A server that does not accept a connection and answer `select 1` within this time counts as away. */
export const probeMs = 3_000;
