// Makes the audit log tamper-evident. Every few seconds new entries are sealed by a digest, under the installation's key, of
// the entries and the previous seal. Changing, removing or inserting an entry without the key breaks the chain. Removing the
// newest seals with their entries shortens the chain; the program's log has its head at each seal, for comparison.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Db, row, rows, run, sql, type Tx, transaction } from '../db/db.ts';
import type { Log } from '../log.ts';
import { keysOf, type SecretKey } from '../sealing/secrets.ts';

type Entry = { id: number; line: string };
type Seal = { no: number; entries: number; digest: Buffer };
type Stretch = Seal & { stored: Entry[] };

export type AuditLogState = { sealed: number; waiting: number; head: string | null; broken: string[] };

const batch = 1_000;

const lockSql = sql('audit seal lock')`select pg_advisory_xact_lock(7041 # lock_salt())`;
const lastSql = sql<Seal>('audit seal last')`select no, entries, digest from audit_seals order by no desc limit 1`;
// Formatted as text independently of session settings.
const waitingSql = sql<Entry>('audit seal waiting')`
  select id, jsonb_build_array(id, account_id, actor, action, detail, address, extract(epoch from at))::text as line
  from audit_entries where seal is null order by id limit $1 for update`;
const sealedSql = sql<Entry & { seal: number }>('audit sealed entries')`
  select seal, id, jsonb_build_array(id, account_id, actor, action, detail, address, extract(epoch from at))::text as line
  from audit_entries where seal between $1 and $2 order by seal, id`;
const markSql = sql('audit seal mark')`update audit_entries set seal = $1 where id = any ($2::bigint[])`;
const insertSql = sql('audit seal insert')`insert into audit_seals (no, entries, digest) values ($1, $2, $3)`;
const pageSql = sql<Seal>('audit seals page')`
  select no, entries, digest from audit_seals where no > $1 order by no limit 100`;
const countSql = sql<{ waiting: number; stray: number }>('audit seal count')`
  select (select count(*) from audit_entries where seal is null)::integer as waiting,
    (select count(*) from audit_entries e where seal is not null
      and not exists (select 1 from audit_seals s where s.no = e.seal))::integer as stray`;
const rewriteSql = sql('audit seal rewrite')`update audit_seals set digest = $2 where no = $1`;

function digestOf(key: Buffer, no: number, before: Buffer | null, entries: Entry[]): Buffer {
  const mac = createHmac('sha256', key).update(`audit log\n${no}\n${before?.toString('hex') ?? ''}\n`);
  for (const { line } of entries) mac.update(`${line.length}\n${line}\n`);
  return mac.digest();
}

/** Seals pending entries and returns their number. Several processes may do this at the same time. */
export async function sealAuditLog(db: Db, key: SecretKey, log: Log): Promise<number> {
  const sealed = await transaction(db, async tx => {
    await run(tx, lockSql);
    const entries = await rows(tx, waitingSql, [batch]);
    if (entries.length === 0) return null;
    const last = await row(tx, lastSql);
    const no = (last?.no ?? 0) + 1;
    const digest = digestOf(key, no, last?.digest ?? null, entries);
    await run(tx, markSql, [no, entries.map(one => one.id)]);
    await run(tx, insertSql, [no, entries.length, digest]);
    return { no, entries: entries.length, head: digest.toString('hex') };
  });
  if (sealed) log.info(sealed, 'audit log sealed');
  return sealed?.entries ?? 0;
}

/** Follows the chain from its beginning. `broken` lists what does not match, in words. */
export async function checkAuditLog(db: Db | Tx, key: SecretKey): Promise<AuditLogState> {
  const broken: string[] = [];
  let before: Seal | null = null;
  let sealed = 0;
  for await (const { stored: entries, ...seal } of stretchesOf(db)) {
    if (seal.no !== (before?.no ?? 0) + 1) broken.push(`seal ${seal.no}: the one before it is gone`);
    const fits = keysOf(key).some(one =>
      timingSafeEqual(digestOf(one, seal.no, before?.digest ?? null, entries), seal.digest),
    );
    if (!fits) broken.push(stretch(seal, entries));
    sealed += entries.length;
    before = seal;
  }
  const { waiting, stray } = (await row(db, countSql))!;
  if (stray > 0) broken.push(`${stray} entries belong to a seal that is gone`);
  return { sealed, waiting, head: before?.digest.toString('hex') ?? null, broken };
}

function stretch(seal: Seal, entries: Entry[]): string {
  const [first, last] = [entries[0]?.id, entries.at(-1)?.id];
  const which = first === undefined ? 'none is left' : `${first} to ${last}`;
  return `seal ${seal.no} over ${seal.entries} entries (now ${entries.length}: ${which}) does not fit: changed, removed, or another key`;
}

/** Reads a hundred seals at a time: most seals cover one or two entries, so a query for each would cost more than the check. */
async function* stretchesOf(db: Db | Tx): AsyncGenerator<Stretch> {
  for (let last = 0; ; ) {
    const page: Seal[] = await rows(db, pageSql, [last]);
    if (page.length === 0) return;
    const stored = new Map<number, Entry[]>(page.map(one => [one.no, []]));
    last = page.at(-1)!.no;
    for (const entry of await rows(db, sealedSql, [page[0]!.no, last])) stored.get(entry.seal)?.push(entry);
    for (const one of page) yield { ...one, stored: stored.get(one.no)! };
  }
}

/** Seals the chain again under the first key. A broken chain is left as it is, because new seals would hide the damage. */
export async function resealAuditLog(db: Db, key: SecretKey): Promise<AuditLogState> {
  return transaction(db, async tx => {
    await run(tx, lockSql);
    const state = await checkAuditLog(tx, key);
    if (state.broken.length > 0 || key.older === undefined) return state;
    let before: Buffer | null = null;
    for await (const { no, stored } of stretchesOf(tx)) {
      before = digestOf(key, no, before, stored);
      await run(tx, rewriteSql, [no, before]);
    }
    return { ...state, head: before?.toString('hex') ?? null };
  });
}
