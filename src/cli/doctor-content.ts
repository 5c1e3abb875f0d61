// Finds texts that none of the configured keys opens: they are shown as unreadable and never sent. Only the newest orders are read:
// a missing key shows there, and the whole table is the largest of all.

import { type Db, rows, type Sql } from '../db/db.ts';
import { headOf, isSealedText } from '../sealing/content.ts';
import { keysOf, loadSecretKey, readSecretKeyFile } from '../sealing/secrets.ts';
import type { Config } from '../settings/config.ts';

const headsSql: Sql<{ head: string; count: number }> = {
  name: 'doctor content',
  text: `select left(x.text, ${headOf(Buffer.alloc(32)).length}) as head, count(*) as count
    from (select o.text from orders o order by o.id desc limit 1000) x where ${isSealedText('x.text')} group by 1`,
};

export async function contentReadable({ db, config }: { db: Db; config: Config }) {
  const { PEYK_DATA: folder, PEYK_SECRET_KEY: setting } = config;
  const key = setting ? loadSecretKey(folder, setting) : readSecretKeyFile(folder);
  const known = new Set(key ? keysOf(key).map(headOf) : []);
  const found = await rows(db, headsSql);
  const sealed = found.reduce((sum, one) => sum + one.count, 0);
  const lost = found.filter(one => !known.has(one.head)).reduce((sum, one) => sum + one.count, 0);
  return {
    saw: sealed === 0 ? 'no sealed texts among the newest 1,000' : `${sealed} of the newest 1,000 texts are sealed`,
    wrong: lost === 0 ? [] : [`${lost} of the newest 1,000 texts were sealed by a key that is not here`],
  };
}
