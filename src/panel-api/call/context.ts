// What a panel handler receives: the parts of the program it may use, and the facts of this call.

import type { AcceptQueue } from '../../accept/accept-queue.ts';
import type { Account } from '../../accounts/account.ts';
import type { Read } from '../../contract/lenient.ts';
import type { Db } from '../../db/db.ts';
import type { Log } from '../../log.ts';
import type { Counted } from '../../metrics/metrics.ts';
import type { OrderTraces } from '../../orders/traces.ts';
import type { Session, Visitor } from '../../people/sessions.ts';
import type { SecretKey } from '../../sealing/secrets.ts';
import type { IdentityCheck } from '../../senders/identity-check.ts';
import type { OperationName, OutputOf } from '../contract/contract.ts';
import type { Schemas } from '../contract/schemas.ts';

/** The parts that belong to the database of the call's account. */
export type PanelCell = { db: Db; orders: AcceptQueue };
type PanelCells = { readonly several: boolean; of(cell: number): PanelCell; all(): [number, PanelCell][] };

export type PanelServices = {
  db: Db;
  orders: AcceptQueue;
  /** The database of people and carriers, for a call about an account of another cell; `db` and `orders` are then that cell's. */
  home?: PanelCell;
  /** Present if there are several databases. */
  cells?: PanelCells;
  key: SecretKey;
  log: Log;
  identity: IdentityCheck;
  /** Where traces are exported. */
  traces?: OrderTraces | undefined;
  /** The text of /metrics. */
  metrics(): Promise<Counted>;
  version: string;
  options: {
    allowPrivateWebhooks: boolean;
    operatorCode: string;
    retentionDays: number;
    /** Staff have staff rights only with a second factor. */
    staffSecondFactor: boolean;
    publicUrl: string;
    /** Ports for SMPP customers, as far as this node knows them. */
    smpp: { port: number | null; tlsPort: number | null };
  };
};

/** Cookies to set. `token`: null removes it, undefined leaves it. `asker`: identifies a browser that requested a code. */
export type Cookie = { token?: string | null; asker?: string };

export type PublicCall = PanelServices & {
  visitor: Visitor;
  now: Date;
  /** Our public address, or the scheme and host that the caller used. */
  baseUrl: string;
  /** The caller's token, '' without one. */
  token: string;
  cookie: Cookie;
};
export type UserCall = PublicCall & { session: Session };
export type AccountCall = UserCall & { account: Account; role: 'owner' | 'sender' | 'viewer' };

type RoleOf<Name extends OperationName> = typeof import('../contract/contract.ts').operations[Name]['role'];
type CallOf<Role> = Role extends 'public' ? PublicCall : Role extends 'user' | 'staff' ? UserCall : AccountCall;

/** The input after reading by the operation's schema. */
export type InputRead<Name extends OperationName> = Read<Schemas[Name]['input']>;
export type Given<Name extends OperationName> = { input: InputRead<Name> };

/** A handler gets the call and the input of its contract, and returns the contract's output. */
export type Handlers = {
  [Name in OperationName]: (call: CallOf<RoleOf<Name>> & Given<Name>) => Promise<OutputOf<Name>>;
};
