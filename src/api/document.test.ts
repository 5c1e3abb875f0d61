import { expect, test } from 'vitest';
import { Refusal } from '../status.ts';
import { findDocument, kindOf } from './document.ts';

const document = '<?xml version="1.0" encoding="UTF-8"?>\n<request><text>a+b=%41 &amp; ş</text></request>';
const json = '{"request":{"text":"a+b=%41 & ş"}}';

function multipart(name: string, content: string, boundary = '----x7'): string {
  const part = (field: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\nContent-Type: text/plain\r\n\r\n${value}\r\n`;
  return `${part('a', '1')}${part(name, content)}--${boundary}--\r\n`;
}

const wrappings: Record<string, (content: string) => string> = {
  'as itself': one => one,
  'after blank lines and a byte order mark': one => `\n\uFEFF ${one}`,
  'in a field, not encoded': one => `data=${one}`,
  'in a field': one => `data=${encodeURIComponent(one)}`,
  'in a field among others': one => new URLSearchParams({ a: '1', data: one, z: '2' }).toString(),
  'encoded without a name': one => encodeURIComponent(one),
  'encoded by a library that took it for a name': one => `${encodeURIComponent(one)}=`,
  'encoded after an empty name': one => `=${new URLSearchParams({ x: one }).toString().slice(2)}`,
  'in a part of a multipart form': one => multipart('data', one),
};

for (const [name, wrap] of Object.entries(wrappings))
  test(`a document is found ${name}`, () => {
    for (const one of [document, json]) {
      const found = findDocument(Buffer.from(wrap(one)));
      expect(found.toString('utf8').replace(/^\s+/, '')).toBe(one);
      expect(kindOf(found)).toBe(one === json ? 'json' : 'xml');
    }
  });

test('octets of another encoding are found as they are', () => {
  const bytes = Buffer.from('<?xml version="1.0" encoding="ISO-8859-9"?><request>\xfe\xf0\xdd</request>', 'latin1');
  const encoded = bytes.toString('hex').replace(/../g, '%$&');
  expect(findDocument(Buffer.from(`data=${encoded}`))).toEqual(bytes);
  expect(findDocument(Buffer.from(multipart('data', bytes.toString('latin1')), 'latin1'))).toEqual(bytes);
});

test('a body without a document is itself, and of no kind', () => {
  const bodies = ['', ' ', 'x=1', `xml=${encodeURIComponent(document)}`, 'data=', '[1]', '--', '--\r\n', '--x\r\n\r\n'];
  for (const body of [...bodies, multipart('xml', document), multipart('data', document).slice(0, -12)])
    expect(kindOf(findDocument(Buffer.from(body)))).toBe(null);
});

test('a document given twice is refused with 400', () => {
  expect(() => findDocument(Buffer.from('data=%3Ca&data=%3Cb'))).toThrow(new Refusal(400));
  const twice = multipart('data', document).replace('name="a"', 'name="data"');
  expect(() => findDocument(Buffer.from(twice))).toThrow(new Refusal(400));
});
