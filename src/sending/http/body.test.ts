// Bodies of requests to carriers, decoded by independent readers: any text arrives unchanged, and the rest of the body too.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CarrierWithPassword } from '../../carriers/carriers.ts';
import { definitionFaults } from '../../carriers/http/check-definition.ts';
import type { Body, Definition } from '../../carriers/http/definition.ts';
import { presets } from '../../carriers/http/presets.ts';
import { HttpClient } from '../../http-client/http-client.ts';
import { dropUnsendable } from '../../text/convert.ts';
import { httpTemplate } from './template.ts';

const generic = presets['generic']!;

type Seen = { to: string; text: string };
type Place = { body: Body; query?: Record<string, string>; read(body: string, url: URL): Seen };
let client: HttpClient;
let last: { body: string; url: URL };
const server = createServer(async (request, response) => {
  last = { body: await strictText(request), url: new URL(request.url!, 'http://carrier.invalid') };
  response.end();
});

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new HttpClient({ url, allowPrivate: true, agent: { maxSockets: 1 }, timeoutMs: 10_000 });
});
afterAll(() => {
  client.close();
  server.closeAllConnections();
  server.close();
});

/** Throws where it is no UTF-8. */
async function strictText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
}

/** Every element `sms` of the document, in its order. */
function readXml(document: string): Seen[] {
  const seen: Seen[] = [];
  const parser = new SaxesParser();
  let inside = '';
  parser.on('error', error => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes: { to, text = '' } }) => {
    inside = name;
    if (name === 'sms') seen.push({ to: String(to), text: String(text) });
  });
  parser.on('text', text => {
    if (inside === 'text') seen.at(-1)!.text += text;
  });
  parser.on('cdata', () => {
    throw new Error('nothing is written as CDATA');
  });
  parser.write(document).close();
  return seen;
}

const members = { to: '{{to}}', text: '{{text}}' };
const element = { name: 'text', children: ['{{text}}'] };
const formOf = (pairs: URLSearchParams): Seen => ({ to: pairs.get('to')!, text: pairs.get('text')! });
const places: Record<string, Place> = {
  json: { body: { kind: 'json', tree: { sms: [members] } }, read: body => JSON.parse(body).sms[0] },
  form: { body: { kind: 'form', pairs: members }, read: body => formOf(new URLSearchParams(body)) },
  xml: {
    body: { kind: 'xml', root: { name: 'sms', attributes: { to: '{{to}}' }, children: [element] } },
    read: body => readXml(body)[0]!,
  },
  'xml attribute': {
    body: { kind: 'xml', root: { name: 'sms', attributes: members } },
    read: body => readXml(body)[0]!,
  },
  text: {
    body: { kind: 'text', text: '{{to}}\n{{text}}' },
    read: body => ({ to: body.split('\n', 1)[0]!, text: body.slice(body.indexOf('\n') + 1) }),
  },
  query: { body: { kind: 'none' }, query: members, read: (_, url) => formOf(url.searchParams) },
};

// biome-ignore format: a list
const hostile = fc.constantFrom(
  '"', "'", '\\', '\\u0000', '{{to}}', '{{text}}', '{{secret:password}}', '{{', '}}', ']]>', '<![CDATA[', '<!--', '-->', '<?xml',
  '</text>', '&', '&amp;', '&#0;', '%', '%00', '%2', '+', '=', ';', '\n', '\r\n', '\r', '\t', '\0', '\x01', '\x0b', '\x1b', '\x7f', '\x85',
  '\u2028', '\ufeff', '\ufffe', '\uffff', '\ud800', '\udfff', '😀', '\ud83d', 'ğüşıİöç', '$1', '$&', '__proto__',
);
const anyUnit = fc.nat(0xffff).map(unit => String.fromCharCode(unit));
const anyText = fc
  .array(fc.oneof(hostile, anyUnit, fc.string({ unit: 'grapheme', maxLength: 8 })), { minLength: 1, maxLength: 12 })
  .map(parts => `x${parts.join('')}x`);

test.each(Object.entries(places))('any text arrives byte-equal in: %s', async (_, { body, query, read }) => {
  const send = { method: 'POST' as const, path: '/send', body, ...(query ? { query } : {}) };
  const definition: Definition = { ...generic, operatorCode: false, auth: { kind: 'none' }, send };
  expect(definitionFaults(definition)).toEqual([]);
  const secrets = { password: 'gizli-parola' };
  const carrier = { definition, secrets, apiUser: '', callbackUrl: '', validitySeconds: 60 };
  const arrived = async (text: string) => {
    const template = httpTemplate(
      carrier as unknown as CarrierWithPassword,
      { sender: 'PEYK', text, encoding: 'ucs2' },
      '',
    );
    const { failure } = await client.ask(template.encode('905550000000', 1).request(''));
    expect(failure).toBeNull();
    return read(last.body, last.url);
  };
  const whole = fc.asyncProperty(anyText, async given => {
    // Only characters that no message may contain are dropped, so every accepted text arrives unchanged.
    const text = dropUnsendable(given);
    expect(await arrived(given)).toEqual({ to: '905550000000', text });
    expect(await arrived(text)).toEqual({ to: '905550000000', text });
  });
  await fc.assert(whole, { numRuns: 100 });
});

/** Of a request with several: a body that repeats its messages, and what a reader of that kind finds. */
const lists: Record<string, { body: Body; read(body: string): Seen[] }> = {
  json: {
    body: { kind: 'json', tree: { from: '{{from}}', messages: ['{{each}}', members] } },
    read: body => JSON.parse(body).messages,
  },
  xml: {
    body: {
      kind: 'xml',
      root: {
        name: 'batch',
        attributes: { from: '{{from}}' },
        children: [
          {
            name: 'messages',
            children: ['{{each}}', { name: 'sms', attributes: { to: '{{to}}' }, children: [element] }],
          },
        ],
      },
    },
    read: readXml,
  },
};

test.each(Object.entries(lists))(
  'each message of one request arrives byte-equal and in its place in: %s',
  async (_, { body, read }) => {
    const send = { method: 'POST' as const, path: '/send', body };
    const batch = { size: 10 };
    const definition: Definition = {
      ...generic,
      ids: 'ours',
      operatorCode: false,
      auth: { kind: 'none' },
      send,
      batch,
    };
    expect(definitionFaults(definition)).toEqual([]);
    const carrier = { definition, secrets: {}, apiUser: '', callbackUrl: '', validitySeconds: 60 };
    const submitOf = (text: string, i: number) =>
      httpTemplate(carrier as unknown as CarrierWithPassword, { sender: 'PEYK', text, encoding: 'ucs2' }, '').encode(
        `90555000000${i}`,
        i,
      );
    const whole = fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 9 }), async given => {
      const submits = given.map(submitOf);
      expect(new Set(submits.map(one => one.group)).size).toBe(1);
      const { failure } = await client.ask(
        submits[0]!.request(
          '',
          submits.map(one => one.entry),
        ),
      );
      expect(failure).toBeNull();
      expect(read(last.body)).toEqual(given.map((text, i) => ({ to: `90555000000${i}`, text: dropUnsendable(text) })));
    });
    await fc.assert(whole, { numRuns: 30 });
  },
);
