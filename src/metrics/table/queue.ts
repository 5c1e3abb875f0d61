// Metrics of messages waiting to be sent, and of messages that have ended.
import type { Metrics } from '../metric.ts';

export const queueMetrics = {
  peyk_queue_messages: {
    kind: 'gauge',
    labels: ['lane', 'cell'],
    meaning: 'Messages accepted and not yet submitted to a carrier, whatever their time, by lane.',
    from: 'database',
    drawn: {
      title: 'Messages waiting',
      unit: 'short',
      lines: [['sum by (lane) (max by (lane, cell) (peyk_queue_messages))', '{{lane}}']],
    },
  },
  peyk_queue_oldest_seconds: {
    kind: 'gauge',
    labels: ['lane', 'cell'],
    meaning: 'How long the oldest message whose time has come waits for a dispatcher, by lane; 0 when none does.',
    from: 'database',
    drawn: {
      title: 'Oldest message that waits',
      unit: 's',
      lines: [['max by (lane) (peyk_queue_oldest_seconds)', '{{lane}}']],
    },
    alerts: [
      {
        name: 'PeykCodesWait',
        expression: 'max(peyk_queue_oldest_seconds{lane="transactional"}) > 30',
        for: '1m',
        severity: 'critical',
        says: 'One-time codes wait {{ $value | humanizeDuration }} for a dispatcher.',
        do: 'Look whether a carrier is bound and serves these numbers, and whether a dispatcher lives.',
      },
      {
        name: 'PeykCampaignsWait',
        expression: 'max(peyk_queue_oldest_seconds{lane="campaign"}) > 900',
        for: '10m',
        severity: 'warning',
        says: 'Campaigns wait {{ $value | humanizeDuration }} for a dispatcher.',
        do: 'Compare what was asked for with what the carriers grant: window use, rate, throttling.',
      },
    ],
  },
  peyk_queue_quarantined_chunks: {
    kind: 'gauge',
    labels: ['lane', 'cell'],
    meaning: 'Pieces of orders that no dispatcher could send and that were put aside, by lane.',
    from: 'database',
    drawn: {
      title: 'Put aside',
      unit: 'short',
      lines: [['sum by (lane) (max by (lane, cell) (peyk_queue_quarantined_chunks))', '{{lane}}']],
    },
    alerts: [
      {
        name: 'PeykQuarantined',
        expression: 'sum(max by (lane, cell) (peyk_queue_quarantined_chunks)) > 0',
        for: '1m',
        severity: 'warning',
        says: '{{ $value }} pieces of orders were put aside because they could not be sent.',
        do: 'peyk quarantine list names the orders; the log of the dispatcher names the cause.',
      },
    ],
  },
  peyk_dispatch_held: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: '1 while sending is held by an operator or after a restore, else 0.',
    from: 'database',
    drawn: { title: 'Sending is held', unit: 'short', lines: [['max(peyk_dispatch_held)', 'held']] },
    alerts: [
      {
        name: 'PeykDispatchHeld',
        expression: 'max(peyk_dispatch_held) > 0',
        for: '10m',
        severity: 'warning',
        says: 'Nothing is sent: sending has been held for ten minutes.',
        do: 'peyk dispatch status says why; peyk dispatch release lets it go on.',
      },
    ],
  },
  peyk_settled_total: {
    kind: 'counter',
    labels: [],
    meaning: 'Messages brought to their end.',
    from: 'processes',
    drawn: {
      title: 'Messages ended and perhaps sent twice',
      unit: 'ops',
      lines: [
        ['sum(rate(peyk_settled_total[5m]))', 'ended'],
        ['sum(rate(peyk_resent_total[5m]))', 'perhaps twice'],
      ],
    },
  },
  peyk_resent_total: {
    kind: 'counter',
    labels: [],
    meaning: 'Messages that may be on the air twice.',
    from: 'processes',
    alerts: [
      {
        name: 'PeykSentTwice',
        expression: 'sum(increase(peyk_resent_total[1h])) > 100',
        for: '5m',
        severity: 'warning',
        says: '{{ $value | humanize }} messages of the last hour may be on the air twice.',
        do: 'A carrier loses answers: look at its errors and links, and at restarts of the dispatcher.',
      },
    ],
  },
  peyk_settle_seconds: {
    kind: 'histogram',
    labels: [],
    meaning: 'From the first answer or receipt of a batch to its commit, an observation for each batch.',
    from: 'processes',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    drawn: {
      title: 'Settling',
      unit: 's',
      lines: [
        ['histogram_quantile(0.5, sum by (le) (rate(peyk_settle_seconds_bucket[5m])))', 'half'],
        ['histogram_quantile(0.99, sum by (le) (rate(peyk_settle_seconds_bucket[5m])))', '99 of 100'],
      ],
    },
    alerts: [
      {
        name: 'PeykSettlingSlow',
        expression: 'histogram_quantile(0.99, sum by (le) (rate(peyk_settle_seconds_bucket[5m]))) > 2.5',
        for: '10m',
        severity: 'warning',
        says: 'Answers and receipts of carriers take {{ $value | humanizeDuration }} to be stored.',
        do: 'The database is slow: look at its disk, its oldest transaction and dead rows.',
      },
    ],
  },
} as const satisfies Metrics;
