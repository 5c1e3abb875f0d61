// In which cell a key, an older login or an SMPP user is. Remembered; asked of the directory; and where nobody knows, of every
// cell: one that was issued a moment ago, or whose issuer ended before the home was told. Being wrong does no harm: the cell
// asked does not know the name, and `search` looks again.
import { type Db, type Queryable, row, type Sql } from '../db/db.ts';
import type { CellPart, CellParts } from './cell-parts.ts';
import { cellOfName, home, type NameKind, reflectAccount } from './directory.ts';

const rememberedMax = 100_000;

const knownSql: Record<NameKind, Sql<{ accountId: number }>> = {
  key: { name: 'cell key', text: `select account_id as "accountId" from credentials x where key = $1` },
  'old-login': {
    name: 'cell login',
    text: `select account_id as "accountId" from old_logins x where username = $1`,
  },
  smpp: {
    name: 'cell smpp',
    text: `select account_id as "accountId" from smpp_users x where system_id = $1`,
  },
};

/** Whether this database knows the name. */
export function accountOfName(db: Queryable, kind: NameKind, name: string) {
  return row(db, knownSql[kind], [name]);
}

export class CellNames {
  readonly #parts: CellParts<CellPart>;
  readonly #homeDb: Db;
  readonly #remembered = new Map<string, number>();

  constructor(parts: CellParts<CellPart>, homeDb: Db) {
    this.#parts = parts;
    this.#homeDb = homeDb;
  }

  /** The likely cell; the home for a name that nobody has. */
  async find(kind: NameKind, name: string): Promise<number> {
    const known = this.#remembered.get(`${kind} ${name}`);
    if (known !== undefined) return known;
    const cell = (await cellOfName(this.#homeDb, kind, name))?.cell ?? home;
    this.#remember(kind, name, cell);
    return cell;
  }

  /** It was not in that one: where is it? null: nowhere. Fails where that cannot be told because a cell does not answer. */
  async search(kind: NameKind, name: string, notIn: number): Promise<number | null> {
    this.#remembered.delete(`${kind} ${name}`);
    const told = await cellOfName(this.#homeDb, kind, name);
    if (told && told.cell !== notIn) return this.#remember(kind, name, told.cell);
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
    if (this.#remembered.size >= rememberedMax) this.#remembered.clear();
    this.#remembered.set(`${kind} ${name}`, cell);
    return cell;
  }
}
