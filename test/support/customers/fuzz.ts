// Random bytes at every port of a running program, for a while, from a seed: HTTP (the interface, XML, the registry's posts,
// MCP, the panel), SMPP in both roles (customers that bind here, a carrier that the program binds to), and the simulators.
import { connect, createServer, type Server, type Socket } from 'node:net';
import fc from 'fast-check';
import { peakMegabytes } from '../program/processes.ts';
import type { Program } from '../program/program.ts';

/** `bytes`: what is written, in pieces; the peer may close at any of them. */
type Target = { name: string; port: number; bytes: fc.Arbitrary<Buffer[]> };
/** How many inputs each port got. */
type Fuzzed = Record<string, number>;

const answerMaxMs = 200;
const grownMaxMb = 250;
const atOnce = 8;

const raw = fc.array(
  fc.uint8Array({ maxLength: 300 }).map(one => Buffer.from(one)),
  { minLength: 1, maxLength: 3 },
);

const operations =
  'send-sms cancel-order get-report get-reports get-balance get-blacklist add-blacklist consent/create get-inbox';
const paths = [
  ...operations.split(' ').flatMap(name => [`/v1/${name}/json`, `/v1/${name}`]),
  '/v1/send-sms/get/',
  '/registry/push',
  '/mcp',
  '/panel/api/session.sign-in',
  '/carriers/x/receipts',
  '/',
];
const awkward = fc.oneof(
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.object({ maxDepth: 4 }).map(one => JSON.stringify({ request: one })),
  fc
    .json()
    .map(
      one => `{"request":{"authentication":{"key":"a","hash":"b"},"order":${one},"filter":${one},"consent":${one}}}`,
    ),
  fc.string().map(one => `<request><authentication><key>${one}</key></authentication></request>`),
);

/** Nearly HTTP: sometimes the length is wrong, a header is invalid, or the rest never comes. */
const http: fc.Arbitrary<Buffer[]> = fc
  .record({
    method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT', 'BREW'),
    path: fc.oneof(fc.constantFrom(...paths), fc.webPath(), fc.string()),
    type: fc.constantFrom('application/json', 'text/xml', 'application/x-www-form-urlencoded', 'x'),
    body: awkward,
    wrongBy: fc.constantFrom(0, 0, 0, 0, -1, 1, 1_000_000),
    header: fc.oneof(fc.constant('X-A: b'), fc.string()),
    cut: fc.nat(2_000),
  })
  .map(({ method, path, type, body, wrongBy, header, cut }) => {
    const length = Math.max(0, Buffer.byteLength(body) + wrongBy);
    const head = `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${header}\r\n\r\n`;
    const all = Buffer.from(head + body);
    return [all.subarray(0, cut), all.subarray(cut)];
  });

const commands = [
  0x01, 0x02, 0x04, 0x05, 0x06, 0x09, 0x15, 0x21, 0x0b, 0x03, 0x07, 0x08, 0x102, 0x103, 0x80000000, 0x80000004,
];
const known = fc.constantFrom(...commands, ...commands.map(one => (one | 0x80000000) >>> 0), 0x7fff);

/** A PDU with a valid header most of the time, followed by anything. */
const pdu = fc
  .record({
    command: known,
    status: fc.constantFrom(0, 0, 8, 0x58, 0xffffffff),
    sequence: fc.constantFrom(1, 2, 3, 0, 0x7fffffff, 0xffffffff),
    body: fc.oneof(
      fc.uint8Array({ maxLength: 120 }).map(one => Buffer.from(one)),
      fc
        .array(fc.constantFrom('', 'peyk', 'x'.repeat(20), '905550000001'), { maxLength: 6 })
        .map(words => Buffer.from(`${words.join('\0')}\0`)),
    ),
    wrongBy: fc.constantFrom(0, 0, 0, 0, 0, 0, -1, 3, 70_000),
  })
  .map(({ command, status, sequence, body, wrongBy }) => {
    const head = Buffer.alloc(16);
    head.writeUInt32BE(Math.max(0, 16 + body.length + wrongBy), 0);
    head.writeUInt32BE(command, 4);
    head.writeUInt32BE(status, 8);
    head.writeUInt32BE(sequence, 12);
    return Buffer.concat([head, body]);
  });
const smpp = fc.oneof(fc.array(pdu, { minLength: 1, maxLength: 5 }), raw);

