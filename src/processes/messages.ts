// What the processes of one node say to each other, always through the first one.
import type { Connection } from '../db/db.ts';
import type { Counted } from '../metrics/metrics.ts';

/** Exit code of a process whose database was away when it began: it is started again, and that is no failure. */
export const databaseAwayCode = 75;

export type ChildRole = 'api' | 'dispatch' | 'background' | 'smpp';

/** Given to a child in its environment. */
export type ChildTask = {
  role: ChildRole;
  connection: Connection;
  /** Whose database that is; 0 is the home. */
  cell: number;
  /** The home's, where `cell` is another. */
  home: Connection;
  /** Dispatchers of this node that are certainly dead; all of them on the first start over embedded data. */
  deadDispatchers: number[] | 'all';
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
