// The link of an HTTP carrier alone: messages through it against a peer in another process that answers at once, in CPU of this
// process per message. `dispatch` measures the rest of the program.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { until } from './program.mjs';

const self = fileURLToPath(import.meta.url);
const dist = new URL('../dist/', import.meta.url);
const window = 100;

if (process.argv[2] === 'peer') peer();
else await linkAlone();

/** Answers every request without reading it, so that its own cost is not measured. */
function peer() {
  const body = '{"accepted":true,"id":"b1"}';
  const head = 'HTTP/1.1 202 Accepted\r\ncontent-type: application/json\r\ndate: Mon, 16 Nov 2026 09:00:00 GMT\r\n';
  const answer = Buffer.from(`${head}content-length: ${body.length}\r\n\r\n${body}`);
  const server = createServer(socket => {
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('data', () => socket.write(answer));
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

async function linkAlone() {
  const { HttpLink } = await import(new URL('src/sending/http/http-link.js', dist));
  const { httpTemplate } = await import(new URL('src/sending/http/template.js', dist));
  const { presets } = await import(new URL('src/carriers/http/presets.js', dist));
  const child = spawn(process.execPath, [self, 'peer'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const port = await new Promise(resolve => child.once('message', resolve));
  const carrier = {
    ...{ id: 1, name: 'bench', kind: 'http', preset: 'generic', baseUrl: `http://127.0.0.1:${port}`, apiUser: '' },
    ...{ isPrivate: true, tlsVerify: true, binds: 1, windowSize: window, rate: null, validitySeconds: 86_400 },
    ...{
      answerIdFormat: 'text',
      definition: presets.generic,
      secrets: { password: 'secret' },
      callbackUrl: 'http://x/c',
    },
  };
  const count = 20_000;
  const template = httpTemplate(
    carrier,
    { sender: 'BENCH', text: 'Merhaba, kodunuz 123456', encoding: 'gsm7' },
    'B186',
  );
  let given = 0;
  let answered = 0;
  let target = 0;
  let done;
  const fill = () => {
    while (given < target && link.room(1) > 0)
      if (link.submit(template.encode(String(905_550_000_000 + given), given + 1), given)) given++;
      else break;
  };
  const ended = () => ++answered === target && done();
  const events = {
    onAccepted: ended,
    onRefused: (_, __, verdict, words) => console.log('refused', verdict, words),
    onLateAccepted() {},
    onLost: () => console.log('lost'),
    onRoom: fill,
    onState() {},
    onTrouble() {},
    onRequest() {},
    mayWrite: () => true,
  };
  const locks = { take: async () => true, give: async () => {} };
  const log = { info() {}, warn() {}, error() {}, debug() {} };
  const link = new HttpLink(carrier, 0, { events, locks, log });
  link.start();
  await until(() => link.bound, 5);
  for (const name of ['warm-up', 'link alone']) {
    target += count;
    const began = performance.now();
    const cpu = process.cpuUsage();
    await new Promise(resolve => {
      done = resolve;
      fill();
    });
    const { user, system } = process.cpuUsage(cpu);
    const rate = (count / (performance.now() - began)) * 1_000;
    const us = what => (what / count).toFixed(0);
    console.log(
      `${name}: CPU ${us(user + system)} µs a message (${us(user)} own, ${us(system)} kernel), ${rate.toFixed(0)}/s`,
    );
  }
  await link.stop();
  child.kill();
}
