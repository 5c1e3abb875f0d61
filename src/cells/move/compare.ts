// Both cells hold the same of an account: how many rows of each table, and a digest over all of their columns that does not depend
// on their order. Of what grows for ever the newest and all that is unfinished; the rest lies still and came by the same stream.
import { type Db, snapshot } from '../../db/db.ts';
import { statementLimits } from '../../db/statement-limits.ts';
import { query } from './side.ts';
import { type MovedTable, movedTables, type Owned, ownedBy } from './tables.ts';

const digest = "coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint::numeric), 0)::text as digest";

type Held = { rows: number; digest: string };
export type Difference = { table: string; source: Held; target: Held };

/** Tables in which the two differ; none, if all is well. `since`: the newest are those accepted after it. */
export async function differences(source: Db, target: Db, owned: Owned, since: Date): Promise<Difference[]> {
  const [here, there] = await Promise.all([heldIn(source, owned, since), heldIn(target, owned, since)]);
  return [...here]
    .map(([table, held]) => ({ table, source: held, target: there.get(table)! }))
    .filter(one => one.source.rows !== one.target.rows || one.source.digest !== one.target.digest);
}

export function heldIn(db: Db, owned: Owned, since: Date): Promise<Map<string, Held>> {
  return snapshot(
    db,
    async tx => {
      // Texts of times and numbers are the same on every server then.
      await tx.query(
        "set local timezone = 'UTC'; set local datestyle = 'ISO'; set local extra_float_digits = 1; set local bytea_output = 'hex'",
      );
      const held = new Map<string, Held>();
      for (const table of movedTables.filter(one => !one.isLog)) {
        // Not every statement has both.
        const text = statementFor(table, owned)
          .replaceAll('$1', String(owned.account))
          .replaceAll('$2', `timestamptz '${since.toISOString()}'`);
        held.set(table.name, (await query<Held>(tx, text))[0]!);
      }
      return held;
    },
    statementLimits.audit,
  );
}

function statementFor(table: MovedTable, owned: Owned): string {
  const select = `select count(*)::int as rows, ${digest}`;
  if (!table.ofOrder) {
    const newest = table.newest ? ` and ${table.newest}` : '';
    return `${select} from ${table.name} t where ${ownedBy(table, owned, 't.')}${newest}`;
  }
  return `${select} from orders o cross join lateral (
      select t from ${table.name} t where t.account_id = o.account_id and ${table.ofOrder} offset 0) t
    where o.account_id = $1 and (o.submit_at > $2 or o.state in ('scheduled', 'sending'))`;
}
