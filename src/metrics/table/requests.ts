// Metrics of requests from customers and people.
import type { Metrics } from '../metric.ts';

export const requestMetrics = {
  peyk_api_request_seconds: {
    kind: 'histogram',
    labels: ['operation', 'code'],
    meaning: 'Time to answer an operation of the interface, by operation and answer code.',
    from: 'processes',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    drawn: {
      title: 'Requests by operation and code',
      unit: 'reqps',
      lines: [['sum by (operation, code) (rate(peyk_api_request_seconds_count[5m]))', '{{operation}} {{code}}']],
    },
    alerts: [
      {
        name: 'PeykRequestsFail',
        expression:
          'sum(rate(peyk_api_request_seconds_count{code="503"}[5m])) / sum(rate(peyk_api_request_seconds_count[5m])) > 0.05',
        for: '5m',
        severity: 'critical',
        says: '{{ $value | humanizePercentage }} of the requests are answered 503.',
        do: 'Ask /health/ready of every node; look for "request failed" and "overloaded" in the log.',
      },
      {
        name: 'PeykRequestsSlow',
        expression:
          'histogram_quantile(0.99, sum by (le) (rate(peyk_api_request_seconds_bucket{operation="send-sms",code="200"}[10m]))) > 1',
        for: '10m',
        severity: 'warning',
        says: 'One of a hundred orders takes {{ $value | humanizeDuration }} or longer to be accepted.',
        do: 'Look at pool use, event-loop delay and the oldest transaction of the database.',
      },
    ],
  },
  peyk_log_entries_dropped_total: {
    kind: 'counter',
    labels: ['log'],
    meaning:
      'Entries of the API log that were not stored: refusals or calls, under a flood or while the database is away.',
    from: 'processes',
    drawn: {
      title: 'Log entries not stored',
      unit: 'ops',
      lines: [['sum by (log) (rate(peyk_log_entries_dropped_total[5m]))', '{{log}}']],
    },
  },
  peyk_panel_requests_total: {
    kind: 'counter',
    labels: ['code'],
    meaning: 'Calls of the panel, by the status they were answered with.',
    from: 'processes',
    drawn: {
      title: 'Calls of the panel',
      unit: 'reqps',
      lines: [['sum by (code) (rate(peyk_panel_requests_total[5m]))', '{{code}}']],
    },
  },
} as const satisfies Metrics;
