// The tables of the health page: lanes, cells, carriers, pools, processes, tables of the database.
import { Group, Progress } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { duration, fileSize, number, percent } from '../../format.ts';
import { paths } from '../../paths.ts';
import { t } from '../../text/language.ts';
import type { Column } from '../../ui/table-column.ts';
import type { Health } from './health-figures.ts';

const age = (seconds: number): string => (seconds > 0 ? duration(seconds * 1_000) : '–');
const fullFrom = 0.9;

type Measure = { name: string; path?: string; value: string; note: string };

/** What is measured besides the lanes, a row each. */
export function measuresOf({ webhooks, registry, settleSeconds, counts, database }: Health): Measure[] {
  const { health: words, staffStatus: status } = t;
  const oldest = (seconds: number) => (seconds >= 1 ? words.oldest(duration(seconds * 1_000)) : '');
  const silent = status.webhooksFailing(number(webhooks.failing), number(webhooks.paused));
  return [
    {
      name: words.webhooks,
      path: paths.staffWebhooks(),
      value: number(webhooks.backlog),
      note: oldest(webhooks.oldestSeconds) || silent || status.webhooksFine,
    },
    {
      name: words.registry,
      path: paths.staffRegistry(),
      value: number(registry.waiting),
      note: registry.trouble ? status.registryTrouble : oldest(registry.lagSeconds) || status.registryOk,
    },
    { name: words.settling, value: settleSeconds === null ? '–' : short(settleSeconds), note: words.sinceStart },
    {
      name: words.requests,
      value: number(counts.requests),
      note: words.failed(number(counts.failed), number(counts.restarts)),
    },
    {
      name: words.database,
      value: fileSize(database.bytes),
      note: words.sessions(number(database.connections), number(database.connectionsMax)),
    },
    {
      name: words.oldestTransaction,
      value: database.oldestTransactionSeconds >= 1 ? duration(database.oldestTransactionSeconds * 1_000) : words.none,
      note: '',
    },
  ];
}

export function measureColumns(): Column<Measure>[] {
  return [
    {
      id: 'name',
      header: t.staffStatus.name,
      phone: 'title',
      cell: row =>
        row.path ? (
          <Link to={row.path} className="link">
            {row.name}
          </Link>
        ) : (
          row.name
        ),
    },
    { id: 'value', header: t.health.value, align: 'right', phone: 'state', cell: row => row.value },
    { id: 'note', header: t.common.state, phone: 'line', cell: row => <span className="soft">{row.note}</span> },
  ];
}

/** Short times in ms: they differ where tenths of a second do not. */
const short = (seconds: number): string =>
  seconds < 1 ? t.health.ms(number(Math.round(seconds * 1_000))) : duration(seconds * 1_000);

export const roleName = (role: string): string => t.health.roles[role] ?? role;

/** How much of something is used, as figures and as a bar. */
function Use({ label, used, max }: { label: string; used: number; max: number }) {
  const share = max > 0 ? used / max : 0;
  return (
    <Group gap="sm" wrap="nowrap" justify="flex-end">
      <span>{t.health.of(number(used), number(max))}</span>
      <Progress
        value={Math.min(100, share * 100)}
        color={share >= fullFrom ? 'red' : 'teal'}
        aria-label={`${label}: ${percent(share)}`}
        w={80}
      />
    </Group>
  );
}

export function laneColumns(): Column<Health['lanes'][number]>[] {
  return [
    {
      id: 'lane',
      header: t.queue.lane,
      phone: 'title',
      cell: row => (
        <Link to={paths.staffQueue()} className="link">
          {t.lanes[row.lane]}
        </Link>
      ),
    },
    {
      id: 'messages',
      header: t.queue.messages,
      align: 'right',
      cell: row => number(row.messages),
      phone: 'state',
      phoneLabel: true,
    },
    {
      id: 'oldest',
      header: t.queue.oldest,
      align: 'right',
      cell: row => age(row.oldestSeconds),
      phone: 'line',
      phoneLabel: true,
    },
    { id: 'quarantined', header: t.queue.quarantined, align: 'right', cell: row => number(row.quarantined) },
  ];
}

