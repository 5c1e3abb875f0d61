// The user of the database. PostgreSQL refuses to run as root, so a program started by root gives the cluster to a user id without a passwd
// entry: no account is created, no system file changes, and the data do not belong to the shared `nobody`. Only initdb needs a passwd entry
// and uses an existing account for a second.
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../../log.ts';

export type Identity = { uid: number; gid: number };

// Below the ranges of Debian (60000+) and systemd (61184+), above login accounts, and within the 65536 ids that a container usually maps.
const firstUid = 59_432;
const triesMax = 100;

export const waysOut =
  'Ways out: another data directory (PEYK_DATA), starting as a normal user, or an existing PostgreSQL (DATABASE_URL).';

/** Returns null if we are not root: then everything runs as our own user. An existing cluster keeps its owner. */
export function databaseIdentity(cluster: string): Identity | null {
  const present = statSync(cluster, { throwIfNoEntry: false });
  const self = process.getuid?.();
  if (self !== 0) {
    if (present && present.uid !== self) {
      throw new Error(`${cluster} belongs to uid ${present.uid}, but we run as uid ${self}. ${waysOut}`);
    }
    return null;
  }
  if (present && present.uid !== 0) return { uid: present.uid, gid: present.gid };
  const taken = new Set(accounts().map(account => account.uid));
  for (let uid = firstUid; uid < firstUid + triesMax; uid++) if (!taken.has(uid)) return { uid, gid: uid };
  throw new Error(`No free user id between ${firstUid} and ${firstUid + triesMax} for the database. ${waysOut}`);
}

/** The unprivileged account that initdb may run as: it looks its own user id up in passwd. */
export function initdbIdentity(): Identity {
  const known = accounts();
  const found =
    known.find(a => a.name === 'postgres') ?? known.find(a => a.name === 'nobody') ?? known.find(a => a.uid > 0);
  if (!found || found.uid === 0) throw new Error(`/etc/passwd has no unprivileged account for initdb. ${waysOut}`);
  return { uid: found.uid, gid: found.gid };
}

/**
 * PostgreSQL must be able to reach its files. Folders of root that are closed to others (`mktemp -d` makes 0700) get o+x only, so they cannot
 * be listed. Folders of other users are not changed.
 */
export function makeReachable(folder: string, identity: Identity, log: Log): void {
  for (const step of [...ancestorsOf(folder), folder]) {
    const { mode, uid } = statSync(step);
    if (mode & 0o001 || uid === identity.uid) continue;
    try {
      if (uid !== 0) throw new Error(`it belongs to uid ${uid}`);
      chmodSync(step, (mode & 0o7777) | 0o001);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`The database (uid ${identity.uid}) cannot pass through ${step}: ${why}. ${waysOut}`, { cause });
    }
    log.warn({ folder: step }, 'embedded: opened a folder of root for walking through (o+x)');
  }
}

/** Whether any user can reach and read this folder. */
export function isOpenToOthers(folder: string): boolean {
  return (
    ancestorsOf(folder).every(step => (statSync(step).mode & 0o001) !== 0) && (statSync(folder).mode & 0o005) === 0o005
  );
}

/** Containers without CAP_SETUID or CAP_CHOWN answer EPERM; user namespaces without our id answer EINVAL. */
export function explainPrivilege(cause: unknown): unknown {
  const code = (cause as NodeJS.ErrnoException | null)?.code;
  if (process.getuid?.() !== 0 || (code !== 'EPERM' && code !== 'EINVAL')) return cause;
  const text = `We are root but may not become another user (${code}), and PostgreSQL refuses to run as root. ${waysOut}`;
  return new Error(text, { cause });
}

function ancestorsOf(folder: string): string[] {
  const above: string[] = [];
  for (let step = dirname(folder); ; step = dirname(step)) {
    above.unshift(step);
    if (step === dirname(step)) return above;
  }
}

function accounts(): { name: string; uid: number; gid: number }[] {
  let passwd = '';
  try {
    passwd = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return [];
  }
  return passwd
    .split('\n')
    .map(line => line.split(':'))
    .filter(fields => fields.length >= 7)
    .map(fields => ({ name: fields[0] ?? '', uid: Number(fields[2]), gid: Number(fields[3]) }));
}
