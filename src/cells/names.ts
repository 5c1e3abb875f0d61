// The cell of a key, an older login or an SMPP user: from the cache, then from the directory, then from every cell, because a new name may not
// be in the directory yet. A wrong answer does no harm: that cell does not know the name, and every cell is asked.
import { type Queryable, row } from '../db/db.ts';
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

/**
 * Asks the likely cell of a name and, if that does not know it, the one that does. `ask` throws where a cell that may know the name does
 * not answer.
 */
export function cellNames(parts: CellParts<CellPart>) {
  const homeDb = parts.home.db;
  const remembered = new Map<string, number>();

  /** The likely cell; the home for an unknown name. */
  async function find(kind: NameKind, name: string): Promise<number> {
    const known = remembered.get(`${kind} ${name}`);
    return known ?? remember(kind, name, (await cellOfName(homeDb, kind, name))?.cell ?? home);
  }

  /** The cell of a name that cell `notIn` does not know. null: no cell knows it. */
  async function search(kind: NameKind, name: string, notIn: number): Promise<number | null> {
    remembered.delete(`${kind} ${name}`);
    const found = await cellOfName(homeDb, kind, name);
    if (found && found.cell !== notIn) return remember(kind, name, found.cell);
    const others = parts.all().filter(([id]) => id !== notIn);
    const answers = await Promise.allSettled(others.map(([, part]) => accountOfName(part.db, kind, name)));
    for (const [at, answer] of answers.entries()) {
      if (answer.status !== 'fulfilled' || !answer.value) continue;
      const [cell, part] = others[at]!;
      if (cell !== home) await reflectAccount(homeDb, part.db, answer.value.accountId);
      return remember(kind, name, cell);
    }
    const failed = answers.find(one => one.status === 'rejected');
    if (failed) throw failed.reason;
    return null;
  }

  function remember(kind: NameKind, name: string, cell: number): number {
    keepNewest(remembered, `${kind} ${name}`, cell, rememberedMax);
    return cell;
  }

  return async <T>(kind: NameKind, name: string, ask: (cell: number) => Promise<T>, knows: (answer: T) => boolean) => {
    const guess = await find(kind, name);
    const answer = await ask(guess);
    if (knows(answer)) return answer;
    const cell = await search(kind, name, guess);
    return cell === null ? answer : ask(cell);
  };
}
