// Figures of the database: whether it answers, how it grows, and what keeps it from cleaning up.
import type { Figures } from './figure.ts';

export const databaseFigures = {
  peyk_database_answers: {
    kind: 'gauge',
    labels: [],
    meaning: '1 when the figures of the database could be read in time, else 0.',
    from: 'processes',
    together: 'min',
    drawn: { title: 'The database answers', unit: 'short', lines: [['peyk_database_answers', '{{instance}}']] },
    alerts: [
      {
        name: 'PeykDatabaseSilent',
        expression: 'peyk_database_answers == 0',
        for: '1m',
        severity: 'critical',
        says: 'The database does not answer {{ $labels.instance }}.',
        do: 'See whether it runs, takes connections and has disk; orders are answered 503 meanwhile.',
      },
    ],
  },
  peyk_database_bytes: {
    kind: 'gauge',
    labels: [],
    meaning: 'Size of the database on disk, without its log.',
    from: 'database',
    drawn: { title: 'Database size', unit: 'bytes', lines: [['max(peyk_database_bytes)', 'bytes']] },
    alerts: [
      {
        name: 'PeykDatabaseGrows',
        expression:
          'predict_linear(peyk_database_bytes[6h], 7 * 86400) > 2 * peyk_database_bytes and peyk_database_bytes > 10e9',
        for: '1h',
        severity: 'warning',
        says: 'At this rate the database has doubled in a week.',
        do: 'Find the table that grows; shorten PEYK_RETENTION_DAYS or add disk.',
      },
    ],
  },
  peyk_database_oldest_transaction_seconds: {
    kind: 'gauge',
    labels: [],
    meaning: 'Age of the oldest transaction that is open, of anybody; until it ends no dead row can be removed.',
    from: 'database',
    drawn: {
      title: 'Oldest transaction',
      unit: 's',
      lines: [['max(peyk_database_oldest_transaction_seconds)', 'oldest']],
    },
    alerts: [
      {
        name: 'PeykTransactionForgotten',
        expression: 'max(peyk_database_oldest_transaction_seconds) > 1800',
        for: '1m',
        severity: 'warning',
        says: 'A transaction has been open for {{ $value | humanizeDuration }}; the queue’s tables grow meanwhile.',
        do: 'Find it in pg_stat_activity by xact_start; a forgotten session may be ended.',
      },
    ],
  },
  peyk_database_connections: {
    kind: 'gauge',
    labels: [],
    meaning: 'Sessions of the database, of anybody.',
    from: 'database',
    drawn: {
      title: 'Database sessions: open, possible',
      unit: 'short',
      lines: [
        ['max(peyk_database_connections)', 'open'],
        ['max(peyk_database_connections_max)', 'possible'],
      ],
    },
    alerts: [
      {
        name: 'PeykDatabaseCrowded',
        expression: 'max(peyk_database_connections) > 0.9 * max(peyk_database_connections_max)',
        for: '5m',
        severity: 'warning',
        says: '{{ $value }} sessions are open, nearly all that the database allows.',
        do: 'Each process has up to eleven; raise max_connections or run fewer processes (PEYK_WORKERS).',
      },
    ],
  },
  peyk_database_connections_max: {
    kind: 'gauge',
    labels: [],
    meaning: 'Sessions that the database allows.',
    from: 'database',
  },
  peyk_table_rows: {
    kind: 'gauge',
    labels: ['table'],
    meaning: 'Rows of a table, as the database counts them.',
    from: 'database',
    drawn: {
      title: 'Rows by table',
      unit: 'short',
      lines: [['topk(10, max by (table) (peyk_table_rows))', '{{table}}']],
    },
  },
  peyk_table_dead_rows: {
    kind: 'gauge',
    labels: ['table'],
    meaning: 'Rows of a table that nobody sees any more and that are not removed yet.',
    from: 'database',
    drawn: {
      title: 'Dead rows by table',
      unit: 'short',
      lines: [['topk(10, max by (table) (peyk_table_dead_rows))', '{{table}}']],
    },
    alerts: [
      {
        name: 'PeykDeadRows',
        expression:
          'max by (table) (peyk_table_dead_rows) > 500000 and max by (table) (peyk_table_dead_rows) > max by (table) (peyk_table_rows)',
        for: '30m',
        severity: 'warning',
        says: '{{ $labels.table }} has {{ $value | humanize }} dead rows, more than living ones.',
        do: 'Look for an old transaction first; then vacuum the table by hand.',
      },
    ],
  },
  peyk_table_bytes: {
    kind: 'gauge',
    labels: ['table'],
    meaning: 'Size of a table with its indexes.',
    from: 'database',
    drawn: {
      title: 'Size by table',
      unit: 'bytes',
      lines: [['topk(10, max by (table) (peyk_table_bytes))', '{{table}}']],
    },
  },
  peyk_clock_ahead_seconds: {
    kind: 'gauge',
    labels: [],
    meaning: 'How far the node’s clock is ahead of the database’s, which is the one that counts; negative: behind.',
    from: 'processes',
    together: 'max',
    drawn: { title: 'Clock ahead of the database’s', unit: 's', lines: [['peyk_clock_ahead_seconds', '{{instance}}']] },
    alerts: [
      {
        name: 'PeykClockDiffers',
        expression: 'abs(peyk_clock_ahead_seconds) > 2',
        for: '10m',
        severity: 'warning',
        says: 'The clock of {{ $labels.instance }} differs from the database’s by {{ $value | humanizeDuration }}.',
        do: 'Mend the time service of the host, or of the database’s host. Sending is not affected.',
      },
    ],
  },
} as const satisfies Figures;
