// Metrics of carriers, labelled by name.
import type { Metrics } from '../metric.ts';

export const carrierMetrics = {
  peyk_links_bound: {
    kind: 'gauge',
    labels: ['carrier'],
    meaning: 'Links that are bound.',
    from: 'processes',
    drawn: {
      title: 'Links: bound, wanted',
      unit: 'short',
      lines: [
        ['sum by (carrier) (peyk_links_bound)', '{{carrier}}'],
        ['sum by (carrier) (max by (carrier, cell) (peyk_links_wanted))', '{{carrier}} wanted'],
      ],
    },
    alerts: [
      {
        name: 'PeykCarrierGone',
        expression:
          '(sum by (carrier) (peyk_links_bound) or 0 * sum by (carrier) (max by (carrier, cell) (peyk_links_wanted))) == 0 and sum by (carrier) (max by (carrier, cell) (peyk_links_wanted)) > 0',
        for: '2m',
        severity: 'critical',
        says: 'No link to {{ $labels.carrier }} is bound.',
        do: 'The carrier’s page in the panel shows the last error of each link; peyk doctor tries it from here.',
      },
    ],
  },
  peyk_links_wanted: {
    kind: 'gauge',
    labels: ['carrier', 'cell'],
    meaning: 'Links that a carrier which is not paused grants, the part of each cell.',
    from: 'database',
    alerts: [
      {
        name: 'PeykLinksMissing',
        expression:
          '(sum by (carrier) (peyk_links_bound) or 0 * sum by (carrier) (max by (carrier, cell) (peyk_links_wanted))) < sum by (carrier) (max by (carrier, cell) (peyk_links_wanted))',
        for: '10m',
        severity: 'warning',
        says: 'Only {{ $value }} of the links to {{ $labels.carrier }} are bound.',
        do: 'Look at the errors of its links; a carrier often counts dead connections for some minutes.',
      },
    ],
  },
  peyk_submitted_total: {
    kind: 'counter',
    labels: ['carrier'],
    meaning: 'Parts submitted to carriers.',
    from: 'processes',
    drawn: {
      title: 'Sent',
      unit: 'ops',
      lines: [['sum by (carrier) (rate(peyk_submitted_total[5m]))', '{{carrier}}']],
    },
  },
  peyk_receipts_total: {
    kind: 'counter',
    labels: ['carrier'],
    meaning: 'Receipts of carriers, intermediate ones too.',
    from: 'processes',
    drawn: {
      title: 'Receipts',
      unit: 'ops',
      lines: [['sum by (carrier) (rate(peyk_receipts_total[5m]))', '{{carrier}}']],
    },
    alerts: [
      {
        name: 'PeykNoReceipts',
        expression:
          'sum by (carrier) (rate(peyk_submitted_total[15m])) > 0.5 and sum by (carrier) (rate(peyk_receipts_total[15m])) == 0',
        for: '15m',
        severity: 'warning',
        says: '{{ $labels.carrier }} takes messages and reports on none.',
        do: 'Look whether a receiver is bound and whether the carrier asks for a certain bind type.',
      },
    ],
  },
  peyk_receipts_unmatched_total: {
    kind: 'counter',
    labels: [],
    meaning: 'Receipts nobody was waiting for.',
    from: 'processes',
    drawn: {
      title: 'Receipts without a message',
      unit: 'ops',
      lines: [['sum(rate(peyk_receipts_unmatched_total[5m]))', 'all carriers']],
    },
    alerts: [
      {
        name: 'PeykReceiptsUnknown',
        expression:
          'sum(increase(peyk_receipts_unmatched_total[15m])) > 100 and sum(increase(peyk_receipts_unmatched_total[15m])) > 0.2 * sum(increase(peyk_receipts_total[15m]))',
        for: '15m',
        severity: 'warning',
        says: '{{ $value | humanize }} receipts of the last 15 minutes name messages that nobody knows.',
        do: 'A carrier whose ids look different in receipts: set answer-id and receipt-id (docs/receipts.md).',
      },
    ],
  },
  peyk_receipts_mismatched_total: {
    kind: 'counter',
    labels: [],
    meaning: 'Receipts whose id belongs to a message to another number; they end nothing.',
    from: 'processes',
    alerts: [
      {
        name: 'PeykReceiptNumbers',
        expression: 'sum(increase(peyk_receipts_mismatched_total[15m])) > 10',
        for: '0m',
        severity: 'warning',
        says: '{{ $value | humanize }} receipts of the last 15 minutes name a message and another number.',
        do: 'The carrier gives one id twice: inform it. The receipts stand among those without a message (docs/receipts.md).',
      },
    ],
  },
  peyk_set_aside_total: {
    kind: 'counter',
    labels: [],
    meaning: 'Answers and receipts that the database refuses, set aside one by one.',
    from: 'processes',
    alerts: [
      {
        name: 'PeykSetAside',
        expression: 'sum(increase(peyk_set_aside_total[15m])) > 0',
        for: '0m',
        severity: 'critical',
        says: '{{ $value | humanize }} answers or receipts of the last 15 minutes cannot be stored.',
        do: 'The table refused_items holds each with the error; everything else went its way.',
      },
    ],
  },
  peyk_throttled_total: {
    kind: 'counter',
    labels: ['carrier'],
    meaning: 'Submits that a carrier answered with "too fast"; they are sent again.',
    from: 'processes',
    drawn: {
      title: 'Too fast',
      unit: 'ops',
      lines: [['sum by (carrier) (rate(peyk_throttled_total[5m]))', '{{carrier}}']],
    },
  },
  peyk_refused_total: {
    kind: 'counter',
    labels: ['carrier'],
    meaning: 'Submits that a carrier refused.',
    from: 'processes',
    drawn: {
      title: 'Errors, of all answers and receipts',
      unit: 'percentunit',
      lines: [
        [
          'sum by (carrier) (rate(peyk_refused_total[15m]) + rate(peyk_undelivered_total[15m])) / sum by (carrier) (rate(peyk_submitted_total[15m]) + rate(peyk_receipts_total[15m]))',
          '{{carrier}}',
        ],
      ],
    },
    alerts: [
      {
        name: 'PeykCarrierErrors',
        expression:
          'sum by (carrier) (rate(peyk_refused_total[15m]) + rate(peyk_undelivered_total[15m])) / sum by (carrier) (rate(peyk_submitted_total[15m]) + rate(peyk_receipts_total[15m])) > 0.2',
        for: '15m',
        severity: 'warning',
        says: '{{ $value | humanizePercentage }} of what {{ $labels.carrier }} says are errors.',
        do: 'Its page lists the last errors by their words; pause it if another can carry.',
      },
    ],
  },
  peyk_undelivered_total: {
    kind: 'counter',
    labels: ['carrier'],
    meaning: 'Final receipts that say that a message was not delivered.',
    from: 'processes',
  },
  peyk_window_used: {
    kind: 'gauge',
    labels: ['carrier'],
    meaning: 'Submits without an answer.',
    from: 'processes',
    drawn: {
      title: 'Window use',
      unit: 'percentunit',
      lines: [['sum by (carrier) (peyk_window_used) / sum by (carrier) (peyk_window_size)', '{{carrier}}']],
    },
    alerts: [
      {
        name: 'PeykWindowFull',
        expression: 'sum by (carrier) (peyk_window_used) / (sum by (carrier) (peyk_window_size) > 0) > 0.95',
        for: '15m',
        severity: 'warning',
        says: 'The window of {{ $labels.carrier }} has been full for 15 minutes: it answers slower than we send.',
        do: 'Ask the carrier for more binds or a larger window; a stalled carrier is paused by hand.',
      },
    ],
  },
  peyk_window_size: {
    kind: 'gauge',
    labels: ['carrier'],
    meaning: 'Submits without an answer that the bound links may have.',
    from: 'processes',
  },
  peyk_receipt_lag_seconds: {
    kind: 'histogram',
    labels: ['carrier'],
    meaning: 'From a carrier’s answer to its final receipt, by a sample of messages.',
    from: 'processes',
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
    drawn: {
      title: 'Receipt lag, on average',
      unit: 's',
      lines: [
        [
          'sum by (carrier) (rate(peyk_receipt_lag_seconds_sum[15m])) / sum by (carrier) (rate(peyk_receipt_lag_seconds_count[15m]))',
          '{{carrier}}',
        ],
      ],
    },
    alerts: [
      {
        name: 'PeykReceiptsLate',
        expression:
          'sum by (carrier) (rate(peyk_receipt_lag_seconds_sum[30m])) / sum by (carrier) (rate(peyk_receipt_lag_seconds_count[30m])) > 300',
        for: '30m',
        severity: 'warning',
        says: 'Receipts of {{ $labels.carrier }} come {{ $value | humanizeDuration }} after its answers.',
        do: 'Nothing is lost; inform the carrier, and customers who wait for reports.',
      },
    ],
  },
} as const satisfies Metrics;
