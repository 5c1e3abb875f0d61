import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bound, type Esme, type PackagePdu, textOf, until } from './independent-esme.ts';
import { type Smsc, startSmsc } from './main.ts';

let smsc: Smsc;
let esme: Esme | undefined;

beforeEach(async () => {
  smsc = await startSmsc({ port: 0, httpPort: 0 });
});
afterEach(async () => {
  esme?.session.destroy();
  esme = undefined;
  await smsc.stop();
});

const post = (path: string, body: string) => fetch(`${smsc.url}${path}`, { method: 'POST', body });

describe('the phones', () => {
  it('GET /messages lists what one phone shows, oldest first, in the published shape', async () => {
    esme = await bound(smsc.port);
    await esme.submit('905550000100', 'ilk B186');
    await esme.submit('905550000100', 'ikinci B186');
    const answer = await fetch(`${smsc.url}/messages?to=905550000100`);
    const messages = (await answer.json()) as { receivedAt: string }[];
    expect(messages).toEqual([
      { from: 'PEYK', to: '905550000100', text: 'ilk B186', parts: 1, receivedAt: messages[0]!.receivedAt },
      { from: 'PEYK', to: '905550000100', text: 'ikinci B186', parts: 1, receivedAt: messages[1]!.receivedAt },
    ]);
    for (const { receivedAt } of messages) expect(new Date(receivedAt).toISOString()).toBe(receivedAt);
  });

  it('GET /messages takes a number with a plus, and an unknown phone shows nothing', async () => {
    esme = await bound(smsc.port);
    await esme.submit('905550000100', 'artili');
    expect(await (await fetch(`${smsc.url}/messages?to=%2B905550000100`)).json()).toHaveLength(1);
    expect(await (await fetch(`${smsc.url}/messages?to=+905550000100`)).json()).toHaveLength(1);
    expect(await (await fetch(`${smsc.url}/messages?to=yok`)).json()).toEqual([]);
  });

  it('GET /messages without a number lists the newest 200 of all', async () => {
    esme = await bound(smsc.port);
    const sender = esme;
    await Promise.all(Array.from({ length: 250 }, (_, n) => sender.submit(`9055500${10_000 + n}`, `cok ${n}`)));
    const messages = (await (await fetch(`${smsc.url}/messages`)).json()) as { text: string }[];
    expect(messages.map(message => message.text)).toEqual(Array.from({ length: 200 }, (_, n) => `cok ${n + 50}`));
  });

  it('GET /events brings what phones receive, live', async () => {
    const stop = new AbortController();
    const feed = await fetch(`${smsc.url}/events`, { signal: stop.signal });
    expect(feed.headers.get('content-type')).toContain('text/event-stream');
    let received = '';
    const reading = (async () => {
      for await (const chunk of feed.body!) received += Buffer.from(chunk).toString();
    })().catch(() => {});
    esme = await bound(smsc.port);
    await esme.submit('905550000101', 'canli');
    await until(() => received.includes('"text":"canli"'));
    stop.abort();
    await reading;
  });

  it('POST /reset forgets messages and counters and keeps connections', async () => {
    esme = await bound(smsc.port);
    await esme.submit('905550000102', 'unutulacak');
    expect(await (await post('/reset', '')).json()).toEqual({ ok: true });
    expect(await (await fetch(`${smsc.url}/messages`)).json()).toEqual([]);
    expect(await (await fetch(`${smsc.url}/stats`)).json()).toMatchObject({ submits: 0, delivered: 0, sessions: 1 });
    expect((await esme.submit('905550000102')).command_status).toBe(0);
  });

  it('GET /stats counts submits, refusals, copies and receipts', async () => {
    esme = await bound(smsc.port);
    const sender = esme;
    await post('/reset', '');
    for (const to of ['905550000103', '905550000103', '905550009002', '905550009007']) await sender.submit(to, 'sayim');
    await until(() => sender.receipts().length === 2);
    const stats = async () => (await (await fetch(`${smsc.url}/stats`)).json()) as Record<string, number>;
    await until(async () => (await stats())['receiptsAcknowledged']! >= 2);
    expect(await stats()).toMatchObject({
      submits: 4,
      accepted: 2,
      refused: 1,
      throttled: 1,
      delivered: 2,
      duplicates: 1,
      receiptsQueued: 0,
      receiptsDropped: 0,
      faults: [],
    });
  });
});

