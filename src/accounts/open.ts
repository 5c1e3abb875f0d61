// Opens an account: default settings, the welcome credit as its first ledger entry, credentials.
import { grantCredit, openBalance } from '../balance/ledger.ts';
import { type Db, type Queryable, row, sql, type Tx, transaction } from '../db/db.ts';
import { limits } from '../limits.ts';
import { type Credentials, issueCredentials, type NewCredentials, newCredentials } from './credentials.ts';

export type OpenedAccount<Given extends Credentials = NewCredentials> = { id: number } & Given;

const insertAccount = sql<{ id: number }>('account insert')`insert into accounts (name) values ($1) returning id`;
const insertWithId = sql<{ id: number }>('account insert with id')`
  insert into accounts (id, name) values ($1, $2) returning id`;

export function openAccount(db: Db, name: string): Promise<OpenedAccount>;
export function openAccount(db: Db, name: string, given: Credentials): Promise<OpenedAccount<Credentials>>;
export function openAccount(db: Db, name: string, given: Credentials = newCredentials()) {
  requireAccountName(name);
  return transaction(db, tx => openIn(tx, name, given));
}

export function requireAccountName(name: string): void {
  if (name.trim() === '' || name.length > 200) throw new Error('an account needs a name of 1 to 200 characters');
}

/** Stores only number and name, for an account that is opened in another database. */
export async function reserveAccount(tx: Tx, name: string): Promise<number> {
  return (await row(tx, insertAccount, [name]))!.id;
}

/** The welcome credit. */
export async function welcome(db: Queryable, id: number): Promise<void> {
  await grantCredit(db, id, limits.welcomeCredit, 'Hoş geldin kredisi', 'peyk');
}

type OpenOptions = {
  /** A number that was reserved before. */
  id?: number;
  isWelcome?(id: number): Promise<boolean>;
};

/** Runs inside a larger transaction, such as a sign-up that also creates the owner. */
export async function openIn<Given extends Credentials>(
  tx: Tx,
  name: string,
  given: Given,
  { id: reserved, isWelcome = async () => true }: OpenOptions = {},
): Promise<OpenedAccount<Given>> {
  const inserted = reserved === undefined ? row(tx, insertAccount, [name]) : row(tx, insertWithId, [reserved, name]);
  const { id } = (await inserted)!;
  await openBalance(tx, id);
  if (await isWelcome(id)) await welcome(tx, id);
  return { id, ...(await issueCredentials(tx, id, given)) };
}
