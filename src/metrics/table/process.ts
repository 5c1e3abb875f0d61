// Metrics of our own processes: liveness and resources.
import type { Metrics } from '../metric.ts';

export const processMetrics = {
  peyk_node_live: {
    kind: 'gauge',
    labels: [],
    meaning: '1 while every loop of every process of the node makes rounds, else 0.',
    from: 'processes',
    together: 'min',
    drawn: {
      title: 'Nodes that live',
      unit: 'short',
      lines: [['peyk_node_live', '{{instance}}']],
    },
    alerts: [
      {
        name: 'PeykNodeGone',
        expression: 'up{job="peyk"} == 0',
        for: '1m',
        severity: 'critical',
        says: '{{ $labels.instance }} does not answer for its metrics.',
        do: 'See whether it runs and why it ended: its log, systemctl status, kubectl describe.',
      },
      {
        name: 'PeykStandsStill',
        expression: 'peyk_node_live == 0',
        for: '1m',
        severity: 'critical',
        says: 'A process or loop of {{ $labels.instance }} stands still.',
        do: '/health/live names it. Look at its log; a restart is safe at any time.',
      },
    ],
  },
  peyk_process_restarts_total: {
    kind: 'counter',
    labels: ['role'],
    meaning: 'Processes of the node that ended unexpectedly and were started again.',
    from: 'processes',
    drawn: {
      title: 'Restarts of processes',
      unit: 'short',
      lines: [['sum by (role) (increase(peyk_process_restarts_total[1h]))', '{{role}}']],
    },
    alerts: [
      {
        name: 'PeykProcessDies',
        expression: 'sum by (instance, role) (increase(peyk_process_restarts_total[15m])) > 3',
        for: '1m',
        severity: 'critical',
        says: 'The {{ $labels.role }} process of {{ $labels.instance }} dies again and again.',
        do: 'Its last lines in the log say why; out of memory shows as signal SIGKILL.',
      },
    ],
  },
  peyk_pool_connections: {
    kind: 'gauge',
    labels: ['pool', 'state'],
    meaning: 'Connections of a pool to the database, in use or idle.',
    from: 'processes',
    drawn: {
      title: 'Pool use',
      unit: 'percentunit',
      lines: [
        ['sum by (pool) (peyk_pool_connections{state="used"}) / sum by (pool) (peyk_pool_connections_max)', '{{pool}}'],
      ],
    },
  },
  peyk_pool_connections_max: {
    kind: 'gauge',
    labels: ['pool'],
    meaning: 'Connections that a pool may have.',
    from: 'processes',
  },
  peyk_pool_waiting: {
    kind: 'gauge',
    labels: ['pool'],
    meaning: 'Those who wait for a connection of a pool.',
    from: 'processes',
    drawn: {
      title: 'Waiting for a connection',
      unit: 'short',
      lines: [['sum by (pool) (peyk_pool_waiting)', '{{pool}}']],
    },
    alerts: [
      {
        name: 'PeykPoolFull',
        expression: 'min_over_time((sum by (instance, pool) (peyk_pool_waiting))[5m:30s]) > 0',
        for: '1m',
        severity: 'warning',
        says: 'Somebody has been waiting for a connection of "{{ $labels.pool }}" for five minutes.',
        do: 'The database answers slowly: find what runs there (pg_stat_activity) before adding connections.',
      },
    ],
  },
  peyk_event_loop_delay_seconds: {
    kind: 'gauge',
    labels: ['role'],
    meaning: 'Delay of the event loop, 99 of 100, since it was last asked for; the slowest process of each role.',
    from: 'processes',
    together: 'max',
    drawn: {
      title: 'Event-loop delay, 99 of 100',
      unit: 's',
      lines: [['max by (role) (peyk_event_loop_delay_seconds)', '{{role}}']],
    },
    alerts: [
      {
        name: 'PeykEventLoopBlocked',
        expression: 'max by (instance, role) (peyk_event_loop_delay_seconds) > 0.5',
        for: '5m',
        severity: 'warning',
        says: 'The {{ $labels.role }} process of {{ $labels.instance }} stops for {{ $value | humanizeDuration }} at a time.',
        do: 'Too little processor for the load, or one huge request after the other: look at processor use first.',
      },
    ],
  },
  peyk_memory_bytes: {
    kind: 'gauge',
    labels: ['role'],
    meaning: 'Resident memory of the processes of each role.',
    from: 'processes',
    drawn: { title: 'Memory', unit: 'bytes', lines: [['sum by (role) (peyk_memory_bytes)', '{{role}}']] },
  },
  peyk_disk_free_ratio: {
    kind: 'gauge',
    labels: [],
    meaning: 'Free share of the disk that holds the data folder (PEYK_DATA), from 0 to 1.',
    from: 'processes',
    together: 'min',
    drawn: { title: 'Free disk', unit: 'percentunit', lines: [['peyk_disk_free_ratio', '{{instance}}']] },
    alerts: [
      {
        name: 'PeykDiskFull',
        expression: 'peyk_disk_free_ratio < 0.1 or predict_linear(peyk_disk_free_ratio[6h], 86400) < 0',
        for: '15m',
        severity: 'critical',
        says: 'The disk of the data folder on {{ $labels.instance }} is nearly full, or will be within a day.',
        do: 'Make room or enlarge the disk before it is full: the embedded database stops when it cannot write.',
      },
    ],
  },
  peyk_certificate_ends_seconds: {
    kind: 'gauge',
    labels: [],
    meaning: 'When the certificate of the TLS listeners ends, in seconds since 1970.',
    from: 'processes',
    together: 'min',
    drawn: {
      title: 'Time until the certificate ends',
      unit: 's',
      lines: [['peyk_certificate_ends_seconds - time()', '{{instance}}']],
    },
    alerts: [
      {
        name: 'PeykCertificateEnds',
        expression: 'peyk_certificate_ends_seconds - time() < 14 * 86400',
        for: '1h',
        severity: 'warning',
        says: 'The TLS certificate of {{ $labels.instance }} ends in less than 14 days.',
        do: 'Renew the files of PEYK_TLS_CERT and PEYK_TLS_KEY; they are read again within seconds, without a restart.',
      },
    ],
  },
} as const satisfies Metrics;