describe('writing back', () => {
  const inbound = (text: string, more: object = {}) =>
    post('/inbound', JSON.stringify({ from: '905550000000', to: '7889', text, ...more }));
  const received = (): PackagePdu[] => esme!.delivered;

  it('a phone’s text arrives as deliver_sm and is answered once it is acknowledged', async () => {
    esme = await bound(smsc.port, 'receiver');
    const answer = await inbound('RET [1]');
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
    expect(received()).toHaveLength(1);
    expect(received()[0]).toMatchObject({
      source_addr: '905550000000',
      destination_addr: '7889',
      esm_class: 0,
      data_coding: 0,
    });
    expect(textOf(received()[0]!)).toBe('RET [1]');
  });

  it('a text outside GSM-7 arrives in UCS-2', async () => {
    esme = await bound(smsc.port);
    await inbound('İPTAL ğış 😀');
    expect(received()[0]!.data_coding).toBe(8);
    expect(textOf(received()[0]!)).toBe('İPTAL ğış 😀');
  });

  it('a long text arrives in numbered parts that join to the same text', async () => {
    esme = await bound(smsc.port);
    const text = `${'uzun [metin] '.repeat(40)}son`;
    await inbound(text);
    const parts = received();
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.map(part => part.esm_class)).toEqual(parts.map(() => 0x40));
    expect(parts.map(part => [...part.short_message!.udh![0]!].slice(-2))).toEqual(
      parts.map((_, index) => [parts.length, index + 1]),
    );
    expect(parts.map(textOf).join('')).toBe(text);
  });

  it('is answered 503 with a reason when nobody is bound, nobody of that system_id, or it is refused', async () => {
    const unbound = await inbound('kimse yok');
    expect([unbound.status, await unbound.json()]).toEqual([503, { error: 'no receiver is bound' }]);
    esme = await bound(smsc.port);
    expect((await inbound('baskasi', { systemId: 'baska' })).status).toBe(503);
    esme.acknowledge = 0x08;
    const refused = await inbound('istemem');
    expect([refused.status, await refused.json()]).toEqual([503, { error: 'not acknowledged (8)' }]);
  });

  it('is answered 503 when the link drops before it is acknowledged', async () => {
    esme = await bound(smsc.port);
    esme.acknowledge = 'no';
    const answer = inbound('yarim kaldi');
    await until(() => received().length === 1);
    esme.session.destroy();
    expect((await answer).status).toBe(503);
  });
});

describe('bad input', () => {
  const bodies = [
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '{"kind":"toString"}',
    '{"kind":"drop","seconds":-1}',
    '{"from":1,"to":{}}',
  ];
  const cases = [
    ...['/fault', '/inbound'].flatMap(path => bodies.map(body => ({ method: 'POST', path, body }))),
    ...['/nothing', '/..%2f..%2fpackage.json', '/fates.ts', '/__proto__', '/messages/'].map(path => ({
      method: 'GET',
      path,
      body: undefined,
    })),
    { method: 'DELETE', path: '/messages', body: undefined },
    { method: 'PUT', path: '/fault', body: '{}' },
  ];

  it.each(cases)('$method $path with $body is refused in JSON', async ({ method, path, body }) => {
    const answer = await fetch(`${smsc.url}${path}`, { method, body: body ?? null });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(Object.keys((await answer.json()) as object)).toEqual(['error']);
  });

  it('a body above 1 MB is refused with 413', async () => {
    expect((await post('/inbound', JSON.stringify({ text: 'x'.repeat(1_100_000) }))).status).toBe(413);
  });

  it('a text that needs more than 255 parts is refused', async () => {
    esme = await bound(smsc.port);
    const body = { from: '905550000000', to: '7889', text: 'x'.repeat(255 * 153 + 1) };
    expect((await post('/inbound', JSON.stringify(body))).status).toBe(400);
  });

  it('octets that are no HTTP are answered in JSON', async () => {
    const socket = connect(smsc.httpPort, '127.0.0.1');
    let received = '';
    socket.on('data', chunk => {
      received += chunk;
    });
    socket.write('\x00\x01 nonsense\r\n\r\n');
    await until(() => received.endsWith('{"error":"bad request"}'));
    socket.destroy();
  });

  it('requests of other sites’ pages and by foreign names are refused with 403', async () => {
    const foreign = await fetch(`${smsc.url}/reset`, { method: 'POST', headers: { origin: 'https://example.com' } });
    expect(foreign.status).toBe(403);
    const socket = connect(smsc.httpPort, '127.0.0.1');
    let received = '';
    socket.on('data', chunk => {
      received += chunk;
    });
    socket.write('GET /messages HTTP/1.1\r\nHost: example.com\r\n\r\n');
    await until(() => received.startsWith('HTTP/1.1 403'));
    socket.destroy();
  });
});

describe('the page', () => {
  it('is served with its files under a policy without inline script or style', async () => {
    const page = await fetch(`${smsc.url}/`);
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
    for (const path of [...html.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(match => match[1]!))
      expect((await fetch(`${smsc.url}/${path}`)).status).toBe(200);
  });

  it('has every word in Turkish and in English', async () => {
    const { WORDS } = (await import(new URL('./page-words.js', import.meta.url).href)) as {
      WORDS: Record<'tr' | 'en', Record<string, string>>;
    };
    const html = await (await fetch(`${smsc.url}/`)).text();
    expect(Object.keys(WORDS.en)).toEqual(Object.keys(WORDS.tr));
    for (const match of html.matchAll(/data-(?:words|label)="(\w+)"/g)) expect(WORDS.tr).toHaveProperty(match[1]!);
  });
});
