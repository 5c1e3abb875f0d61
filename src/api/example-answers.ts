// What a successful call answers, operation by operation, for the reference in the panel. A test compares each example with a
// real answer, member by member.
import type { Members } from './envelope.ts';

const times = { submitAt: '2026-05-01 10:00:00', sendAt: '2026-05-01 10:00:00' };
const counters = { status: 114, total: 1, delivered: 1, undelivered: 0, waiting: 0, ...times, sender: 'APITEST' };

/** Operation → members beside `status`; an operation that is not listed answers with its status alone. */
export const exampleAnswers: Record<string, Members> = {
  'send-sms': { order: { id: '100000001', orderId: '100000001' } },
  'get-report': {
    order: { id: '100000001', ...counters, price: 1, message: [{ number: '+905550000000', status: 111 }] },
  },
  'get-reports': { count: 1, orders: [{ id: 100000001, ...counters }] },
  'get-balance': { balance: { amount: 0, sms: 100 } },
  'get-sender': { senders: { sender: ['FIRMAM'] } },
  'get-blacklist': { blacklist: { count: 1, number: ['+905550000000'] } },
  'iys-check': {
    consent: {
      brandCode: 123456,
      recipient: '+905550000000',
      recipientType: 'BIREYSEL',
      type: 'MESAJ',
      status: 'ONAY',
      source: 'HS_WEB',
      consentDate: '2026-05-01 10:00:00',
    },
  },
  'get-inbox': {
    inbox: {
      count: 1,
      message: [
        { id: 17, number: '+905550000000', to: '3340', text: 'DENEME merhaba', receivedAt: '2026-05-01 10:00:00' },
      ],
    },
  },
};
