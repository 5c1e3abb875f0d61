// Encryption of stored secrets (carrier passwords, webhook secrets): AES-256-GCM with a key that is not in the
// database. The key comes from a setting, or from a file made on first use in the data folder (mode 0600).
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type SecretKey = Buffer;

function secretKeyPath(dataFolder: string): string {
  return join(dataFolder, 'secret.key');
}

/** The key in the data folder; null when there is none that can be read. Makes nothing. */
export function readSecretKeyFile(dataFolder: string): SecretKey | null {
  try {
    const key = Buffer.from(readFileSync(secretKeyPath(dataFolder), 'utf8'), 'base64');
    return key.length === 32 ? key : null;
  } catch {
    return null;
  }
}

export function loadSecretKey(dataFolder: string, fromSetting: string): SecretKey {
  if (fromSetting) {
    const key = Buffer.from(fromSetting, 'base64');
    if (key.length !== 32) throw new Error('PEYK_SECRET_KEY must be the base64 form of 32 bytes');
    return key;
  }
  const path = secretKeyPath(dataFolder);
  if (!existsSync(path)) {
    mkdirSync(dataFolder, { recursive: true });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, randomBytes(32).toString('base64'), { mode: 0o600 });
    // A link fails where the file exists already: of two processes that start together both use the first one's key.
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  const key = Buffer.from(readFileSync(path, 'utf8'), 'base64');
  if (key.length !== 32) throw new Error(`${path} is damaged: it must hold the base64 form of 32 bytes`);
  return key;
}

export function seal(key: SecretKey, plain: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

export function unseal(key: SecretKey, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
}
