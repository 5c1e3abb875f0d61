import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closeEnvelope, type Members } from './envelope.ts';
import { openXml } from './xml.ts';
import { closeXml } from './xml-write.ts';

function inside(result: Members): string {
  return /<\/status>\n(.*)<\/response>\n$/s.exec(closeXml(closeEnvelope(200, result)))![1]!;
}

function lines(...given: string[]): string {
  return given.map(one => `${one}\n`).join('');
}

test('an answer is a declaration and a response element with code and text, one element a line', () => {
  expect(closeXml(closeEnvelope(455))).toBe(
    lines(
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<response>',
      '  <status>',
      '    <code>455</code>',
      '    <message>Sipariş bulunamadı</message>',
      '  </status>',
      '</response>',
    ),
  );
});

test('an array is its element repeated, and orders hold one order element each', () => {
  expect(inside({ senders: { sender: ['A', 'B'] } })).toBe(
    lines('  <senders>', '    <sender>A</sender>', '    <sender>B</sender>', '  </senders>'),
  );
  expect(inside({ order: { id: '1', message: [{ number: '+905550000000', status: 111 }] } })).toBe(
    lines(
      '  <order>',
      '    <id>1</id>',
      '    <message>',
      '      <number>+905550000000</number>',
      '      <status>111</status>',
      '    </message>',
      '  </order>',
    ),
  );
  expect(inside({ count: 2, orders: [{ id: 1 }, { id: 2 }] })).toBe(
    lines(
      '  <count>2</count>',
      '  <orders>',
      ...[1, 2].flatMap(id => ['    <order>', `      <id>${id}</id>`, '    </order>']),
      '  </orders>',
    ),
  );
});

test('empty lists leave their surrounding element, and absent values an empty one', () => {
  expect(inside({ senders: { sender: [] }, count: 0, orders: [] })).toBe(
    lines('  <senders></senders>', '  <count>0</count>', '  <orders></orders>'),
  );
  expect(inside({ a: null, b: undefined, c: '' })).toBe(lines('  <a></a>', '  <b></b>', '  <c></c>'));
});

test('field errors are elements named after the field', () => {
  expect(closeXml(closeEnvelope(422, undefined, { 'list.0.type': 'olmaz' }))).toContain(
    lines('  <errors>', '    <list.0.type>olmaz</list.0.type>', '  </errors>'),
  );
});

test('markup in a value is escaped and characters that XML cannot hold are dropped', () => {
  expect(inside({ text: '<b> & ]]> "\'' })).toBe('  <text>&lt;b&gt; &amp; ]]&gt; "\'</text>\n');
  expect(inside({ text: 'a\0\x01\x0b\x1f\ud800b\udc00\ufffe\uffffc\t\n😀' })).toBe('  <text>abc\t\n😀</text>\n');
});

test('any text of a subscriber is read back as written, but for characters that XML cannot hold', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
      const written = inside({ inbox: { text } });
      const read = openXml('text/xml', Buffer.from(`<request>${written}</request>`))['inbox'] as Members;
      expect(read['text']).toBe(text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, ''));
    }),
  );
});
