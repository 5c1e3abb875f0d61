// The JSON of each event, with its members in the documented order, its schema, and an example of each. The browser loads this file.
import { about, Type } from '../contract/type.ts';
import { toTurkeyTime } from '../time/clock.ts';
import { type EventKind, messageEvents, type WebhookEventName } from './events.ts';

export type EventRow = {
  kind: EventKind;
  event: string;
  outboxId: number;
  subjectId: number;
  orderId: number | null;
  recipient: string | null;
  sender: string | null;
  text: string | null;
  receivedAt: Date | null;
  createdAt: Date;
};

/** The members of `EventRow` in a row u of `webhook_unfold`. A member of the order is a subquery by u.account_id and u.order_id. */
export const eventColumns = `u.kind, u.event, u.outbox_id as "outboxId", u.subject_id as "subjectId", u.order_id as "orderId", u.recipient,
  u.sender, u.text, u.received_at as "receivedAt", u.created_at as "createdAt"`;

/** The body of all events but an inbound message and the test. */
export const reportBody = Type.Object({
  report: Type.Object({
    id: Type.Integer({ ...about('number of the message', 'iletinin numarası') }),
    packet_id: Type.Integer({ ...about('number of the order', 'siparişin numarası') }),
    status: Type.Enum(messageEvents),
    to: Type.String({
      ...about('recipient with +90; a bad number as it was given', '+90 ile alıcı; hatalı numara verildiği gibi'),
    }),
    body: Type.String({ ...about('your text, without the operator code', 'metniniz, operatör kodu olmadan') }),
  }),
});

export function payload(row: EventRow): string {
  if (row.kind === 'inbound') return inboundPayload(row);
  if (row.kind === 'test') return testPayload(row.outboxId, row.createdAt);
  const { subjectId: id, orderId: packet_id, event: status, recipient: to, text: body } = row;
  return JSON.stringify({ report: { id, packet_id, status, to, body } });
}

function inboundPayload(row: EventRow): string {
  const { subjectId: id, sender: number, recipient: to, text, receivedAt } = row;
  return JSON.stringify({ inbound: { id, number, to, text, receivedAt: receivedAt && toTurkeyTime(receivedAt) } });
}

export function testPayload(id: number, at: Date): string {
  return JSON.stringify({ test: { id, sentAt: toTurkeyTime(at) } });
}

const example: EventRow = {
  kind: 'final',
  event: 'delivered',
  outboxId: 4711,
  subjectId: 1000000001,
  orderId: 100000001,
  recipient: '+905550000000',
  sender: '+905550000000',
  text: 'Merhaba',
  receivedAt: new Date('2026-01-02T21:04:05Z'),
  createdAt: new Date('2026-01-02T21:04:05Z'),
};

/** The body of an event as the documentation shows it. */
export function exampleBody(event: WebhookEventName | 'test'): Record<string, object> {
  if (event === 'test') return JSON.parse(payload({ ...example, kind: event }));
  if (event !== 'inbound') return JSON.parse(payload({ ...example, event }));
  return JSON.parse(payload({ ...example, kind: event, subjectId: 17, recipient: '3340', text: 'DENEME merhaba' }));
}
