// Stores decisions of citizens that the registry pushes, at once instead of the hour after which they can be pulled. They are
// stored like pulled ones (pull.ts) and recognised by the same index, so neither a repeated push nor the next pull adds them
// again. The pull's cursor does not move: a lost push is pulled.

import { type Db, run, sql } from '../../db/db.ts';
import { now } from '../../time/clock.ts';
import { field, type Movement, parseJson, readMovement, textField } from '../registry/answer.ts';
import { movementColumns } from './pull.ts';

type PushedMovement = Movement & { brand: number };
type Pushed = { list: PushedMovement[]; unreadable: number };

// An address at the registry has at most 265 characters, its transaction ids 64. Longer values would not fit the index.
const textMax = 265;
const brandPattern = /^[1-9]\d{0,14}$/;

// An account without the brand, or with the brand disabled, pulls nothing for it and gets nothing here. The test record of a
// registration names a brand that nobody has.
const storeSql = sql('consent push store')`
  insert into consent_records (account_id, brand, recipient, recipient_type, type, status, source, consent_date,
    transaction_id, origin, sync_state, synced_at)
  select b.account_id, b.code, u.recipient, u.recipient_type, u.type, u.status, u.source, u.consent_date, u.transaction_id,
    'registry', 'accepted', $9
  from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[])
    with ordinality u(brand, recipient, recipient_type, type, status, source, consent_date, transaction_id, place)
  join brands b on b.code = u.brand and b.active
  order by u.place
  on conflict do nothing`;

/** Returns null if the body is not a list of records, or none could be read. */
export function readPush(body: Buffer): Pushed | null {
  const parsed = parseJson(body.toString('utf8'));
  const entries = Array.isArray(parsed) ? parsed : field(parsed, 'list');
  if (!Array.isArray(entries)) return null;
  const list = entries.map(readPushed).filter(one => one !== null);
  const unreadable = entries.length - list.length;
  return list.length === 0 && unreadable > 0 ? null : { list, unreadable };
}

/** Returns how many records were new, counted per account with the brand. */
export async function storePush(db: Db, { list }: Pushed): Promise<number> {
  if (list.length === 0) return 0;
  return run(db, storeSql, [list.map(one => one.brand), ...movementColumns(list), now()]);
}

function readPushed(value: unknown): PushedMovement | null {
  const movement = readMovement(value);
  const brand = textField(value, 'brandCode');
  if (movement === null || !brandPattern.test(brand)) return null;
  const { recipient, source, transactionId } = movement;
  return [recipient, source, transactionId].every(isStorable) ? { ...movement, brand: Number(brand) } : null;
}

/** PostgreSQL accepts no NUL, and index entries are bounded. */
function isStorable(text: string): boolean {
  return text.length <= textMax && !text.includes('\0');
}