/** `login`: a PDU that binds, so that the following bytes are read as a customer's. */
export async function fuzz(program: Program, seconds: number, seed: number, login: Buffer): Promise<Fuzzed> {
  const { api, smpp: listener, smsc, smscHttp, registry } = program.ready;
  const portOf = (place: string) => Number(/:(\d+)\D*$/.exec(place)![1]);
  const bound = smpp.map(pdus => [login, ...pdus]);
  const targets: Target[] = [
    { name: 'http', port: portOf(api), bytes: fc.oneof({ arbitrary: http, weight: 4 }, raw) },
    ...(listener ? [{ name: 'smpp server', port: portOf(listener), bytes: fc.oneof(smpp, bound) }] : []),
    ...(smsc ? [{ name: 'simulated carrier', port: portOf(smsc), bytes: smpp }] : []),
    ...(smscHttp ? [{ name: 'its page', port: portOf(smscHttp), bytes: http }] : []),
    ...(registry ? [{ name: 'simulated registry', port: portOf(registry), bytes: http }] : []),
  ];
  const spoken: Fuzzed = {};
  const until = performance.now() + seconds * 1_000;
  const speakOn = async ({ name, port, bytes }: Target) => {
    for (let round = 0; performance.now() < until; round++) {
      const all = fc.sample(bytes, { seed: seed + round, numRuns: atOnce });
      await Promise.all(
        all.map((pieces, i) => speak(port, pieces, pieces[0] === login ? '127.0.0.1' : somewhere(round, i))),
      );
      spoken[name] = (spoken[name] ?? 0) + atOnce;
    }
  };
  await Promise.all(targets.map(speakOn));
  return spoken;
}

/** Failed binds block their address, so each comes from another address if the system has several. */
function somewhere(round: number, i: number): string {
  return process.platform === 'linux' ? `127.${1 + i}.${(round >> 8) & 255}.${round & 255}` : '127.0.0.1';
}

/** Writes everything, and waits until the peer answers, closes, or waits for more. */
function speak(port: number, pieces: Buffer[], localAddress: string): Promise<void> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    const done = () => {
      socket.destroy();
      resolve();
    };
    socket.setTimeout(answerMaxMs, done);
    socket.on('error', done).on('close', done);
    socket.once('data', done);
    for (const piece of pieces) socket.write(piece);
  });
}

/** What must hold after fuzzing: the same processes, little more memory, no unexpected errors in the log. */
export class ProgramHealth {
  readonly #program: Program;
  readonly #lines: number;
  readonly #memory: { pid: number; role: string; mb: number }[];

  constructor(program: Program) {
    this.#program = program;
    this.#lines = program.log.length;
    this.#memory = program.processes().map(one => ({ ...one, mb: peakMegabytes(one.pid) }));
  }

  complaints(): string[] {
    const living = new Set(this.#program.processes().map(one => one.pid));
    const gone = this.#memory.filter(one => !living.has(one.pid)).map(one => `${one.role} ended`);
    const grown = this.#memory
      .filter(one => living.has(one.pid) && peakMegabytes(one.pid) - one.mb > grownMaxMb)
      .map(one => `${one.role} grew by more than ${grownMaxMb} MB`);
    return [...gone, ...grown, ...this.#program.log.slice(this.#lines).filter(line => /"level":[56]0/.test(line))];
  }
}

/** A carrier that accepts every bind and then sends anything. */
export class MadCarrier {
  said = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(seed: number) {
    const words = fc.sample(smpp, { seed, numRuns: 500 });
    this.#server = createServer(socket => {
      this.#sockets.add(socket);
      socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
      socket.on('data', request => {
        if (request.length >= 16) socket.write(bindAnswer(request));
        for (const piece of words[this.said++ % words.length]!) socket.write(piece);
      });
    });
  }

  start(): Promise<number> {
    return new Promise(resolve =>
      this.#server.listen(0, '127.0.0.1', () => resolve((this.#server.address() as { port: number }).port)),
    );
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** "Accepted", with the command and the number of the request. */
function bindAnswer(request: Buffer): Buffer {
  const answer = Buffer.concat([request.subarray(0, 16), Buffer.from('mad\0')]);
  answer.writeUInt32BE(answer.length, 0);
  answer.writeUInt32BE((request.readUInt32BE(4) | 0x80000000) >>> 0, 4);
  answer.writeUInt32BE(0, 8);
  return answer;
}

/** bind_transceiver as a customer sends it. */
export function loginOf(systemId: string, password: string): Buffer {
  const body = Buffer.concat([Buffer.from(`${systemId}\0${password}\0\0`), Buffer.from([0x34, 0, 0, 0])]);
  const head = Buffer.alloc(16);
  head.writeUInt32BE(16 + body.length, 0);
  head.writeUInt32BE(0x09, 4);
  head.writeUInt32BE(1, 12);
  return Buffer.concat([head, body]);
}