export function carrierColumns(): Column<Health['carriers'][number]>[] {
  return [
    {
      id: 'name',
      header: t.carriers.name,
      phone: 'title',
      cell: row => (
        <Link to={paths.staffCarrier(row.name)} className="link">
          {row.name}
        </Link>
      ),
    },
    {
      id: 'links',
      header: t.health.links,
      align: 'right',
      cell: row => t.health.of(number(row.bound), number(row.wanted)),
      phone: 'state',
      phoneLabel: true,
    },
    {
      id: 'window',
      header: t.health.window,
      align: 'right',
      cell: row => <Use label={`${row.name} ${t.health.window}`} used={row.windowUsed} max={row.windowSize} />,
      phone: 'line',
      phoneLabel: true,
    },
    { id: 'submitted', header: t.health.submitted, align: 'right', cell: row => number(row.submitted) },
    { id: 'receipts', header: t.health.receipts, align: 'right', cell: row => number(row.receipts) },
    {
      id: 'lag',
      header: t.health.lag,
      align: 'right',
      cell: row => (row.lagSeconds === null ? '–' : short(row.lagSeconds)),
      phone: 'line',
      phoneLabel: true,
    },
    { id: 'errors', header: t.health.errorShare, align: 'right', cell: row => percent(row.errorShare) },
  ];
}

export function cellColumns(): Column<Health['cells'][number]>[] {
  return [
    {
      id: 'cell',
      header: t.health.cell,
      cell: row => `${row.cell === 0 ? t.health.home : row.cell}${row.answers ? '' : ` (${t.health.silent})`}`,
      phone: 'title',
    },
    {
      id: 'waiting',
      header: t.health.waiting,
      align: 'right',
      cell: row => number(row.waiting),
      phone: 'line',
      phoneLabel: true,
    },
    {
      id: 'use',
      header: t.health.use,
      align: 'right',
      cell: row => <Use label={String(row.cell)} used={row.connections} max={row.connectionsMax} />,
    },
    {
      id: 'bytes',
      header: t.health.size,
      align: 'right',
      cell: row => fileSize(row.bytes),
      phone: 'state',
      phoneLabel: true,
    },
  ];
}

export function poolColumns(): Column<Health['pools'][number]>[] {
  return [
    { id: 'name', header: t.health.pool, cell: row => row.name, phone: 'title' },
    {
      id: 'use',
      header: t.health.use,
      align: 'right',
      cell: row => <Use label={row.name} used={row.used} max={row.max} />,
      phone: 'state',
    },
    {
      id: 'waiting',
      header: t.health.waitingForOne,
      align: 'right',
      cell: row => number(row.waiting),
      phone: 'line',
      phoneLabel: true,
    },
  ];
}

export function processColumns(): Column<Health['processes'][number]>[] {
  return [
    { id: 'role', header: t.health.role, cell: row => roleName(row.role), phone: 'title' },
    {
      id: 'delay',
      header: t.health.delayShort,
      align: 'right',
      cell: row => short(row.delaySeconds),
      phone: 'line',
      phoneLabel: true,
    },
    {
      id: 'memory',
      header: t.health.memory,
      align: 'right',
      cell: row => fileSize(row.memoryBytes),
      phone: 'state',
      phoneLabel: true,
    },
  ];
}

export function tableColumns(): Column<Health['tables'][number]>[] {
  return [
    { id: 'table', header: t.health.table, cell: row => <span className="mono">{row.table}</span>, phone: 'title' },
    { id: 'rows', header: t.health.rows, align: 'right', cell: row => number(row.rows), sort: row => row.rows },
    {
      id: 'dead',
      header: t.health.deadRows,
      align: 'right',
      cell: row => number(row.deadRows),
      sort: row => row.deadRows,
      phone: 'line',
      phoneLabel: true,
    },
    {
      id: 'bytes',
      header: t.health.size,
      align: 'right',
      cell: row => fileSize(row.bytes),
      sort: row => row.bytes,
      phone: 'state',
      phoneLabel: true,
    },
  ];
}
