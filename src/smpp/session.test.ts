// How a session behaves towards its owner: window, lost and late answers, pauses, ends. Real sockets on loopback.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { SmppError } from './pdu-error.ts';
import { rawPair, sessionPair } from './session-pair.ts';
import { submitTemplate } from './submit-body.ts';

const body = submitTemplate({ sourceAddr: 'PEYK', shortMessage: Buffer.from('Merhaba') }).encode('905550000000');
const until = (condition: () => void) => vi.waitFor(condition, { timeout: 90_000, interval: 2 });
const closers: Array<() => Promise<void>> = [];

async function pair(...args: Parameters<typeof sessionPair>) {
  const made = await sessionPair(...args);
  closers.push(made.close);
  return made;
}

async function raw(...args: Parameters<typeof rawPair>) {
  const made = await rawPair(...args);
  closers.push(made.close);
  return made;
}

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('answers', () => {
  test("a submit is answered with the peer's status and message id", async () => {
    const { client, clientHeard } = await pair({
      onSubmit: (pdu, session) => {
        const refused = pdu.sequence === 3;
        session.respond('submit_sm_resp', pdu.sequence, refused ? 0x58 : 0, refused ? undefined : { messageId: 'm7' });
      },
    });
    expect(client.submit(body, 41)).toBe(true);
    expect(client.submit(body, 42)).toBe(true);
    await until(() => expect(clientHeard.answers).toHaveLength(2));
    expect(clientHeard.answers).toEqual([
      [41, 0, 'm7'],
      [42, 0x58, ''],
    ]);
    expect(client.pendingCount()).toBe(0);
  });

  test('answers in any order find their submits', async () => {
    const { client, clientHeard, server, serverHeard } = await pair();
    for (let token = 0; token < 5; token++) client.submit(body, token);
    await until(() => expect(serverHeard.requests).toHaveLength(5));
    for (const pdu of serverHeard.requests.toReversed()) {
      server.respond('submit_sm_resp', pdu.sequence, 0, { messageId: `s${pdu.sequence}` });
    }
    await until(() => expect(clientHeard.answers).toHaveLength(5));
    expect(clientHeard.answers.map(([token]) => token)).toEqual([4, 3, 2, 1, 0]);
  });

  test('a generic_nack is the answer to its submit', async () => {
    const { client, heard, peer } = await raw();
    client.submit(body, 1);
    await until(() => expect(peer.frames).toHaveLength(1));
    peer.send('00000010 80000000 00000008 00000002');
    await until(() => expect(heard.answers).toEqual([[1, 8, '']]));
  });

  test('an answer nobody waits for is counted and dropped', async () => {
    const { client, heard, peer } = await raw();
    peer.send('00000010 80000004 00000000 00000077');
    await until(() => expect(client.counts.unexpectedAnswers).toBe(1));
    expect(heard).toMatchObject({ answers: [], errors: [], closed: [] });
  });

  test('an answer of another kind does not settle a submit', async () => {
    const { client, heard, peer } = await raw();
    client.submit(body, 1);
    await until(() => expect(peer.frames).toHaveLength(1));
    peer.send('00000010 80000015 00000000 00000002');
    await until(() => expect(client.counts.unexpectedAnswers).toBe(1));
    expect(heard.answers).toEqual([]);
    expect(client.pendingCount()).toBe(1);
  });

  test('a message id over 64 octets and without NUL is taken as it stands', async () => {
    const { client, heard, peer } = await raw();
    client.submit(body, 1);
    await until(() => expect(peer.frames).toHaveLength(1));
    peer.send(`00000060 80000004 00000000 00000002 ${'61'.repeat(80)}`);
    await until(() => expect(heard.answers).toEqual([[1, 0, 'a'.repeat(80)]]));
  });

  test('the SMSC side delivers and hears the answer', async () => {
    const { server, serverHeard, clientHeard } = await pair({
      onDeliver: (pdu, session) => session.respond('deliver_sm_resp', pdu.sequence, 0),
    });
    expect(server.submit(body, 8)).toBe(false);
    expect(server.deliver(body, 9)).toBe(true);
    await until(() => expect(serverHeard.answers).toEqual([[9, 0, '']]));
    expect(clientHeard.requests[0]).toMatchObject({ command: 'deliver_sm', fields: { sourceAddr: 'PEYK' } });
  });

  test('request resolves with the answer, and a nack shows as the answer with its status', async () => {
    const { client, peer } = await raw();
    const query = client.request('query_sm', { messageId: 'ab12' });
    const cancel = client.request('cancel_sm', { messageId: 'ab12' });
    await until(() => expect(peer.frames).toHaveLength(2));
    peer.send('00000018 80000003 00000000 00000002 61 62 31 32 00 00 02 00');
    peer.send('00000010 80000000 00000011 00000003');
    expect((await query).fields).toEqual({ messageId: 'ab12', finalDate: '', messageState: 2, errorCode: 0 });
    expect(await cancel).toMatchObject({ command: 'cancel_sm_resp', status: 0x11 });
  });

  test('an answer that cannot be decoded rejects its request and the session goes on', async () => {
    const { client, heard, peer } = await raw();
    const query = client.request('query_sm', { messageId: 'ab12' });
    await until(() => expect(peer.frames).toHaveLength(1));
    peer.send(`00000070 80000003 00000000 00000002 ${'61'.repeat(96)}`);
    await expect(query).rejects.toMatchObject({ reason: 'answer' });
    expect(heard.errors).toHaveLength(1);
    expect(client.state).toBe('bound_trx');
  });
});

