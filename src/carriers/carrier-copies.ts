// Carriers of several cells: the rows of the home hold the settings, the other cells hold copies, and each database may use a
// part of the binds. src/cells/share-carriers.ts decides which part.
import { type Db, type Queryable, rows, rowsOf, run, runOf, sql, transaction } from '../db/db.ts';

/** `version` changes with every change of the row; `copied` is the version of a copy. `bound`: binds held, as last published. */
export type SharedCarrier = {
  id: number;
  name: string;
  binds: number;
  share: number | null;
  version: string;
  copied: string | null;
  paused: boolean;
  pauseReason: string | null;
  bound: number;
};

export const readSharedCarriers = rowsOf<SharedCarrier>('carriers shared')`
  select c.id, c.name, c.binds::int, c.share::int, c.changed_at::text as version, c.copied, c.paused, c.pause_reason as "pauseReason",
    (select count(*)::int from carrier_links l where l.carrier_id = c.id and l.state <> 'down' and l.state <> 'waiting for slot'
      and l.at > now() - interval '15 seconds') as bound
  from carriers c order by c.id`;

const wholeSql = sql<{ whole: object }>('carrier whole')`select to_jsonb(c) as whole from carriers c where id = $1`;
const dropSql = sql('carrier copy drop')`delete from carriers where id = $1 or name = $2`;
const putSql = sql('carrier copy put')`
  insert into carriers overriding system value
  select (jsonb_populate_record(null::carriers, $1::jsonb || jsonb_build_object('share', $2::int, 'copied', $3::text,
    'changed_at', clock_timestamp()))).*`;

/** Copies the row of the home, with this database's part of the binds. */
export async function copyCarrier(from: Queryable, to: Db, { id, name, version }: SharedCarrier, share: number) {
  const [found] = await rows(from, wholeSql, [id]);
  if (!found) return;
  await transaction(to, async tx => {
    await run(tx, dropSql, [id, name]);
    await run(tx, putSql, [found.whole, share, version]);
  });
}

/** Null: this database may use all binds. */
export const setCarrierShare = runOf<[id: number, share: number | null]>('carrier share')`
  update carriers set share = $2, changed_at = clock_timestamp() where id = $1 and share is distinct from $2`;

/** Deletes the copies of carriers that the home no longer has. */
export const dropOtherCopies = runOf<[kept: number[]]>('carrier copies leave')`
  delete from carriers where id <> all ($1)`;
