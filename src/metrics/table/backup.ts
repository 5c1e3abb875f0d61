// Metrics of backups, present only if backups are enabled: age of the last base backup and delay of the archived log.
import type { Metrics } from '../metric.ts';

export const backupMetrics = {
  peyk_backup_age_seconds: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: 'Age of the last whole base backup.',
    from: 'database',
    drawn: { title: 'Age of the last backup', unit: 's', lines: [['max(peyk_backup_age_seconds)', 'age']] },
    alerts: [
      {
        name: 'PeykBackupOld',
        // Twice the default interval, plus hours for a backup that takes long.
        expression: 'max(peyk_backup_age_seconds) > 200000',
        for: '10m',
        severity: 'warning',
        says: 'The last base backup is {{ $value | humanizeDuration }} old.',
        do: 'peyk doctor says why; peyk backup takes one now.',
      },
      {
        name: 'PeykBackupMissing',
        // Of each cell, because the backup of one says nothing about another.
        expression: 'max by (cell) (peyk_database_answers) == 1 unless on (cell) peyk_backup_age_seconds',
        for: '6h',
        severity: 'warning',
        says: 'Cell {{ $labels.cell }} (0 is the home) has no backup: PEYK_BACKUP is empty, or no base backup has ever been finished.',
        do: 'Set PEYK_BACKUP; peyk doctor says why a backup is not finished.',
      },
    ],
  },
  peyk_backup_behind_seconds: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: 'How far the archived log is behind the database: what a lost machine would take with it.',
    from: 'database',
    drawn: { title: 'Archived log behind', unit: 's', lines: [['max(peyk_backup_behind_seconds)', 'behind']] },
    alerts: [
      {
        name: 'PeykArchiveBehind',
        expression: 'max(peyk_backup_behind_seconds) > 600',
        for: '5m',
        severity: 'critical',
        says: 'The archived log is {{ $value | humanizeDuration }} behind; a lost machine would take that with it.',
        do: 'See whether the target has room and can be reached: peyk doctor.',
      },
    ],
  },
  peyk_backup_damaged: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: 'Whether the last backup was damaged when it was read again (1) or not (0).',
    from: 'database',
    drawn: { title: 'Backup damaged', unit: 'short', lines: [['max(peyk_backup_damaged)', 'damaged']] },
    alerts: [
      {
        name: 'PeykBackupDamaged',
        expression: 'max(peyk_backup_damaged) > 0',
        for: '5m',
        severity: 'critical',
        says: 'The last backup could not be read again.',
        do: 'peyk backup verify names the file; peyk backup takes another one now.',
      },
    ],
  },
  peyk_backup_backlog_bytes: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: 'Log that the database keeps because it is not archived yet.',
    from: 'database',
    drawn: { title: 'Log kept for the archive', unit: 'bytes', lines: [['max(peyk_backup_backlog_bytes)', 'bytes']] },
  },
} as const satisfies Metrics;
