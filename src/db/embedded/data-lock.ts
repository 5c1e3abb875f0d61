// One owner per data directory. The file `lock` names the owner by process id and start time, so a lock left behind by
// kill -9 or by a reboot is recognised and taken over. A program keeps it while it runs; a command (bin/peyk without
// a running program) keeps it for a moment, and others wait for it.
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../time/clock.ts';
import { startOf } from './liveness.ts';

type Holder = 'program' | 'command';
type Owner = { pid: number; start: string | null; holder: Holder; token: string };

const pollMs = 50;
const takeoversMax = 100;

/** The data directory has a living owner. `holder` tells a command whether a program runs that it can work beside. */
export class DataHeld extends Error {
  readonly pid: number;
  readonly holder: Holder;

  constructor(dataDir: string, owner: Owner) {
    const who = owner.holder === 'program' ? 'a running Peyk' : 'a Peyk command';
    super(
      `${dataDir} is in use by ${who} (process ${owner.pid}). Stop that process first, or give this one its own data directory (PEYK_DATA).`,
    );
    this.name = 'DataHeld';
    this.pid = owner.pid;
    this.holder = owner.holder;
  }
}

export async function lockData(dataDir: string, holder: Holder, waitMs: number): Promise<{ release(): void }> {
  const folder = resolve(dataDir);
  mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const file = join(folder, 'lock');
  const self: Owner = { pid: process.pid, start: startOf(process.pid), holder, token: randomUUID() };
  const deadline = monotonicMs() + waitMs;
  for (;;) {
    const other = tryTake(file, self);
    if (!other) return { release: () => release(file, self) };
    if (other.holder === 'program' || monotonicMs() >= deadline) throw new DataHeld(folder, other);
    await pause(pollMs);
  }
}

/** Null when the lock is ours now, otherwise its living owner. */
function tryTake(file: string, self: Owner): Owner | null {
  const draft = `${file}.${self.token}`;
  writeFileSync(draft, JSON.stringify(self), { mode: 0o600 });
  try {
    for (let takeover = 0; takeover < takeoversMax; takeover++) {
      // link() makes the complete file appear at once, or fails because there is one.
      if (linked(draft, file)) return null;
      const other = read(file);
      if (other && other !== 'unreadable' && lives(other)) return other;
      if (other) removeDeadLock(file, other === 'unreadable' ? null : other.token);
    }
    throw new Error(`${file} is created and removed all the time: remove it when no Peyk runs`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** An owner without a known start time counts as alive while any process has its id: refusing is safe. */
function lives(owner: Owner): boolean {
  const start = startOf(owner.pid);
  return start !== null && (owner.start === null || owner.start === start);
}

/** Moves a dead owner's lock away; if another process has put its own there meanwhile, that lock is put back. */
function removeDeadLock(file: string, deadToken: string | null): void {
  const grave = `${file}.${randomUUID()}`;
  try {
    renameSync(file, grave);
  } catch {
    return;
  }
  const moved = read(grave);
  if (moved && moved !== 'unreadable' && moved.token !== deadToken) linked(grave, file);
  rmSync(grave, { force: true });
}

function release(file: string, self: Owner): void {
  const current = read(file);
  if (current && current !== 'unreadable' && current.token === self.token) rmSync(file, { force: true });
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  }
}

/** 'unreadable': there is a file, but power went before its content reached the disk. Null: there is none. */
function read(file: string): Owner | 'unreadable' | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw cause;
  }
  try {
    const owner = JSON.parse(text) as Owner;
    return Number.isSafeInteger(owner?.pid) && typeof owner.token === 'string' ? owner : 'unreadable';
  } catch {
    return 'unreadable';
  }
}
