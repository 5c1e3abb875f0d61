// The bodies of notifications as docs/webhooks.md has them; a test compares the two.
import type { WebhookEventName } from '../../../../src/webhooks/events.ts';

const report = (status: string) => ({
  report: { id: 1000000001, packet_id: 100000001, status, to: '+905550000000', body: 'Merhaba' },
});

export const webhookBodies = {
  accepted: report('accepted'),
  delivered: report('delivered'),
  undelivered: report('undelivered'),
  inbound: {
    inbound: { id: 17, number: '+905550000000', to: '3340', text: 'DENEME merhaba', receivedAt: '2026-01-03 00:04:05' },
  },
  test: { test: { id: 4711, sentAt: '2026-01-03 00:04:05' } },
} satisfies Record<WebhookEventName | 'test', object>;
