// Checks the key before it is used: with another key than that of the stored secrets, carriers could not bind and webhooks could not be
// signed, one by one and much later. The error says what to do.

import { loadSecretKey, readSecretKeyFile, type SecretKey, unseal } from '../sealing/secrets.ts';
import { ConfigError } from '../settings/config.ts';
import { type Queryable, rows, sql } from './db.ts';

const sealedSql = sql<{ sealed: Buffer }>('sealed samples')`
  (select password as sealed from carriers order by id limit 3) union all
  (select secret from webhook_endpoints where secret is not null limit 3) union all
  (select totp_secret from users where totp_secret is not null limit 3)`;

type KeySettings = { PEYK_DATA: string; PEYK_SECRET_KEY: string };

/** The problem with the key of the settings; null if it opens the stored secrets. Writes nothing. */
export async function secretKeyProblem(db: Queryable, settings: KeySettings): Promise<string | null> {
  const { PEYK_DATA, PEYK_SECRET_KEY } = settings;
  const samples = await rows(db, sealedSql);
  if (samples.length === 0) return null;
  const key = PEYK_SECRET_KEY ? loadSecretKey(PEYK_DATA, PEYK_SECRET_KEY) : readSecretKeyFile(PEYK_DATA);
  if (!key)
    return `The stored secrets are sealed, and their key is missing: give PEYK_SECRET_KEY, or put the file secret.key back into ${PEYK_DATA}`;
  if (samples.some(one => opens(key, one.sealed))) return null;
  const which = PEYK_SECRET_KEY ? 'PEYK_SECRET_KEY' : `The key in ${PEYK_DATA}/secret.key`;
  return `${which} is not the one that the stored secrets (carriers, webhooks, second factors) were sealed with: give PEYK_SECRET_KEY as it was, or the secret.key of then`;
}

/** The key of the settings, if it opens the stored secrets. A new key is made only for data without secrets. */
export async function secretKeyOfData(db: Queryable, settings: KeySettings): Promise<SecretKey> {
  const problem = await secretKeyProblem(db, settings);
  if (problem) throw new ConfigError(problem);
  return loadSecretKey(settings.PEYK_DATA, settings.PEYK_SECRET_KEY);
}

function opens(key: SecretKey, sealed: Buffer): boolean {
  try {
    unseal(key, sealed);
    return true;
  } catch {
    return false;
  }
}