describe('window', () => {
  test('a full window refuses submits and requests until an answer frees a place', async () => {
    const { client, clientHeard, server, serverHeard } = await pair({ window: 3 });
    for (const token of [1, 2, 3]) expect(client.submit(body, token)).toBe(true);
    expect(client.room()).toBe(0);
    expect(client.submit(body, 4)).toBe(false);
    await expect(client.request('query_sm', { messageId: 'x' })).rejects.toMatchObject({ reason: 'window' });
    await until(() => expect(serverHeard.requests).toHaveLength(3));
    server.respond('submit_sm_resp', serverHeard.requests[1]!.sequence, 0, { messageId: 'm' });
    await until(() => expect(clientHeard.rooms).toBe(1));
    expect(client.room()).toBe(1);
    expect(client.submit(body, 5)).toBe(true);
    expect(client.pendingCount()).toBe(3);
  });

  test('room is announced once for all answers of a chunk', async () => {
    const { client, heard, peer } = await raw();
    for (let token = 0; token < 10; token++) client.submit(body, token);
    await until(() => expect(peer.frames).toHaveLength(10));
    peer.send(peer.frames.map(frame => `00000010 80000004 00000000 ${frame.toString('hex', 12, 16)}`).join('\n'));
    await until(() => expect(heard.answers).toHaveLength(10));
    expect(heard.rooms).toBe(1);
  });

  test('a peer that does not read closes the window until the socket has drained', async () => {
    const { client, heard, peer } = await raw({ window: 1_000_000 });
    peer.socket().pause();
    const big = submitTemplate({ shortMessage: Buffer.alloc(250) }).encode('905550000000');
    let sent = 0;
    await until(() => {
      while (client.submit(big, sent)) if (++sent % 100 === 0) break;
      expect(client.room()).toBe(0);
    });
    expect(client.pendingCount()).toBeLessThan(1_000_000);
    peer.socket().resume();
    await until(() => expect(heard.rooms).toBeGreaterThan(0));
    expect(client.room()).toBeGreaterThan(0);
    await until(() => expect(peer.frames).toHaveLength(sent));
  });

  test('a peer that asks on and on but never reads the answers is closed', async () => {
    const { heard, peer } = await raw();
    peer.socket().pause();
    const flood = Buffer.alloc(16 * 4_096);
    for (let at = 0; at < flood.length; at += 16) flood.write('00000010000000150000000000000001', at, 'hex');
    const pour = () => {
      if (heard.closed.length === 0 && peer.socket().writable) peer.socket().write(flood, pour);
    };
    pour();
    await until(() => expect(heard.closed).toEqual(['the peer left too many answers unread']));
  });
});

