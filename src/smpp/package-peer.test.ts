// Interoperability with the npm package `smpp`, an independent implementation, in both roles. It has no type declarations, so
// the few members used are declared here.
import { createRequire } from 'node:module';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { connect } from './client.ts';
import { formatReceipt, parseReceipt } from './receipt.ts';
import { listen } from './server.ts';
import type { Session } from './session.ts';
import { clientDefaults, recorder } from './session-pair.ts';
import { submitTemplate } from './submit-body.ts';
import { numberTlv, tlvNumber } from './tlv.ts';

type PackagePdu = {
  command: string;
  command_status: number;
  sequence_number: number;
  destination_addr?: string;
  short_message?: { message: string | Buffer };
  message_id?: string;
  sar_msg_ref_num?: number;
  receipted_message_id?: string;
  response(options?: object): PackagePdu;
};
type PackageSession = {
  on(event: string, listener: (pdu: PackagePdu) => void): void;
  send(pdu: PackagePdu): boolean;
  deliver_sm(options: object, answered: (pdu: PackagePdu) => void): void;
  submit_sm(options: object, answered: (pdu: PackagePdu) => void): void;
  bind_transceiver(options: object, answered: (pdu: PackagePdu) => void): void;
  enquire_link(answered: (pdu: PackagePdu) => void): void;
  unbind(answered: (pdu: PackagePdu) => void): void;
  query_sm(options: object, answered: (pdu: PackagePdu) => void): void;
  destroy(): void;
};
type Package = {
  createServer(onSession: (session: PackageSession) => void): Server;
  connect(options: object, onConnect: () => void): PackageSession;
};
const smpp = createRequire(import.meta.url)('smpp') as Package;

const until = (condition: () => void) => vi.waitFor(condition, { timeout: 90_000, interval: 2 });
const answerOf = (ask: (answered: (pdu: PackagePdu) => void) => void) => new Promise<PackagePdu>(ask);
const closers: Array<() => unknown> = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

test('our client binds to the package, submits, hears receipts, asks and unbinds', async () => {
  const submitted: PackagePdu[] = [];
  const acknowledged: PackagePdu[] = [];
  const server = smpp.createServer(session => {
    session.on('error', () => {});
    session.on('bind_transceiver', pdu => session.send(pdu.response({ system_id: 'package' })));
    session.on('enquire_link', pdu => session.send(pdu.response()));
    session.on('unbind', pdu => session.send(pdu.response()));
    session.on('submit_sm', pdu => {
      submitted.push(pdu);
      session.send(pdu.response({ message_id: `p${submitted.length}` }));
      const receipt = { esm_class: 4, short_message: `id:p${submitted.length} stat:DELIVRD err:000 text:` };
      session.deliver_sm(receipt, answer => acknowledged.push(answer));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()));
  closers.push(() => new Promise(resolve => server.close(resolve)));

  const { heard, handler } = recorder((pdu, session) => session.respond('deliver_sm_resp', pdu.sequence, 0));
  const { port } = server.address() as AddressInfo;
  const client = await connect<number>({ ...clientDefaults, port, window: 50 }, handler);
  const template = submitTemplate(
    { sourceAddrTon: 5, sourceAddr: 'PEYK', destAddrTon: 1, destAddrNpi: 1, shortMessage: Buffer.from('Merhaba') },
    [numberTlv('sar_msg_ref_num', 258, 2)],
  );
  for (let token = 1; token <= 50; token++) client.submit(template.encode(`9055500000${token + 10}`), token);
  await until(() => expect(heard.answers).toHaveLength(50));
  await until(() => expect(acknowledged).toHaveLength(50));
  expect(heard.answers[49]).toEqual([50, 0, 'p50']);
  expect(submitted[0]).toMatchObject({ destination_addr: '905550000011', sar_msg_ref_num: 258 });
  expect(submitted[0]!.short_message!.message).toBe('Merhaba');
  const receipts = heard.requests.map(pdu => (pdu.command === 'deliver_sm' ? parseReceipt(pdu) : null));
  expect(receipts[0]).toMatchObject({ messageId: 'p1', state: 'DELIVRD' });
  expect(await client.request('enquire_link')).toMatchObject({ status: 0 });
  await client.unbind(5_000);
  expect(heard.closed).toEqual(['unbound']);
  expect(heard.errors).toEqual([]);
});

test('the package binds to our server, submits, gets receipts, asks and unbinds', async () => {
  let ours: Session<number> | undefined;
  const { heard, handler } = recorder((pdu, session) => {
    if (pdu.command === 'submit_sm') {
      session.respond('submit_sm_resp', pdu.sequence, 0, { messageId: 'ours' });
      const now = new Date();
      const { fields, tlvs } = formatReceipt({
        messageId: 'ours',
        state: 'DELIVRD',
        submitDate: now,
        doneDate: now,
        withTlvs: true,
      });
      void ours?.request('deliver_sm', { ...fields, sourceAddr: pdu.fields.destinationAddr }, tlvs);
    }
    if (pdu.command === 'query_sm') session.respond('query_sm_resp', pdu.sequence, 0x67);
  });
  const server = await listen<number>({
    port: 0,
    authorise: bind => (bind.password === 'secret' ? 0 : 0x0e),
    onSession: session => {
      ours = session;
      return handler;
    },
  });
  closers.push(() => server.close());

  const delivered: PackagePdu[] = [];
  const session = await new Promise<PackageSession>(resolve => {
    const made = smpp.connect({ host: '127.0.0.1', port: server.port }, () => resolve(made));
  });
  closers.push(() => session.destroy());
  session.on('error', () => {});
  session.on('deliver_sm', pdu => {
    delivered.push(pdu);
    session.send(pdu.response());
  });
  const bound = await answerOf(done => session.bind_transceiver({ system_id: 'esme', password: 'secret' }, done));
  expect(bound.command_status).toBe(0);
  const options = { destination_addr: '905550000000', short_message: 'Merhaba', sar_msg_ref_num: 258 };
  const answer = await answerOf(done => session.submit_sm(options, done));
  expect(answer).toMatchObject({ command_status: 0, message_id: 'ours' });
  expect((await answerOf(done => session.query_sm({ message_id: 'x' }, done))).command_status).toBe(0x67);
  expect((await answerOf(done => session.enquire_link(done))).command_status).toBe(0);
  await until(() => expect(delivered).toMatchObject([{ receipted_message_id: 'ours' }]));
  const [submit] = heard.requests;
  expect(submit).toMatchObject({ command: 'submit_sm', fields: { destinationAddr: '905550000000' } });
  expect(tlvNumber(submit!.tlvs, 'sar_msg_ref_num')).toBe(258);
  expect((await answerOf(done => session.unbind(done))).command_status).toBe(0);
  await until(() => expect(heard.closed).toEqual(['the peer unbound']));
  expect(heard.errors).toEqual([]);
});

test('our server answers the package with invalid password', async () => {
  const server = await listen<number>({ port: 0, authorise: () => 0x0e, onSession: () => recorder().handler });
  closers.push(() => server.close());
  const session = await new Promise<PackageSession>(resolve => {
    const made = smpp.connect({ host: '127.0.0.1', port: server.port }, () => resolve(made));
  });
  closers.push(() => session.destroy());
  session.on('error', () => {});
  const answer = await answerOf(done => session.bind_transceiver({ system_id: 'esme', password: 'x' }, done));
  expect(answer.command_status).toBe(0x0e);
});
