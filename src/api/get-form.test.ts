import { expect, test } from 'vitest';
import { Refusal } from '../status.ts';
import type { Members } from './envelope.ts';
import { openGetForm } from './get-form.ts';

function open(query: string): Members {
  return openGetForm(query, Buffer.alloc(0));
}

test('the query string becomes a send-sms request', () => {
  const query =
    'key=k&hash=h&text=Bir+%26%20iki+%C5%9F&receipents=5550000000,5550000001&sender=PEYK&iys=1&iysList=TACIR';
  expect(open(query)).toEqual({
    authentication: { key: 'k', hash: 'h' },
    order: {
      sender: 'PEYK',
      iys: '1',
      iysList: 'TACIR',
      sendDateTime: undefined,
      encoding: undefined,
      message: { text: 'Bir & iki ş', receipents: { number: '5550000000,5550000001' } },
    },
  });
});

test('an encoding is passed on', () => {
  expect(open('encoding=utf8')['order']).toMatchObject({ encoding: 'utf8' });
});

test('fields of the address and of the body count together, and one in both is 400', () => {
  expect(openGetForm('key=k', Buffer.from('hash=h'))['authentication']).toEqual({ key: 'k', hash: 'h' });
  expect(() => openGetForm('key=k', Buffer.from('key=k'))).toThrow(new Refusal(400));
});

test('a time to send is passed on, so that nothing goes out at once that was meant for later', () => {
  expect(open('sendDateTime=25%2F12%2F2030+10%3A00')['order']).toMatchObject({ sendDateTime: '25/12/2030 10:00' });
});

test('text that is no UTF-8 is refused with 400 instead of being sent garbled', () => {
  expect(() => open('text=%FE')).toThrow(new Refusal(400));
});

test('a field given twice is refused with 400, unknown fields are passed over', () => {
  expect(() => open('text=a&text=b')).toThrow(new Refusal(400));
  expect(open('x=1&x=2&key=k')['authentication']).toEqual({ key: 'k', hash: undefined });
});

test('a percent sign that starts no octet stands for itself', () => {
  expect(open('text=%2550%+%zz%4')['order']).toMatchObject({ message: { text: '%50% %zz%4' } });
});
