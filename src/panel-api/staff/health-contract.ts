// Contract of the panel: metrics for staff, of the whole installation if they come from the database, else of the answering
// node.
import { type Static, Type } from '../../contract/type.ts';
import { nothing, type Operations } from '../contract/shapes.ts';

const maybe = Type.Nullable(Type.Number());

const health = Type.Object({
  at: Type.String(),
  /** Every loop of every process of this node sends heartbeats. */
  live: Type.Boolean(),
  /** The metrics of every database were read in time; otherwise they are 0 here. */
  databaseAnswers: Type.Boolean(),
  /** Totals of this node since its start; two answers give a rate. */
  counts: Type.Object({
    requests: Type.Number(),
    /** Answered 503. */
    failed: Type.Number(),
    submitted: Type.Number(),
    receipts: Type.Number(),
    settled: Type.Number(),
    posts: Type.Number(),
    restarts: Type.Number(),
  }),
  /** From the first answer or receipt of a batch to its commit, on average since the start. */
  settleSeconds: maybe,
  lanes: Type.Array(
    Type.Object({
      lane: Type.Enum(['transactional', 'campaign']),
      messages: Type.Number(),
      oldestSeconds: Type.Number(),
      quarantined: Type.Number(),
    }),
  ),
  carriers: Type.Array(
    Type.Object({
      name: Type.String(),
      bound: Type.Number(),
      wanted: Type.Number(),
      windowUsed: Type.Number(),
      windowSize: Type.Number(),
      submitted: Type.Number(),
      receipts: Type.Number(),
      /** On average over all answers and receipts since this node's start. */
      lagSeconds: maybe,
      errorShare: maybe,
    }),
  ),
  webhooks: Type.Object({
    backlog: Type.Number(),
    oldestSeconds: Type.Number(),
    failing: Type.Number(),
    paused: Type.Number(),
  }),
  registry: Type.Object({ waiting: Type.Number(), lagSeconds: Type.Number(), trouble: Type.Boolean() }),
  pools: Type.Array(
    Type.Object({ name: Type.String(), used: Type.Number(), max: Type.Number(), waiting: Type.Number() }),
  ),
  processes: Type.Array(Type.Object({ role: Type.String(), delaySeconds: Type.Number(), memoryBytes: Type.Number() })),
  database: Type.Object({
    bytes: Type.Number(),
    oldestTransactionSeconds: Type.Number(),
    connections: Type.Number(),
    connectionsMax: Type.Number(),
  }),
  /** The home, 0, and the cells that the node serves. */
  cells: Type.Array(
    Type.Object({
      cell: Type.Number(),
      answers: Type.Boolean(),
      waiting: Type.Number(),
      bytes: Type.Number(),
      connections: Type.Number(),
      connectionsMax: Type.Number(),
    }),
  ),
  /** The largest over all cells. */
  tables: Type.Array(
    Type.Object({ table: Type.String(), rows: Type.Number(), deadRows: Type.Number(), bytes: Type.Number() }),
  ),
  /** All carriers together, by the minute, the last hour. */
  hour: Type.Array(
    Type.Object({
      at: Type.String(),
      submitted: Type.Number(),
      receipts: Type.Number(),
      errors: Type.Number(),
      waiting: Type.Number(),
      lagSeconds: maybe,
    }),
  ),
});
export type Health = Static<typeof health>;

export const staffHealthOperations = {
  'staff.health': { input: nothing, output: health },
} satisfies Operations;