describe('lost answers', () => {
  test('an answer that does not come in time is lost, and a late one still reaches its token', async () => {
    const { client, clientHeard, server, serverHeard } = await pair({ responseTimeoutMs: 40, window: 2 });
    client.submit(body, 1);
    client.submit(body, 2);
    await until(() => expect(clientHeard.lost).toHaveLength(2));
    expect(clientHeard.lost).toEqual([
      [1, 'timeout'],
      [2, 'timeout'],
    ]);
    expect(client.room()).toBe(2);
    expect(clientHeard.rooms).toBeGreaterThan(0);
    server.respond('submit_sm_resp', serverHeard.requests[0]!.sequence, 0, { messageId: 'late' });
    await until(() => expect(clientHeard.late).toEqual([[1, 0, 'late']]));
    expect(clientHeard.answers).toEqual([]);
  });

  test('a request that gets no answer in time rejects', async () => {
    const { client } = await pair({ responseTimeoutMs: 40 });
    await expect(client.request('query_sm', { messageId: 'x' })).rejects.toMatchObject({ reason: 'timeout' });
  });

  test('a dropped link fails everything pending at once and then closes once', async () => {
    const { client, heard, peer } = await raw();
    for (let token = 0; token < 9; token++) client.submit(body, token);
    const query = client.request('query_sm', { messageId: 'x' });
    await until(() => expect(peer.frames).toHaveLength(10));
    peer.socket().destroy();
    await expect(query).rejects.toMatchObject({ reason: 'closed' });
    expect(heard.lost).toEqual(Array.from({ length: 9 }, (_, token) => [token, 'closed']));
    expect(heard.closed).toHaveLength(1);
    expect(client.state).toBe('closed');
    expect(client.pendingCount()).toBe(0);
  });

  test('a request that never reached the socket is lost as unwritten, one that may have left as closed', async () => {
    const { client, heard, peer } = await raw();
    client.submit(body, 1);
    client.submit(body, 2);
    await until(() => expect(peer.frames).toHaveLength(2));
    client.submit(body, 3);
    client.respond('enquire_link_resp', 70, 0);
    client.destroy('enough');
    expect(heard.lost).toEqual([
      [1, 'closed'],
      [2, 'closed'],
      [3, 'unwritten'],
    ]);
  });

  test('submits that were collected when writing became forbidden end the session unwritten; answers go on', async () => {
    const { client, heard, peer } = await raw();
    client.submit(body, 1);
    await until(() => expect(peer.frames).toHaveLength(1));
    heard.mayWrite = false;
    client.respond('enquire_link_resp', 70, 0);
    await until(() => expect(peer.frames).toHaveLength(2));
    expect(client.state).not.toBe('closed');
    client.submit(body, 2);
    await until(() => expect(heard.closed).toHaveLength(1));
    expect(peer.frames).toHaveLength(2);
    expect(heard.lost).toEqual([
      [1, 'closed'],
      [2, 'unwritten'],
    ]);
  });

  test('destroy has failed everything when it returns', async () => {
    const { client, clientHeard } = await pair();
    client.submit(body, 1);
    client.destroy('enough');
    expect(clientHeard.lost).toEqual([[1, 'unwritten']]);
    expect(clientHeard.closed).toEqual(['enough']);
    expect(client.submit(body, 2)).toBe(false);
    await expect(client.request('query_sm')).rejects.toBeInstanceOf(SmppError);
  });
});

