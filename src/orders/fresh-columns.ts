// Submits that their dispatcher remembers, as columns of a flush: docs/decisions/0022-fresh-submits.md.
import { int4s, int8s, texts } from '../db/arrays.ts';
import { type Queryable, run, sql } from '../db/db.ts';

const ripenSql = sql('ripen submits')`select ripen_submits_1(null, 0, 9223372036854775807)`;

/** Enters what dispatchers alone remember. */
export async function ripenSubmits(db: Queryable): Promise<void> {
  await run(db, ripenSql);
}

const nothing = new Array(13).fill(null);

export class FreshColumns {
  /** New ones: the same place in all four for one submit. */
  readonly carriers: number[] = [];
  readonly ids: string[] = [];
  readonly accounts: number[] = [];
  readonly messages: number[] = [];
  /** Some of these have no receipt in the same flush. */
  isOpen = false;
  /** What the receipts of the flush are about, in their order: 0 = not remembered, -1 = told by one before it. */
  readonly knownAccounts: number[] = [];
  readonly knownMessages: number[] = [];
  /** How many receipts the flush should have. */
  told = 0;
  /** Numbers of the rows from which that is known, or which end; those which end; and the messages of these without a receipt. */
  readonly relied: number[] = [];
  readonly gone: number[] = [];
  readonly kept: number[] = [];
  /** The newest receipt that fits nothing, as far as is known. */
  seen = 0;
  /** Two submits have one id: nothing remembered may be trusted. */
  isForgetful = false;

  get #isEmpty(): boolean {
    return this.ids.length + this.knownMessages.length + this.relied.length === 0 && !this.isForgetful;
  }

  /** As parameters of a statement. */
  get values(): unknown[] {
    if (this.#isEmpty) return nothing;
    return [
      int4s(this.carriers),
      texts(this.ids),
      int8s(this.accounts),
      int8s(this.messages),
      this.isOpen,
      int8s(this.knownAccounts),
      int8s(this.knownMessages),
      this.told,
      int8s(this.relied),
      int8s(this.gone),
      int8s(this.kept),
      this.seen,
      this.isForgetful,
    ];
  }
}
