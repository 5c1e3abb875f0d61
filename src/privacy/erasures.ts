// Keeps erasures across a restore: each is written to the backup target, outside of the database's history, before it
// is executed. A process that finds an erasure there that its database does not know repeats it. The number is sealed
// with the key, which is not part of backups.
import { createHmac, randomBytes } from 'node:crypto';
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { names, timestamp } from '../backup/catalogue.ts';
import { getJson, putJson, type Store } from '../backup/store.ts';
import { type Db, rows, sql } from '../db/db.ts';
import type { Resealed } from '../db/reseal.ts';
import { isSealedWith, keysOf, type SecretKey, seal, unseal } from '../sealing/secrets.ts';
import { now } from '../time/clock.ts';
import { type Erased, eraseNumber } from './erase-number.ts';

type Parts = { db: Db; key: SecretKey; actor: string };
type Kept = { at: string; sealed: string };

const knownSql = sql<{ id: string }>('erasures known')`
  select detail ->> 'erasure' as id from audit_entries where account_id is null and action = 'privacy.erase'`;

/** `store`: null without backups. If the target cannot be written, nothing is erased. */
export async function eraseForGood(parts: Parts, store: Store | null, number: number): Promise<Erased> {
  const id = `${timestamp(now())}-${randomBytes(4).toString('hex')}`;
  const kept: Kept = { at: now().toISOString(), sealed: seal(parts.key, String(number)).toString('base64') };
  if (store) await putJson(store, `${names.erasures}${id}.json`, kept);
  return eraseAndNote(parts, id, number);
}

/** Repeats erasures made after the moment of the restored data; returns how many numbers. */
export async function replayErasures(parts: Parts, store: Store): Promise<number> {
  const known = new Set((await rows(parts.db, knownSql)).map(one => one.id));
  let replayed = 0;
  for (const { key } of await store.list(names.erasures)) {
    const id = key.slice(names.erasures.length, -'.json'.length);
    const kept = known.has(id) ? null : await getJson<Kept>(store, key);
    if (!kept) continue;
    await eraseAndNote(parts, id, Number(unseal(parts.key, Buffer.from(kept.sealed, 'base64'))));
    replayed++;
  }
  return replayed;
}

/** Reseals the numbers in the target with the first key; see src/db/reseal.ts. */
export async function resealErasures(store: Store, key: SecretKey): Promise<Resealed> {
  const counts: Resealed = { what: 'erasures in the target of backups', resealed: 0, already: 0, lost: 0 };
  for (const one of await store.list(names.erasures)) {
    const kept = await getJson<Kept>(store, one.key);
    const sealed = kept && Buffer.from(kept.sealed, 'base64');
    if (!sealed) continue;
    if (isSealedWith(key, sealed)) counts.already++;
    else if (!keysOf(key).some(other => isSealedWith(other, sealed))) counts.lost++;
    else {
      await putJson(store, one.key, { ...kept, sealed: seal(key, unseal(key, sealed)).toString('base64') });
      counts.resealed++;
    }
  }
  return counts;
}

/**
 * Recorded after it is done, so an interrupted erasure is repeated. Only somebody who knows the number and has the key
 * can recognise it in the record.
 */
async function eraseAndNote({ db, key, actor }: Parts, erasure: string, number: number): Promise<Erased> {
  const done = await eraseNumber(db, number);
  const digest = createHmac('sha256', key).update(String(number)).digest('hex').slice(0, 32);
  const { messages, inbound, elsewhere } = done;
  const detail = { erasure, digest, messages, inbound, elsewhere };
  await recordAuditEntry(db, { actor, action: 'privacy.erase', detail });
  return done;
}