describe('life signs', () => {
  test('a silent peer is asked, and closed when it does not answer', async () => {
    // Time enough for the question to leave, even if the whole process was paused for a while.
    const { client, heard, peer } = await raw({ enquireLinkMs: 20, responseTimeoutMs: 500 });
    client.submit(body, 1);
    await until(() => expect(heard.closed).toEqual(['enquire_link was not answered']));
    expect(peer.frames.filter(frame => frame.readUInt32BE(4) === 0x15)).toHaveLength(1);
    expect(heard.lost).toHaveLength(1);
  });

  test('a peer that answers is asked again and again, and stays', async () => {
    const { client, clientHeard } = await pair({ enquireLinkMs: 10, responseTimeoutMs: 2_000 });
    const { client: other, heard, peer } = await raw({ enquireLinkMs: 10, responseTimeoutMs: 2_000 });
    // By its frames: the first question may have arrived before a listener was attached.
    let answered = 0;
    await until(() => {
      for (; answered < peer.frames.length; answered++)
        peer.send(`00000010 80000015 00000000 ${peer.frames[answered]!.toString('hex', 12, 16)}`);
      expect(answered).toBeGreaterThan(3);
    });
    expect([client.state, other.state]).toEqual(['bound_trx', 'bound_trx']);
    expect([clientHeard.closed, heard.closed]).toEqual([[], []]);
  });

  test("the peer's enquire_link is answered without the owner", async () => {
    const { heard, peer } = await raw();
    peer.send('00000010 00000015 00000000 00000009');
    await until(() => expect(peer.frames).toHaveLength(1));
    expect(peer.frames[0]!.toString('hex')).toBe('00000010800000150000000000000009');
    expect(heard.requests).toEqual([]);
  });
});

describe('pausing', () => {
  const deliver = (sequence: number) =>
    `00000021 00000005 00000000 ${sequence.toString(16).padStart(8, '0')} ${'00'.repeat(17)}`;
  const ten = Array.from({ length: 10 }, (_, i) => deliver(i + 1)).join('\n');

  test('a pause from within the handler stops in the middle of a chunk', async () => {
    const { client, heard, peer } = await raw({
      onDeliver: (pdu, session) => {
        if (pdu.sequence === 3) session.pauseReading();
      },
    });
    peer.send(ten);
    await until(() => expect(heard.requests).toHaveLength(3));
    client.resumeReading();
    expect(heard.requests).toHaveLength(3);
    await until(() => expect(heard.requests.map(pdu => pdu.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
  });

  test('waiting times stand still while nothing is read', async () => {
    const { client, heard, peer } = await raw({ responseTimeoutMs: 30 });
    const { client: other, heard: otherHeard } = await raw({ responseTimeoutMs: 30 });
    client.submit(body, 1);
    client.pauseReading();
    await until(() => expect(peer.frames).toHaveLength(1));
    // A session that does read gives up three times in a row meanwhile.
    for (const rounds of [1, 2, 3]) {
      other.submit(body, rounds);
      await until(() => expect(otherHeard.lost).toHaveLength(rounds));
    }
    peer.send('00000012 80000004 00000000 00000002 6d 00');
    expect(heard.lost).toEqual([]);
    client.resumeReading();
    await until(() => expect(heard.answers).toEqual([[1, 0, 'm']]));
    expect(heard.lost).toEqual([]);
  });
});

describe('ends', () => {
  test('unbind takes no more submits, waits for pending answers, then closes', async () => {
    const { client, clientHeard, server, serverHeard } = await pair();
    client.submit(body, 1);
    const unbound = client.unbind(5_000);
    expect(client.state).toBe('unbinding');
    expect(client.submit(body, 2)).toBe(false);
    await until(() => expect(serverHeard.requests).toHaveLength(1));
    server.respond('submit_sm_resp', serverHeard.requests[0]!.sequence, 0, { messageId: 'm' });
    await unbound;
    expect(clientHeard.answers).toEqual([[1, 0, 'm']]);
    expect(clientHeard.closed).toEqual(['unbound']);
    await until(() => expect(serverHeard.closed).toEqual(['the peer unbound']));
  });

  test('unbind gives up on a peer that never answers, and reports what was pending', async () => {
    const { client, heard } = await raw();
    client.submit(body, 1);
    await client.unbind(30);
    expect(heard.lost).toEqual([[1, 'closed']]);
    expect(heard.closed).toEqual(['unbind timed out']);
  });

  test('unbinding twice waits for the same end', async () => {
    const { client, clientHeard } = await pair();
    await Promise.all([client.unbind(5_000), client.unbind(5_000)]);
    await client.unbind(1);
    expect(clientHeard.closed).toEqual(['unbound']);
  });
});
