// Values are read by their paths from an XML answer of a carrier; an answer that is not XML has none.
import { expect, test } from 'vitest';
import { readAs } from './read-answer.ts';

const answer = `\ufeff
  <?xml version="1.0" encoding="UTF-8"?>
  <response code="00"><status>OK <b>x</b></status><text><![CDATA[ID: 77-a & more]]></text>
    <item id="1"><state>delivered</state></item><item id="2"><state>failed</state></item></response>`;

test('an XML answer is read by the names of elements and attributes', () => {
  const reading = readAs('xml', answer);
  expect(reading.at('response/@code')).toBe('00');
  expect(reading.at('response/status/b')).toBe('x');
  expect(reading.at('response/text|after:ID:')).toBe('77-a');
  expect(reading.at('response/none')).toBeUndefined();
  expect(reading.at('response/none|word:1')).toBeUndefined();
});

test('the items of an XML answer are read one by one', () => {
  const items = readAs('xml', answer).list('response/item');
  expect(items.map(one => [one.at('@id'), one.at('state')])).toEqual([
    ['1', 'delivered'],
    ['2', 'failed'],
  ]);
});

test.each([
  ['is empty', ''],
  ['ends early', '<a><b>1</b>'],
  ['declares entities', '<!DOCTYPE a [<!ENTITY x "1">]><a><b>&x;</b></a>'],
  ['nests without end', `${'<a>'.repeat(60)}1${'</a>'.repeat(60)}`],
  ['has too many elements', `<a>${'<b>1</b>'.repeat(50_001)}</a>`],
])('an answer that %s has no values', (_why, text) => {
  const reading = readAs('xml', text);
  expect([reading.at('a'), reading.at('a/b'), reading.list('a/b')]).toEqual([undefined, undefined, []]);
});
