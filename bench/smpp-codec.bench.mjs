// Our SMPP against the npm package `smpp`, both in one run because the machine's speed varies: (1) encode and decode
// of one submit_sm, (2) submit and answer over loopback with a window of 100, each end in its own process. Prints
// rates and the ratio. Takes about 7 seconds. Needs a built dist/ (npm run build).
import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { connect } from '../dist/src/smpp/client.js';
import { decodePdu, encodePdu } from '../dist/src/smpp/codec.js';
import { listen } from '../dist/src/smpp/server.js';
import { submitTemplate } from '../dist/src/smpp/submit-body.js';

const smpp = createRequire(import.meta.url)('smpp');
const text = 'Sayin musterimiz, siparisiniz kargoya verilmistir. Takip icin magazamizi arayabilirsiniz.';
const destination = '905550000000';
const window = 100;
const codecMs = 700;
const warmUpMs = 400;
const sessionMs = 1_400;

if (process.argv[2] === 'server') await serve(process.argv[3]);
else await measure();

async function serve(kind) {
  let ids = 0;
  if (kind === 'ours') {
    const server = await listen({
      port: 0,
      authorise: () => 0,
      onSession: () => ({
        onSubmitAnswer() {},
        onSubmitLost() {},
        onClose() {},
        onRequest: (pdu, session) => session.respond('submit_sm_resp', pdu.sequence, 0, { messageId: `m${++ids}` }),
      }),
    });
    process.send(server.port);
  } else {
    const server = smpp.createServer(session => {
      session.on('error', () => {});
      session.on('bind_transceiver', pdu => session.send(pdu.response()));
      session.on('submit_sm', pdu => session.send(pdu.response({ message_id: `m${++ids}` })));
    });
    server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  }
  process.on('disconnect', () => process.exit());
}

async function measure() {
  const rows = [];
  const row = (name, ours, theirs) => rows.push({ name, ours, theirs, ratio: Number((ours / theirs).toFixed(1)) });
  row('codec: encode + decode submit_sm, per second', codecRate(ourCodec()), codecRate(packageCodec()));
  row('session: submit + answer, window 100, per second', await sessionRate('ours'), await sessionRate('package'));
  for (const { name, ours, theirs, ratio } of rows) {
    console.log(`${name}: ours ${ours.toLocaleString('en')}, smpp ${theirs.toLocaleString('en')}, ratio ${ratio}`);
  }
  const template = submitTemplate(ourFields());
  console.log(
    `submit template, bodies per second: ${codecRate(() => template.encode(destination)).toLocaleString('en')}`,
  );
  console.log(JSON.stringify({ bench: 'smpp', node: process.version, rows }));
}

function ourFields() {
  return {
    sourceAddrTon: 5,
    sourceAddr: 'PEYK',
    destAddrTon: 1,
    destAddrNpi: 1,
    registeredDelivery: 1,
    shortMessage: Buffer.from(text),
  };
}

function packageFields() {
  return {
    source_addr_ton: 5,
    source_addr: 'PEYK',
    dest_addr_ton: 1,
    dest_addr_npi: 1,
    destination_addr: destination,
    registered_delivery: 1,
    short_message: text,
  };
}

function ourCodec() {
  const fields = { ...ourFields(), destinationAddr: destination };
  return () => decodePdu(encodePdu({ command: 'submit_sm', sequence: 1, fields }));
}

function packageCodec() {
  return () => new smpp.PDU(new smpp.PDU('submit_sm', { ...packageFields(), sequence_number: 1 }).toBuffer());
}

function codecRate(once) {
  const until = performance.now() + warmUpMs / 4;
  while (performance.now() < until) once();
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < codecMs) {
    for (let i = 0; i < 100; i++) once();
    count += 100;
  }
  return Math.round((count * 1_000) / (performance.now() - start));
}

async function sessionRate(kind) {
  const child = fork(fileURLToPath(import.meta.url), ['server', kind]);
  const port = await new Promise(resolve => child.once('message', resolve));
  const traffic = kind === 'ours' ? await ourTraffic(port) : await packageTraffic(port);
  const pass = ms => new Promise(resolve => setTimeout(resolve, ms));
  await pass(warmUpMs);
  const before = traffic.answered();
  const start = performance.now();
  await pass(sessionMs);
  const rate = ((traffic.answered() - before) * 1_000) / (performance.now() - start);
  traffic.stop();
  child.disconnect();
  return Math.round(rate);
}

async function ourTraffic(port) {
  const template = submitTemplate(ourFields());
  let answered = 0;
  const fill = () => {
    while (session.submit(template.encode(destination), answered));
  };
  const session = await connect(
    {
      host: '127.0.0.1',
      port,
      bind: 'transceiver',
      systemId: 'bench',
      password: 'bench',
      window,
      responseTimeoutMs: 10_000,
      enquireLinkMs: 10_000,
      connectTimeoutMs: 10_000,
    },
    { onSubmitAnswer: () => answered++, onSubmitLost() {}, onRoom: () => fill(), onRequest() {}, onClose() {} },
  );
  fill();
  return { answered: () => answered, stop: () => session.destroy('measured') };
}

async function packageTraffic(port) {
  let answered = 0;
  let stopped = false;
  const session = smpp.connect({ host: '127.0.0.1', port });
  session.on('error', () => {});
  await new Promise(resolve => session.bind_transceiver({ system_id: 'bench', password: 'bench' }, resolve));
  const again = () => {
    answered++;
    if (!stopped) session.submit_sm(packageFields(), again);
  };
  for (let i = 0; i < window; i++) session.submit_sm(packageFields(), again);
  const stop = () => {
    stopped = true;
    session.destroy();
  };
  return { answered: () => answered, stop };
}
