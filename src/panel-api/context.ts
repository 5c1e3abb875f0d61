// What a handler of the panel gets: the program's parts it may use, and the facts of this call.

import type { AcceptQueue } from '../accept/accept-queue.ts';
import type { Account } from '../accounts/account.ts';
import type { Read } from '../contract/lenient.ts';
import type { Db } from '../db/db.ts';
import type { Log } from '../log.ts';
import type { Counted } from '../metrics/metrics.ts';
import type { OrderTraces } from '../orders/traces.ts';
import type { Session, Visitor } from '../people/sessions.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import type { IdentityCheck } from '../senders/identity-check.ts';
import type { OperationName, OutputOf } from './contract.ts';
import type { Schemas } from './schemas.ts';

/** What a call has of the database that it is about. */
export type PanelCell = { db: Db; orders: AcceptQueue };
export type PanelCells = { readonly several: boolean; of(cell: number): PanelCell; all(): [number, PanelCell][] };

export type PanelServices = {
  db: Db;
  orders: AcceptQueue;
  /** Where people and carriers are, in a call about an account of another cell; `db` and `orders` are then that cell's. */
  home?: PanelCell;
  /** Where there may be several databases. */
  cells?: PanelCells;
  key: SecretKey;
  log: Log;
  identity: IdentityCheck;
  /** Where traces are told. */
  traces?: OrderTraces | undefined;
  /** What /metrics tells. */
  figures(): Promise<Counted>;
  version: string;
  options: {
    allowPrivateWebhooks: boolean;
    operatorCode: string;
    retentionDays: number;
    /** Staff are staff only with a second factor. */
    staffSecondFactor: boolean;
    publicUrl: string;
    /** Ports for customers over SMPP, as far as this node knows. */
    smpp: { port: number | null; tlsPort: number | null };
  };
};

/** What cookies are to become. `token`: null takes it away; undefined leaves it. `asker`: of a browser that asked for a code. */
export type Cookie = { token?: string | null; asker?: string };

export type PublicCall = PanelServices & {
  visitor: Visitor;
  now: Date;
  /** Our public address, or where the caller reached us: scheme and host. */
  baseUrl: string;
  /** Token the caller came with, '' without one. */
  token: string;
  cookie: Cookie;
};
export type UserCall = PublicCall & { session: Session };
export type AccountCall = UserCall & { account: Account; role: 'owner' | 'sender' | 'viewer' };

type RoleOf<Name extends OperationName> = typeof import('./contract.ts').operations[Name]['role'];
type CallOf<Role> = Role extends 'public' ? PublicCall : Role extends 'user' | 'staff' ? UserCall : AccountCall;

/** What an operation's schema makes of what was sent. */
export type InputRead<Name extends OperationName> = Read<Schemas[Name]['input']>;
export type Given<Name extends OperationName> = { input: InputRead<Name> };

/** A handler gets the call and the input its contract promises, and owes the output the contract promises. */
export type Handlers = {
  [Name in OperationName]: (call: CallOf<RoleOf<Name>> & Given<Name>) => Promise<OutputOf<Name>>;
};
