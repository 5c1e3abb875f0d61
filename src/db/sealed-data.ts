// The key that the stored secrets were sealed with. With another one carriers could not bind and webhooks not be signed, one
// by one and much later; so whoever is about to use the key asks here first, and is told what to do.
import { ConfigError } from '../config.ts';
import { loadSecretKey, readSecretKeyFile, type SecretKey, unseal } from '../secrets.ts';
import { type Queryable, rows, sql } from './db.ts';

const sealedSql = sql<{ sealed: Buffer }>('sealed samples')`
  (select password as sealed from carriers order by id limit 3) union all
  (select secret from webhook_endpoints where secret is not null limit 3) union all
  (select totp_secret from users where totp_secret is not null limit 3)`;

type KeySettings = { PEYK_DATA: string; PEYK_SECRET_KEY: string };

/** The key of the settings, if it opens what is stored; a new one only for data that has nothing sealed yet. */
export async function secretKeyOfData(db: Queryable, { PEYK_DATA, PEYK_SECRET_KEY }: KeySettings): Promise<SecretKey> {
  const samples = await rows(db, sealedSql);
  const isNew = !PEYK_SECRET_KEY && !readSecretKeyFile(PEYK_DATA);
  if (samples.length > 0 && isNew)
    throw new ConfigError(
      `The stored secrets are sealed, and their key is missing: give PEYK_SECRET_KEY, or put the file secret.key back into ${PEYK_DATA}`,
    );
  const key = loadSecretKey(PEYK_DATA, PEYK_SECRET_KEY);
  if (samples.length > 0 && !samples.some(one => opens(key, one.sealed)))
    throw new ConfigError(
      `${PEYK_SECRET_KEY ? 'PEYK_SECRET_KEY' : `The key in ${PEYK_DATA}/secret.key`} is not the one that the stored secrets (carriers, webhooks, second factors) were sealed with: give PEYK_SECRET_KEY as it was, or the secret.key of then`,
    );
  return key;
}

function opens(key: SecretKey, sealed: Buffer): boolean {
  try {
    unseal(key, sealed);
    return true;
  } catch {
    return false;
  }
}
