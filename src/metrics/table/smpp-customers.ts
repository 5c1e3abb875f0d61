// Metrics of SMPP customers: their binds and submits, and their pending receipts.
import type { Metrics } from '../metric.ts';

export const smppMetrics = {
  peyk_smpp_binds: {
    kind: 'gauge',
    labels: ['kind'],
    meaning: 'Binds of customers, by kind: transceiver, transmitter or receiver.',
    from: 'processes',
    drawn: { title: 'Binds of customers', unit: 'short', lines: [['sum by (kind) (peyk_smpp_binds)', '{{kind}}']] },
  },
  peyk_smpp_binds_refused_total: {
    kind: 'counter',
    labels: ['cause'],
    meaning: 'Binds of customers that were refused, by cause.',
    from: 'processes',
    drawn: {
      title: 'Binds refused',
      unit: 'ops',
      lines: [['sum by (cause) (rate(peyk_smpp_binds_refused_total[5m]))', '{{cause}}']],
    },
  },
  peyk_smpp_bans: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: 'Addresses that are banned for an SMPP user after wrong passwords.',
    from: 'database',
    drawn: { title: 'Addresses banned', unit: 'short', lines: [['sum(max by (cell) (peyk_smpp_bans))', 'addresses']] },
  },
  peyk_smpp_submits_total: {
    kind: 'counter',
    labels: ['status'],
    meaning: 'Submits of customers over SMPP, by the status they were answered with.',
    from: 'processes',
    drawn: {
      title: 'Submits over SMPP',
      unit: 'ops',
      lines: [['sum by (status) (rate(peyk_smpp_submits_total[5m]))', '{{status}}']],
    },
    alerts: [
      {
        name: 'PeykSmppSubmitsFail',
        expression:
          'sum(rate(peyk_smpp_submits_total{status=~"ESME_RSYSERR|ESME_RMSGQFUL"}[5m])) > 0.05 * sum(rate(peyk_smpp_submits_total[5m]))',
        for: '5m',
        severity: 'critical',
        says: 'More than one submit over SMPP in twenty fails for a reason of ours.',
        do: 'As with requests over HTTP: see whether the database answers, then whether more comes than can be stored.',
      },
    ],
  },
  peyk_smpp_window_used: {
    kind: 'gauge',
    labels: [],
    meaning: 'Submits of customers that wait for our answer.',
    from: 'processes',
    drawn: {
      title: 'Windows of customers: used, possible',
      unit: 'short',
      lines: [
        ['sum(peyk_smpp_window_used)', 'used'],
        ['sum(peyk_smpp_window_size)', 'possible'],
      ],
    },
  },
  peyk_smpp_window_size: {
    kind: 'gauge',
    labels: [],
    meaning: 'Submits that the binds there are may leave without an answer before they are read no further.',
    from: 'processes',
  },
  peyk_smpp_deliveries_total: {
    kind: 'counter',
    labels: ['outcome'],
    meaning: 'Receipts and messages from phones delivered to customers, by outcome: taken, put off, refused or lost.',
    from: 'processes',
    drawn: {
      title: 'Receipts and messages delivered',
      unit: 'ops',
      lines: [['sum by (outcome) (rate(peyk_smpp_deliveries_total[5m]))', '{{outcome}}']],
    },
  },
  peyk_smpp_backlog: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: 'Receipts and messages from phones pending for customers over SMPP.',
    from: 'database',
    drawn: {
      title: 'Pending over SMPP',
      unit: 'short',
      lines: [['sum(max by (cell) (peyk_smpp_backlog))', 'receipts and messages']],
    },
  },
  peyk_smpp_oldest_seconds: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: 'How long the oldest receipt or message waits for a customer who is bound; 0 when none does.',
    from: 'database',
    drawn: {
      title: 'Oldest that waits for a bound customer',
      unit: 's',
      lines: [['max(peyk_smpp_oldest_seconds)', 'oldest']],
    },
    alerts: [
      {
        name: 'PeykSmppReceiptsBehind',
        expression: 'max(peyk_smpp_oldest_seconds) > 300',
        for: '10m',
        severity: 'warning',
        says: 'Receipts for a customer who is bound over SMPP wait {{ $value | humanizeDuration }}.',
        do: 'peyk smpp list and binds say whose: a customer that answers slowly, or a receipt window that is too small.',
      },
    ],
  },
} as const satisfies Metrics;
