// The cell of a key, an older login or an SMPP user: from the cache, then from the directory, then from every cell, because a new name may not
// be in the directory yet. A wrong answer does no harm: that cell does not know the name, and every cell is asked.
import { type Db, type Queryable, row } from '../db/db.ts';
import { keepNewest } from '../limits.ts';
import type { CellPart, CellParts } from './cell-parts.ts';
import { cellOfName, home, type NameKind, reflectAccount } from './directory.ts';

const rememberedMax = 100_000;

const places: Record<NameKind, string> = {
  key: 'credentials x where key',
  'old-login': 'old_logins x where username',
  smpp: 'smpp_users x where system_id',
};

/** The account with this name in this database. */
function accountOfName(db: Queryable, kind: NameKind, name: string) {
  const text = `select account_id as "accountId" from ${places[kind]} = $1`;
  return row<{ accountId: number }>(db, { name: `cell ${kind}`, text }, [name]);
}

export class CellNames {
  readonly #parts: CellParts<CellPart>;
  readonly #homeDb: Db;
  readonly #remembered = new Map<string, number>();

  constructor(parts: CellParts<CellPart>, homeDb: Db) {
    this.#parts = parts;
    this.#homeDb = homeDb;
  }

  /** Asks the likely cell and, if that does not know the name, the one that does. Throws where a cell that may know it does not answer. */
  async ask<T>(kind: NameKind, name: string, ask: (cell: number) => Promise<T>, knows: (answer: T) => boolean) {
    const guess = await this.#find(kind, name);
    const answer = await ask(guess);
    if (knows(answer)) return answer;
    const cell = await this.#search(kind, name, guess);
    return cell === null ? answer : ask(cell);
  }

  /** The likely cell; the home for an unknown name. */
  async #find(kind: NameKind, name: string): Promise<number> {
    const known = this.#remembered.get(`${kind} ${name}`);
    if (known !== undefined) return known;
    const cell = (await cellOfName(this.#homeDb, kind, name))?.cell ?? home;
    this.#remember(kind, name, cell);
    return cell;
  }

  /** The cell of a name that cell `notIn` does not know. null: no cell knows it. */
  async #search(kind: NameKind, name: string, notIn: number): Promise<number | null> {
    this.#remembered.delete(`${kind} ${name}`);
    const found = await cellOfName(this.#homeDb, kind, name);
    if (found && found.cell !== notIn) return this.#remember(kind, name, found.cell);
    const others = this.#parts.all().filter(([id]) => id !== notIn);
    const answers = await Promise.allSettled(others.map(([, part]) => accountOfName(part.db, kind, name)));
    for (const [at, answer] of answers.entries()) {
      if (answer.status !== 'fulfilled' || !answer.value) continue;
      const [cell, part] = others[at]!;
      if (cell !== home) await reflectAccount(this.#homeDb, part.db, answer.value.accountId);
      return this.#remember(kind, name, cell);
    }
    const failed = answers.find(one => one.status === 'rejected');
    if (failed) throw failed.reason;
    return null;
  }

  #remember(kind: NameKind, name: string, cell: number): number {
    keepNewest(this.#remembered, `${kind} ${name}`, cell, rememberedMax);
    return cell;
  }
}
