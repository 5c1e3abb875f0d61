// The JSON of each event, with its members in the documented order.
import { toTurkeyTime } from '../time/clock.ts';
import type { EventKind } from './events.ts';

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
