// Metrics of systems that receive our requests: customers' webhook endpoints and the consent registry.
import type { Metrics } from '../metric.ts';

export const peerMetrics = {
  peyk_webhook_backlog: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: 'Events that wait to be posted to addresses of customers.',
    from: 'database',
    drawn: {
      title: 'Webhook events waiting',
      unit: 'short',
      lines: [['sum(max by (cell) (peyk_webhook_backlog))', 'events']],
    },
  },
  peyk_webhook_oldest_seconds: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: 'Age of the oldest event that waits for an address which answers well; 0 when none does.',
    from: 'database',
    drawn: {
      title: 'Oldest webhook event of a healthy address',
      unit: 's',
      lines: [['max(peyk_webhook_oldest_seconds)', 'oldest']],
    },
    alerts: [
      {
        name: 'PeykWebhooksBehind',
        expression: 'max(peyk_webhook_oldest_seconds) > 300',
        for: '10m',
        severity: 'warning',
        says: 'Events for addresses that answer well wait {{ $value | humanizeDuration }}.',
        do: 'Look whether a process with the role webhooks lives; give it more nodes if it is only busy.',
      },
    ],
  },
  peyk_webhook_addresses_failing: {
    kind: 'gauge',
    labels: ['state', 'cell'],
    meaning: 'Addresses of customers that do not answer well: failing (probed) or paused.',
    from: 'database',
    drawn: {
      title: 'Addresses that fail',
      unit: 'short',
      lines: [['sum by (state) (max by (state, cell) (peyk_webhook_addresses_failing))', '{{state}}']],
    },
  },
  peyk_webhook_posts_total: {
    kind: 'counter',
    labels: ['outcome'],
    meaning: 'Posts to addresses of customers, by outcome: delivered or failed.',
    from: 'processes',
    drawn: {
      title: 'Webhook posts',
      unit: 'ops',
      lines: [['sum by (outcome) (rate(peyk_webhook_posts_total[5m]))', '{{outcome}}']],
    },
    alerts: [
      {
        name: 'PeykWebhooksFail',
        expression:
          'sum(rate(peyk_webhook_posts_total{outcome="failed"}[15m])) > 0.9 * sum(rate(peyk_webhook_posts_total[15m])) and sum(rate(peyk_webhook_posts_total[15m])) > 0.1',
        for: '15m',
        severity: 'warning',
        says: 'Nearly all posts to customers fail.',
        do: 'So many customers are not broken at once: look at this network’s way out, its DNS and its clock.',
      },
    ],
  },
  peyk_registry_waiting: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: 'Consent records on their way to the registry.',
    from: 'database',
    drawn: {
      title: 'Consent records waiting',
      unit: 'short',
      lines: [['sum(max by (cell) (peyk_registry_waiting))', 'records']],
    },
  },
  peyk_registry_lag_seconds: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: 'Age of the oldest consent record the registry has not answered; 0 when none waits.',
    from: 'database',
    drawn: {
      title: 'Registry lag',
      unit: 's',
      lines: [['max(peyk_registry_lag_seconds)', 'oldest']],
    },
    alerts: [
      {
        name: 'PeykRegistryBehind',
        expression: 'max(peyk_registry_lag_seconds) > 7200',
        for: '15m',
        severity: 'warning',
        says: 'Consent records have waited {{ $value | humanizeDuration }} for the registry; the law gives three working days.',
        do: 'The registry page of the panel says what it complains of; peyk consent sync tries at once.',
      },
    ],
  },
  peyk_registry_trouble: {
    kind: 'gauge',
    labels: ['cell'],
    meaning: '1 while the registry’s last answer was a complaint or none at all, else 0.',
    from: 'database',
    drawn: { title: 'Registry in trouble', unit: 'short', lines: [['max(peyk_registry_trouble)', 'trouble']] },
    alerts: [
      {
        name: 'PeykRegistryTrouble',
        expression: 'max(peyk_registry_trouble) > 0',
        for: '30m',
        severity: 'warning',
        says: 'The consent registry has not answered well for half an hour.',
        do: 'peyk doctor asks it from here; correct a refused login in the settings.',
      },
    ],
  },
} as const satisfies Metrics;
