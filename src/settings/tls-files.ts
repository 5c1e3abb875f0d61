// Certificate and key of our TLS listeners. The files are checked every two seconds and reloaded without a restart: certificate
// tools replace files by renaming or by a symbolic link, which a watcher of one file does not see. A pair that does not match,
// as between the two writes of a renewal, changes nothing: the last valid pair stays in use.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Log } from '../log.ts';

export type TlsPaths = { cert: string; key: string };
export type TlsPair = TlsPaths & { validTo: Date };

const lookEveryMs = 2_000;

/** Throws with the name of the wrong setting. */
export function readTlsPair(paths: TlsPaths): TlsPair {
  const cert = contentOf('PEYK_TLS_CERT', paths.cert);
  const key = contentOf('PEYK_TLS_KEY', paths.key);
  const certificate = parsed('PEYK_TLS_CERT', 'certificate', paths.cert, () => new X509Certificate(cert));
  const secret = parsed('PEYK_TLS_KEY', 'private key without a passphrase', paths.key, () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(secret))
    throw new Error(`PEYK_TLS_KEY: ${paths.key} is not the key of the first certificate in ${paths.cert}`);
  return { cert, key, validTo: new Date(certificate.validTo) };
}

function contentOf(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`${setting}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function parsed<T>(setting: string, what: string, path: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new Error(`${setting}: ${path} holds no ${what} in PEM form`);
  }
}

/** Calls back with the present pair, if valid, and with every valid one that replaces it. */
export function followTlsPair(
  paths: TlsPaths,
  log: Log,
  onPair: (pair: TlsPair) => void,
  everyMs = lookEveryMs,
): { stop(): void } {
  let seen = '';
  let last = '';
  let isLooking = false;
  const take = () => {
    try {
      const pair = readTlsPair(paths);
      if (pair.cert + pair.key === last) return;
      last = pair.cert + pair.key;
      onPair(pair);
      log.info({ validTo: pair.validTo }, 'tls.certificate taken');
    } catch (error) {
      log.error({ error: (error as Error).message }, 'tls.certificate cannot be used, the last good one stays');
    }
  };
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    const now = (await Promise.all([traceOf(paths.cert), traceOf(paths.key)])).join(' ');
    isLooking = false;
    if (now === seen) return;
    seen = now;
    take();
  };
  take();
  void look();
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Changes with every way of replacing a file. */
async function traceOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found ? `${found.ino}:${found.size}:${found.mtimeMs}:${found.ctimeMs}` : 'gone';
}
