// Encrypts stored secrets (carrier passwords, webhook secrets): AES-256-GCM with a key outside the database. The key comes from
// a setting, or from a file created on first use in the data folder (mode 0600). Of several keys the first seals and each
// opens, so a key can be changed while nodes with the old one still run (docs/security.md).
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `older`: further keys that may have sealed stored secrets. */
export type SecretKey = Buffer & { readonly older?: readonly Buffer[] };

export function secretKeyPath(dataFolder: string): string {
  return join(dataFolder, 'secret.key');
}

/** Keys in base64, separated by blanks, line ends or commas; null if one of them is invalid. */
export function readKeys(text: string): SecretKey | null {
  const words = text.split(/[\s,]+/).filter(one => one !== '');
  const [first, ...older] = words.map(one => Buffer.from(one, 'base64'));
  if (!first || [first, ...older].some(one => one.length !== 32)) return null;
  return older.length === 0 ? first : Object.assign(first, { older });
}

/** All keys that may have been used, the current one first. */
export function keysOf(key: SecretKey): Buffer[] {
  return [key, ...(key.older ?? [])];
}

/** The key in the data folder; null if it cannot be read. Creates nothing. */
export function readSecretKeyFile(dataFolder: string): SecretKey | null {
  try {
    return readKeys(readFileSync(secretKeyPath(dataFolder), 'utf8'));
  } catch {
    return null;
  }
}

export function loadSecretKey(dataFolder: string, fromSetting: string): SecretKey {
  if (fromSetting) {
    const key = readKeys(fromSetting);
    if (!key) throw new Error('PEYK_SECRET_KEY must be the base64 form of 32 bytes');
    return key;
  }
  const path = secretKeyPath(dataFolder);
  if (!existsSync(path)) {
    mkdirSync(dataFolder, { recursive: true });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, randomBytes(32).toString('base64'), { mode: 0o600 });
    // A hard link fails if the file exists: of two processes that start together, both use the first one's key.
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  const key = readKeys(readFileSync(path, 'utf8'));
  if (!key) throw new Error(`${path} is damaged: it must hold the base64 form of 32 bytes`);
  return key;
}

export function seal(key: SecretKey, plain: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

export function unseal(key: SecretKey, sealed: Buffer): string {
  const right = key.older && keysOf(key).find(one => isSealedWith(one, sealed));
  return unsealWith(right ?? key, sealed);
}

/** Whether exactly this key sealed the value. */
export function isSealedWith(key: Buffer, sealed: Buffer): boolean {
  try {
    unsealWith(key, sealed);
    return true;
  } catch {
    return false;
  }
}

function unsealWith(key: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
}
