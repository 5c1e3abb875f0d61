// The panel with accounts in several databases. People, sessions and carriers are in the home cell; an account's data are in
// its own cell; questions over all accounts go to all cells.
import type { AcceptQueue } from '../../accept/accept-queue.ts';
import { newCredentials } from '../../accounts/credentials.ts';
import { welcome } from '../../accounts/open.ts';
import { cellOfAccount, cellOfNumber, home, placeNewAccount, reflectAccount } from '../../cells/directory.ts';
import { openAccountSomewhere } from '../../cells/open-account.ts';
import { reflectPeople } from '../../cells/people.ts';
import { type Db, row, sql, transaction } from '../../db/db.ts';
import { inTime } from '../../loops/in-time.ts';
import type { Elsewhere } from '../../people/sign-up.ts';
import type { OperationName } from '../contract/contract.ts';
import { PanelRefusal } from '../words/errors.ts';
import type { PanelCell, PanelServices } from './context.ts';

/** The parts of a call that differ for an account of another cell; empty for one at home. */
type Place = { db?: Db; orders?: AcceptQueue; home?: PanelCell };

type Call = Pick<PanelServices, 'db' | 'orders' | 'home' | 'cells' | 'log'>;

/** The database of people and carriers. */
export function homeDb(call: Pick<Call, 'db' | 'home'>): Db {
  return call.home?.db ?? call.db;
}

export async function placeOfAccount(call: Call, accountId: number): Promise<Place> {
  if (!call.cells?.several) return {};
  return placeIn(call, await cellOfAccount(homeDb(call), accountId));
}

function placeIn(call: Call, cell: number): Place {
  if (cell === home) return {};
  const { db, orders } = call.cells!.of(cell);
  return { db, orders, home: call.home ?? { db: call.db, orders: call.orders } };
}

/** Copies a change to the home cell, and the account's people to its cell. */
export async function afterChange(call: Pick<Call, 'db' | 'home'>, accountId: number): Promise<void> {
  const people = call.home?.db;
  if (!people) return;
  await reflectAccount(people, call.db, accountId);
  await transaction(call.db, tx => reflectPeople(people, tx, accountId));
}

/** Asks each database, the home first; `silent` lists cells that did not answer within `withinMs`, which are also logged. */
export async function askEach<T>(
  call: Call,
  ask: (db: Db, cell: number) => Promise<T>,
  withinMs?: number,
): Promise<{ answers: T[]; silent: number[] }> {
  if (!call.cells?.several) return { answers: [await ask(call.db, home)], silent: [] };
  const silent: number[] = [];
  const answers = await Promise.all(
    call.cells.all().map(([cell, { db }]) =>
      within(ask(db, cell), withinMs).catch((error: Error) => {
        if (cell === home) throw error;
        call.log.warn({ cell, error: error.message }, 'a cell did not answer the panel');
        silent.push(cell);
        return undefined;
      }),
    ),
  );
  return { answers: answers.filter(one => one !== undefined) as T[], silent };
}

async function within<T>(answer: Promise<T>, limitMs: number | undefined): Promise<T> {
  const found = limitMs === undefined ? await answer : await inTime(answer, limitMs);
  if (found === 'late') throw new Error(`no answer within ${limitMs} ms`);
  return found as T;
}

/** For reads: a cell that does not answer is left out, and a strip above the staff pages says so (overview/live.ts). */
export async function everywhere<T>(call: Call, read: (db: Db, cell: number) => Promise<T>): Promise<T[]> {
  return (await askEach(call, read)).answers;
}

/** For changes that must reach every cell: made where possible, and the answer names where it failed. */
export function requireNoneSilent(silent: number[]): void {
  if (silent.length === 0) return;
  const which = silent.sort((a, b) => a - b).join(', ');
  throw new PanelRefusal('cells-silent', {
    tr: `Yanıt vermeyen hücre: ${which}. Orada yapılamadı, diğerlerinde yapıldı; yanıt verince yineleyin.`,
    en: `Cells that do not answer: ${which}. Not done there, done in the others; repeat it when they answer.`,
  });
}

/** Merges the lists of all cells. */
export async function listEverywhere<T>(call: Call, read: (db: Db) => Promise<T[]>): Promise<T[]> {
  return (await everywhere(call, read)).flat();
}

/** The same, each with the cell it is from. */
export async function listOfCells<T>(call: Call, read: (db: Db) => Promise<T[]>): Promise<(T & { cell: number })[]> {
  return (await everywhere(call, async (db, cell) => (await read(db)).map(one => ({ ...one, cell })))).flat();
}

/** The cell of new accounts if it is not the home: the account is opened there, and its welcome credit is granted separately. */
export async function openForSignUp(call: Call, name: string): Promise<Elsewhere | null> {
  if (!call.cells?.several) return null;
  const cell = await placeNewAccount(call.db);
  if (cell === home) return null;
  const { db } = call.cells.of(cell);
  const pools = { home: { db: call.db }, several: true, of: () => ({ db }) };
  const { id } = await openAccountSomewhere(pools, name, newCredentials(), { cell, isWelcome: false });
  return { id, welcome: () => welcome(db, id) };
}

const ofAccounts = new Set<OperationName>([
  'staff.account',
  'staff.setAccount',
  'staff.grantCredit',
  'staff.addBrand',
  'staff.addNumber',
  'staff.assignUnrouted',
  'staff.removeBrand',
  'staff.removeNumber',
  'staff.revokeSender',
]);
/** Staff at one account, given by `id`. */
export const isAboutAccount = (operation: OperationName): boolean => ofAccounts.has(operation);

const ofApplications = new Set<OperationName>([
  'staff.application',
  'staff.decide',
  'staff.askDocuments',
  'staff.noteIdentity',
]);

/** Staff at an account or an application, in its cell. */
export async function placeOfStaff(call: Call, operation: OperationName, input: unknown): Promise<Place> {
  if (!call.cells?.several) return {};
  const { id } = input as { id: number };
  if (ofAccounts.has(operation)) return placeOfAccount(call, id);
  return ofApplications.has(operation) ? placeOfRow(call, id, applicationSql) : {};
}

const applicationSql = sql<{ id: number }>('application there')`select id from applications where id = $1`;
const documentSql = sql<{ id: number }>('document there')`select id from documents where id = $1`;

/** Usually the cell of its number; it may have moved with its account. */
async function placeOfRow(call: Call, id: number, statement: typeof applicationSql): Promise<Place> {
  const made = cellOfNumber(id);
  const cells = call.cells!.all().sort(([a], [b]) => Number(b === made) - Number(a === made));
  for (const [cell, { db }] of cells) if (await row(db, statement, [id])) return placeIn(call, cell);
  return {};
}

export async function placeOfDocument(call: Call, id: number): Promise<Place> {
  return call.cells?.several ? placeOfRow(call, id, documentSql) : {};
}
