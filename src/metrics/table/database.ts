// Metrics of the database: availability, growth, and what keeps it from vacuuming.
import type { Metrics } from '../metric.ts';

export const databaseMetrics = {
  peyk_database_answers: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: '1 when the metrics of a cell’s database could be read in time, else 0; cell 0 is the home.',
    from: 'processes',
    together: 'min',
    drawn: {
      title: 'The database answers',
      unit: 'short',
      lines: [['peyk_database_answers', '{{instance}} cell {{cell}}']],
    },
    alerts: [
      {
        name: 'PeykDatabaseSilent',
        expression: 'peyk_database_answers == 0',
        for: '1m',
        severity: 'critical',
        says: 'The database of cell {{ $labels.cell }} does not answer {{ $labels.instance }}.',
        do: 'See whether it runs, takes connections and has disk; orders of its accounts are answered 503 meanwhile.',
      },
    ],
  },
  peyk_cell_served: {
    kind: 'gauge',
    labels: ['cell'],
    meaning:
      '1 while this node works for the cell, 0 while it cannot: its schema is another release’s, or nobody answers.',
    from: 'processes',
    together: 'min',
    drawn: { title: 'Cells served', unit: 'short', lines: [['peyk_cell_served', '{{instance}} cell {{cell}}']] },
    alerts: [
      {
        name: 'PeykCellNotServed',
        expression: 'peyk_cell_served == 0',
        for: '2m',
        severity: 'critical',
        says: 'Cell {{ $labels.cell }} is not served by {{ $labels.instance }}: its accounts are answered 503.',
        do: 'See the log for “cell not served yet”; peyk cell list shows the state of each cell, and peyk migrate migrates all of them.',
      },
    ],
  },
  peyk_database_bytes: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: 'Size of the database on disk, without its log.',
    from: 'database',
    drawn: { title: 'Database size', unit: 'bytes', lines: [['max by (cell) (peyk_database_bytes)', 'cell {{cell}}']] },
    alerts: [
      {
        name: 'PeykDatabaseGrows',
        expression:
          'predict_linear(peyk_database_bytes[6h], 7 * 86400) > 2 * peyk_database_bytes and peyk_database_bytes > 10e9',
        for: '1h',
        severity: 'warning',
        says: 'At this rate the database of cell {{ $labels.cell }} has doubled in a week.',
        do: 'Find the table that grows; shorten PEYK_RETENTION_DAYS or add disk.',
      },
    ],
  },
  peyk_database_oldest_transaction_seconds: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: 'Age of the oldest transaction that is open, of anybody; until it ends no dead row can be removed.',
    from: 'database',
    drawn: {
      title: 'Oldest transaction',
      unit: 's',
      lines: [['max by (cell) (peyk_database_oldest_transaction_seconds)', 'cell {{cell}}']],
    },
    alerts: [
      {
        name: 'PeykTransactionForgotten',
        expression: 'max by (cell) (peyk_database_oldest_transaction_seconds) > 1800',
        for: '1m',
        severity: 'warning',
        says: 'A transaction in cell {{ $labels.cell }} has been open for {{ $value | humanizeDuration }}; the queue’s tables grow meanwhile.',
        do: 'Find it in pg_stat_activity by xact_start; a forgotten session may be ended.',
      },
    ],
  },
  peyk_database_connections: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: 'Sessions of the database, of anybody.',
    from: 'database',
    drawn: {
      title: 'Database sessions: open, possible',
      unit: 'short',
      lines: [
        ['max by (cell) (peyk_database_connections)', 'open, cell {{cell}}'],
        ['max by (cell) (peyk_database_connections_max)', 'possible, cell {{cell}}'],
      ],
    },
    alerts: [
      {
        name: 'PeykDatabaseCrowded',
        expression: 'max by (cell) (peyk_database_connections) > 0.9 * max by (cell) (peyk_database_connections_max)',
        for: '5m',
        severity: 'warning',
        says: '{{ $value }} sessions are open, nearly all that the database of cell {{ $labels.cell }} allows.',
        do: 'Each process has up to eleven; raise max_connections or run fewer processes (PEYK_WORKERS).',
      },
    ],
  },
  peyk_database_connections_max: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: 'Sessions that the database allows.',
    from: 'database',
  },
  peyk_table_rows: {
    kind: 'gauge',
    labels: ['table', 'cell'],
    meaning: 'Rows of a table, as the database counts them.',
    from: 'database',
    drawn: {
      title: 'Rows by table',
      unit: 'short',
      lines: [['topk(10, max by (table, cell) (peyk_table_rows))', '{{table}} cell {{cell}}']],
    },
  },
  peyk_table_dead_rows: {
    kind: 'gauge',
    labels: ['table', 'cell'],
    meaning: 'Rows of a table that nobody sees any more and that are not removed yet.',
    from: 'database',
    drawn: {
      title: 'Dead rows by table',
      unit: 'short',
      lines: [['topk(10, max by (table, cell) (peyk_table_dead_rows))', '{{table}} cell {{cell}}']],
    },
    alerts: [
      {
        name: 'PeykDeadRows',
        expression:
          'max by (table, cell) (peyk_table_dead_rows) > 500000 and max by (table, cell) (peyk_table_dead_rows) > max by (table, cell) (peyk_table_rows)',
        for: '30m',
        severity: 'warning',
        says: '{{ $labels.table }} of cell {{ $labels.cell }} has {{ $value | humanize }} dead rows, more than living ones.',
        do: 'Look for an old transaction first; then vacuum the table by hand.',
      },
    ],
  },
  peyk_table_bytes: {
    kind: 'gauge',
    labels: ['table', 'cell'],
    meaning: 'Size of a table with its indexes.',
    from: 'database',
    drawn: {
      title: 'Size by table',
      unit: 'bytes',
      lines: [['topk(10, max by (table, cell) (peyk_table_bytes))', '{{table}} cell {{cell}}']],
    },
  },
  peyk_clock_ahead_seconds: {
    kind: 'gauge',
    labels: ['cell'],
    meaning:
      'How far the node’s clock is ahead of that of a cell’s database, which is the one that counts; negative: behind.',
    from: 'processes',
    together: 'max',
    drawn: {
      title: 'Clock ahead of the database’s',
      unit: 's',
      lines: [['peyk_clock_ahead_seconds', '{{instance}} cell {{cell}}']],
    },
    alerts: [
      {
        name: 'PeykClockDiffers',
        expression: 'abs(peyk_clock_ahead_seconds) > 2',
        for: '10m',
        severity: 'warning',
        says: 'The clock of {{ $labels.instance }} differs from that of cell {{ $labels.cell }}’s database by {{ $value | humanizeDuration }}.',
        do: 'Repair the time service of the host, or of the database’s host. Sending is not affected.',
      },
    ],
  },
} as const satisfies Metrics;
