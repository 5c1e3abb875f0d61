// Messages between the processes of one node, always through the first one.
import type { Connection } from '../db/db.ts';
import type { Counted } from '../metrics/metrics.ts';

/** Exit code of a process that found no database at its start: it is restarted, and this does not count as a failure. */
export const databaseAwayCode = 75;

export type ChildRole = 'api' | 'dispatch' | 'background' | 'smpp';

/** Passed to a child in its environment. */
export type ChildTask = {
  role: ChildRole;
  connection: Connection;
  /** The cell of the process; 0 is the home. */
  cell: number;
  /** The home's database, if `cell` is another one. */
  home: Connection;
  /** Dispatchers of this node that are certainly dead; on the first start over embedded data, all of them. */
  deadDispatchers: number[] | 'all';
  /** Of a dispatcher: the descriptor of src/queue/chunk-progress.ts. */
  progressFile: number | null;
};

export type FromChild =
  | { type: 'ready'; port?: number; dispatcher?: number }
  | { type: 'dispatcher'; id: number }
  | { type: 'beat'; stalled: string[] }
  | { type: 'auth-failure'; name: string }
  | { type: 'own-metrics'; id: number; metrics: Counted }
  | { type: 'metrics-wanted'; id: number };

export type ToChild =
  | { type: 'stop' }
  | { type: 'node'; live: boolean; stalled: string[] }
  | { type: 'auth-failure'; name: string }
  | { type: 'own-metrics-wanted'; id: number }
  | { type: 'metrics'; id: number; metrics: Counted };
