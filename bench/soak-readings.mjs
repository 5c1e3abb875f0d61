// What a soak test reads of processes and the database, and how the last tenth is compared with the first.
import { readdirSync, readFileSync } from 'node:fs';

const mega = 1024 * 1024;
/** Tables that grow by design: the ledger and the audit log are kept, the others for six hours, a day or more. */
const keptByAge =
  /^(ledger_|audit_|credit_|api_|idempotency_keys|receipts|unsure|submits_|traffic_|carrier_minutes|webhook_deliveries|message_numbers)/;

/** Private memory of processes in MB (without the database's shared buffers), by role. */
export function ownMemory(processes) {
  return byRole(
    processes,
    pid => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024,
  );
}

export function openFiles(processes) {
  return byRole(processes, pid => readdirSync(`/proc/${pid}/fd`).length);
}

function byRole(processes, read) {
  const found = {};
  for (const { pid, name } of processes) {
    if (name.startsWith('simulator')) continue;
    try {
      found[name] = (found[name] ?? 0) + read(pid);
    } catch {
      // Backends come and go.
    }
  }
  return found;
}

/** Tables and indexes with their bytes; of tables the dead rows too. */
export async function storage(db) {
  const { rows } = await db.query(`
    select relname as name, relname as of, pg_table_size(relid)::float8 as bytes, n_dead_tup::float8 as dead, n_live_tup::float8 as live
    from pg_stat_user_tables
    union all
    select indexrelname, relname, pg_relation_size(indexrelid), 0, 0 from pg_stat_user_indexes`);
  return Object.fromEntries(rows.map(({ name, ...one }) => [name, one]));
}

/** Prints both side by side; returns what is below its bar. */
export function compare(first, last) {
  const wrong = [];
  const line = (name, a, b, unit, ok) => {
    if (!ok) wrong.push(`${name}: ${a.toFixed(1)} → ${b.toFixed(1)} ${unit}`);
    console.log(
      `${name.padEnd(44)} ${a.toFixed(1).padStart(10)} ${b.toFixed(1).padStart(10)} ${unit}${ok ? '' : '  <<<'}`,
    );
  };
  console.log(`${'first tenth, last tenth'.padEnd(44)} ${'first'.padStart(10)} ${'last'.padStart(10)}`);
  line('rate (bar 98 %)', first.rate, last.rate, 'messages/s', last.rate >= first.rate * 0.98);
  line(
    'one-time codes p99 (bar 1.5 ×, or 50 ms)',
    first.p99,
    last.p99,
    'ms',
    last.p99 <= Math.max(50, first.p99 * 1.5),
  );
  line('CPU a message (bar 1.1 ×)', first.cpu, last.cpu, 'µs', last.cpu <= first.cpu * 1.1);
  for (const [role, mb] of Object.entries(first.memory))
    line(
      `memory of ${role} (bar 1.15 × + 20)`,
      mb,
      last.memory[role] ?? 0,
      'MB',
      (last.memory[role] ?? 0) <= mb * 1.15 + 20,
    );
  for (const [role, files] of Object.entries(first.files))
    line(
      `open files of ${role} (bar 1.1 × + 10)`,
      files,
      last.files[role] ?? 0,
      '',
      (last.files[role] ?? 0) <= files * 1.1 + 10,
    );
  for (const [name, now] of Object.entries(last.storage)) compareStorage(name, first.storage[name], now, line);
  return wrong;
}

function compareStorage(name, before = { bytes: 0, dead: 0, live: 0 }, now, line) {
  if (now.bytes < mega && now.dead < 20_000) return;
  const byAge = keptByAge.test(now.of);
  const bar = byAge ? 'kept by age' : 'bar 1.3 × + 8';
  line(
    `${name} (${bar})`,
    before.bytes / mega,
    now.bytes / mega,
    'MB',
    byAge || now.bytes <= before.bytes * 1.3 + 8 * mega,
  );
  if (now.dead < 20_000) return;
  const most = Math.max(before.dead * 1.5, (now.live + now.dead) * 0.5, 50_000);
  line(`${name}: dead rows (bar 1.5 ×, or half)`, before.dead, now.dead, '', now.dead <= most);
}
