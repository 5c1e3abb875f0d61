import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';
import type { Members } from './envelope.ts';
import { openXml } from './xml.ts';

function open(document: string | Buffer, contentType: string | undefined = 'text/xml'): Members {
  // A copy with ordinary prototypes, for comparison.
  return structuredClone(openXml(contentType, Buffer.from(document as string)));
}

function openInside(inside: string): Members {
  return open(`<request>${inside}</request>`);
}

function expect400(document: string | Buffer, contentType?: string): void {
  let thrown: unknown;
  try {
    open(document, contentType);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(Refusal);
  expect((thrown as Refusal).code).toBe(400);
}

test('a request becomes the object that JSON would give, repeated elements becoming arrays', () => {
  const request = openInside(`
    <authentication><key>k</key><hash>h</hash></authentication>
    <order>
      <sender>PEYK</sender>
      <sendDateTime></sendDateTime>
      <message><text><![CDATA[Bir & iki]]></text><receipents><number>1</number><number>2</number></receipents></message>
      <message><text>&#220;&#xe7; &lt;b&gt;</text><receipents><number>3</number></receipents></message>
    </order>`);
  expect(request).toEqual({
    authentication: { key: 'k', hash: 'h' },
    order: {
      sender: 'PEYK',
      sendDateTime: '',
      message: [
        { text: 'Bir & iki', receipents: { number: ['1', '2'] } },
        { text: 'Üç <b>', receipents: { number: '3' } },
      ],
    },
  });
});

test('layout around values is dropped, but text, sender, key and hash count to the letter', () => {
  expect(openInside('<a>\n 1\n</a><text> x\n</text><sender> P</sender><key>k </key><hash>\th</hash>')).toEqual({
    a: '1',
    text: ' x\n',
    sender: ' P',
    key: 'k ',
    hash: '\th',
  });
});

test('blanks beside a CDATA section are layout, words beside it are part of the value', () => {
  expect(openInside('<text>\n  <![CDATA[ Merhaba ]]>\n</text>')).toEqual({ text: ' Merhaba ' });
  expect(openInside('<text>a <![CDATA[<b>]]> c</text>')).toEqual({ text: 'a <b> c' });
  expect(openInside('<text><![CDATA[a]]><![CDATA[b]]></text>')).toEqual({ text: 'ab' });
});

test('an empty element is an empty string, whatever way it is written', () => {
  expect(openInside('<a/><b></b><c><!-- nothing --></c><d><![CDATA[]]></d>')).toEqual({ a: '', b: '', c: '', d: '' });
});

test('attributes, comments and processing instructions change nothing', () => {
  const document =
    '<?xml version="1.0"?><?x y?><!-- a --><request xmlns="urn:x" v="1"><a b="c">1</a></request><!-- z -->';
  expect(open(document)).toEqual({ a: '1' });
});

test('blank lines and a byte order mark before the declaration are accepted', () => {
  for (const before of ['\n', ' \r\n\t', '\uFEFF', '\uFEFF\n'])
    expect(open(`${before}<?xml version="1.0" encoding="UTF-8"?><request><a>ş</a></request>`)).toEqual({ a: 'ş' });
});

test('Turkish letters in iso-8859-9 arrive whole when the document or the header names the encoding', () => {
  const bytes = (start: string) => Buffer.from(`${start}<request><text>\xfe\xf0\xdd</text></request>`, 'latin1');
  const declared = bytes('<?xml version="1.0" encoding="ISO-8859-9"?>');
  expect(open(declared)).toEqual({ text: 'şğİ' });
  expect(open(bytes(''), 'text/xml; charset=windows-1254')).toEqual({ text: 'şğİ' });
});

test('UTF-8 under another name is read as what it is', () => {
  expect(open('<?xml version="1.0" encoding="iso-8859-9"?><request><text>şğİ</text></request>')).toEqual({
    text: 'şğİ',
  });
});

test('letters that are neither UTF-8 nor of a named encoding are refused with 400', () => {
  for (const start of ['', '<?xml version="1.0" encoding="UTF-8"?>', '<?xml version="1.0" encoding="nosuch"?>'])
    expect400(Buffer.from(`${start}<request><text>\xfe</text></request>`, 'latin1'));
});

test('a DOCTYPE, declared entities and unknown entities are refused with 400', () => {
  for (const document of [
    '<!DOCTYPE request><request><a>1</a></request>',
    '<!DOCTYPE request SYSTEM "file:///etc/hostname"><request><a>1</a></request>',
    '<!DOCTYPE request [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><request><a>&b;</a></request>',
    '<!DOCTYPE request [<!ENTITY x SYSTEM "http://127.0.0.1:1/">]><request><a>&x;</a></request>',
    '<request><a>&nbsp;</a></request>',
    '<request><a>&__proto__;</a></request>',
    '<request><a b="&x;">1</a></request>',
    '<request><a>&#0;</a></request>',
  ])
    expect400(document);
});

test('what is no well-formed <request> document is refused with 400', () => {
  for (const document of [
    '',
    ' ',
    'Merhaba',
    '{"request":{}}',
    '<response/>',
    '<Request/>',
    '<request>',
    '<request><a></request>',
    '<request><a>1</b></request>',
    '<request/><request/>',
    '<request/>x',
    '<request><a>Bir & iki</a></request>',
    '<request><a>\x01</a></request>',
    '<request><a b=1>1</a></request>',
    '<request><![CDATA[</request>',
    'a\0<request/>',
  ])
    expect400(document);
});

test('every beginning of a good document is refused with 400', () => {
  const document = '<?xml version="1.0"?><request><a b="c">&amp;1</a><text><![CDATA[x]]></text><!-- y --></request>';
  for (let length = 0; length < document.length; length++) expect400(document.slice(0, length));
  expect(open(document)).toEqual({ a: '&1', text: 'x' });
});

test('nesting deeper than any operation needs is refused with 400', () => {
  const nested = (depth: number) => `<request>${'<a>'.repeat(depth)}1${'</a>'.repeat(depth)}</request>`;
  expect(() => open(nested(limits.jsonDepth))).not.toThrow();
  expect400(nested(limits.jsonDepth + 1));
  expect400(nested(100_000));
});

test('a document of nothing but tags or attributes is refused with 400', () => {
  expect400(`<request>${'<a/>'.repeat(500_000)}</request>`);
  expect400(`<request ${Array.from({ length: 1_001 }, (_, i) => `a${i}=""`).join(' ')}/>`);
});

test('a DOCTYPE or comment without end before the root is refused with 400', () => {
  expect400(`<!DOCTYPE request [${'<!-- x -->'.repeat(100_000)}`);
  expect400(`${'<!-- x -->'.repeat(100_000)}<request/>`);
});

test('names of built-in members are names like any other', () => {
  const request = openXml('text/xml', Buffer.from('<request><__proto__><a>1</a></__proto__><constructor/></request>'));
  expect(Object.keys(request)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(request)).toBeNull();
  expect(({} as Members)['a']).toBeUndefined();
});

test('fifty thousand recipients arrive in the order given', () => {
  const numbers = Array.from({ length: limits.recipientsPerOrder }, (_, i) => String(5_550_000_000 + i));
  const document = `<request><order><number>${numbers.join('</number>\n  <number>')}</number></order></request>`;
  expect((open(document)['order'] as Members)['number']).toEqual(numbers);
});

test('consent records are an array, as repeated lists, as elements of one list, and when there is only one', () => {
  const list = (inside: string) => (openInside(`<consent>${inside}</consent>`)['consent'] as Members)['list'];
  expect(list('<list><type>a</type></list>')).toEqual([{ type: 'a' }]);
  expect(list('<list><type>a</type></list><list><type>b</type></list>')).toEqual([{ type: 'a' }, { type: 'b' }]);
  expect(list('<list><consent><type>a</type></consent></list>')).toEqual([{ type: 'a' }]);
  expect(list('<list><item><type>a</type></item><item><type>b</type></item></list>')).toEqual([
    { type: 'a' },
    { type: 'b' },
  ]);
  expect(list('<list/>')).toEqual([]);
  expect(list('<list>x</list>')).toEqual(['x']);
});
