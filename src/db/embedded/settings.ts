// The server's settings: fast and durable. They are written to a generated file outside of the cluster, so an operator's ALTER SYSTEM
// (postgresql.auto.conf, read later) overrides them and survives an update of Peyk.
import { chmodSync, statfsSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { freeBytes } from './disk-reserve.ts';
import type { Layout } from './layout.ts';

const mib = 1024 * 1024;
const sharedBuffersMiB = { min: 32, max: 512 };
const walMiB = { min: 256, max: 4096 };
const archiveMiB = { min: 512, max: 65_536 };
// Docker gives /dev/shm 64 MB by default; a parallel query that needs more would fail with "No space left on device".
const sharedMemoryBytesMin = 256 * mib;

export function writeConfig(layout: Layout): void {
  const lines = Object.entries(settingsFor(memoryBytes(), freeBytes(layout.cluster)));
  const body = lines.map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`).join('\n');
  writeFileSync(layout.config, `# Written by Peyk at every start. Your own settings: ALTER SYSTEM SET …\n${body}\n`);
  // The server reads the file as another user if we are root, so the mode must not depend on our umask.
  chmodSync(layout.config, 0o644);
}

export function settingsFor(memory: number, free: number): Record<string, string> {
  return {
    cluster_name: 'peyk',
    // Orders that were answered with 200 must survive a power cut.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // Operators may archive WAL or attach a replica, which `minimal` forbids. Bulk inserts are not slower.
    wal_level: 'replica',
    wal_compression: 'off',
    wal_buffers: '16MB',
    // Fewer checkpoints mean fewer full page images; on a small disk WAL may take a quarter of what is free.
    max_wal_size: `${clamp(free / 4 / mib, walMiB)}MB`,
    // The most WAL that a stopped archive may retain; past it the WAL is removed, and a new backup is needed.
    max_slot_wal_keep_size: `${clamp(free / 4 / mib, archiveMiB)}MB`,
    checkpoint_timeout: '15min',
    max_connections: '100',
    shared_buffers: `${clamp(memory / 4 / mib, sharedBuffersMiB)}MB`,
    effective_cache_size: `${Math.max(64, Math.floor(memory / 2 / mib))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    dynamic_shared_memory_type: dynamicSharedMemory(),
    random_page_cost: '1.1',
    // The statements are short; compiling them costs more than running them.
    jit: 'off',
    // The message tables are updated in place all day; the defaults wait for a fifth of ten million rows to change.
    autovacuum_naptime: '10s',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_vacuum_insert_scale_factor: '0.1',
    autovacuum_analyze_scale_factor: '0.02',
    autovacuum_vacuum_cost_limit: '2000',
    idle_in_transaction_session_timeout: '60s',
    track_io_timing: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    logging_collector: 'off',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
    log_min_duration_statement: '-1',
    // Statements and DETAIL lines contain phone numbers and texts, so they are not logged.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  };
}

function memoryBytes(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

function dynamicSharedMemory(): string {
  if (process.platform !== 'linux') return 'posix';
  try {
    const { blocks, bsize } = statfsSync('/dev/shm');
    return blocks * bsize >= sharedMemoryBytesMin ? 'posix' : 'mmap';
  } catch {
    return 'mmap';
  }
}

function clamp(value: number, bounds: { min: number; max: number }): number {
  return Math.floor(Math.min(bounds.max, Math.max(bounds.min, value)));
}
