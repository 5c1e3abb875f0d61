// A provider of SMS over HTTP, for tests, benches and tries: answers in the shapes of the real ones, with fates by the last four
// digits of the number. `node dist/simulators/http-carrier/main.js --provider netgsm --port 2800`; loopback only.
//   9001 undelivered   9002 refused: number   9003 expired   9004 no receipt   9006 receipt twice   9007 too fast once
//   9008 receipt before the answer   9009 refused: sender   9010 busy twice   9012 trouble with the account
//   9013 an answer of another world   9014 takes it, never answers   9015 takes it, cuts the connection
// GET /__messages, POST /__fault { kind: stall|cut|busy|garbage, seconds }, POST /__inbound { from, to, text }
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { elks, generic, twilio, vonage } from './international.ts';
import type { Call, Login, Post, Provider, Refusal, Reply, Report, ReportState, Result, Submit } from './provider.ts';
import { iletimerkezi, jetsms, mutlucell, netgsm, ttmesaj, verimor } from './turkish.ts';

const providers: Record<string, Provider> = {
  ...{ iletimerkezi, jetsms, mutlucell, netgsm, ttmesaj, verimor },
  ...{ '46elks': elks, twilio, vonage, generic },
};

type Fault = 'stall' | 'cut' | 'busy' | 'garbage';
export type HttpCarrierOptions = {
  provider: string;
  port?: number;
  user?: string;
  password?: string;
  /** Where receipts and inbound messages go if the request does not say. */
  callback?: string;
  receiptAfterMs?: number;
  /** How many receipts a post holds for providers that post lists. */
  together?: number;
};
type Taken = Submit & { id: string };
export type HttpCarrier = {
  url: string;
  taken: Taken[];
  calls: number;
  /** Answers to our posts, newest last. */
  posted: number[];
  /** Received requests, newest last. */
  bodies: string[];
  setCallback(url: string): void;
  setFault(fault: Fault | null): void;
  inbound(from: string, to: string, text: string, times?: number): Promise<number[]>;
  stop(): Promise<void>;
};

const bodyBytesMax = 256 * 1024;
const states: Record<string, ReportState> = { 9001: 'undelivered', 9003: 'expired', 9004: 'waiting' };
const refusals: Record<string, [Refusal, times: number]> = {
  9002: ['number', Number.POSITIVE_INFINITY],
  9007: ['slow', 1],
  9009: ['sender', Number.POSITIVE_INFINITY],
  9010: ['busy', 2],
  9012: ['account', Number.POSITIVE_INFINITY],
};
const endOf = ({ to }: { to: string }) => to.slice(-4);
const otherWorld: Reply = { status: 200, body: '<html><body>Bakım çalışması</body></html>', type: 'text/html' };

class Simulator {
  readonly taken: Taken[] = [];
  readonly reports = new Map<string, Report>();
  readonly posted: number[] = [];
  readonly bodies: string[] = [];
  calls = 0;
  callback: string | undefined;
  fault: Fault | null = null;
  readonly #provider: Provider;
  readonly #login: Login;
  readonly #options: HttpCarrierOptions;
  readonly #tries = new Map<string, number>();
  readonly #seen = new Map<string, Reply>();
  #inbound = 0;
  #due: { report: Report; url: string }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HttpCarrierOptions) {
    const provider = providers[options.provider];
    if (!provider) throw new Error(`no provider ${options.provider}`);
    this.#provider = provider;
    this.#options = options;
    this.#login = { user: options.user ?? 'peyk', password: options.password ?? 'gizli-parola' };
    this.callback = options.callback;
  }

  /** null: no answer at all. */
  async answer(call: Call): Promise<Reply | null> {
    this.calls++;
    const provider = this.#provider;
    const isSubmit = typeof provider.path === 'string' ? call.path === provider.path : provider.path.test(call.path);
    if (!isSubmit) {
      const reply = provider.others?.(call, this.#login, id => this.reports.get(id));
      return reply ?? { status: 404, body: 'no such path' };
    }
    const read = provider.read(call, this.#login);
    if (!read) return provider.refused.account;
    const key = call.headers['idempotency-key'];
    const known = key === undefined ? undefined : this.#seen.get(key);
    if (known) return known;
    return this.#take([read].flat(), key);
  }

  async #take(submits: Submit[], key: string | undefined): Promise<Reply | null> {
    const provider = this.#provider;
    const ends = submits.map(endOf);
    if (this.fault === 'busy') return provider.refused.busy;
    if (this.fault === 'garbage' || ends.includes('9013')) return otherWorld;
    const results: Result[] = submits.map(submit => ({ submit, id: null, refusal: this.#refusalOf(submit) }));
    // Where the provider answers for each message, one that is refused keeps no other back.
    const isOfOne = (refusal: Refusal) => provider.each && (refusal === 'number' || refusal === 'sender');
    const whole = results.find(one => one.refusal && !isOfOne(one.refusal));
    if (whole) return provider.refused[whole.refusal!];
    const reports = results.flatMap(one => (one.refusal ? [] : this.#taken(one)));
    const reply = provider.each?.(results) ?? provider.sent(results[0]!.id!, submits[0]!);
    if (key !== undefined) this.#seen.set(key, reply);
    await this.#report(reports);
    return this.fault || ends.includes('9014') || ends.includes('9015') ? null : reply;
  }

  #refusalOf(submit: Submit): Refusal | null {
    const [refusal, times] = refusals[endOf(submit)] ?? [null, 0];
    const tries = this.#tries.get(submit.to) ?? 0;
    this.#tries.set(submit.to, tries + 1);
    return tries < times ? refusal : null;
  }

  #taken(result: Result): { report: Report; url: string | undefined }[] {
    const { submit } = result;
    const id = this.#provider.newId(this.taken.length + 1);
    result.id = id;
    this.taken.push({ ...submit, id });
    const report = { id, ownId: submit.ownId ?? '', to: submit.to, state: states[endOf(submit)] ?? 'delivered' };
    // Asked for by either name.
    for (const name of [id, submit.ownId]) if (name) this.reports.set(name, report);
    return [{ report, url: submit.callback ?? (this.callback && `${this.callback}/receipts`) }];
  }

  async #report(reports: { report: Report; url: string | undefined }[]): Promise<void> {
    for (const { report, url } of reports) {
      if (!url || report.state === 'waiting') continue;
      const end = endOf(report);
      if (end === '9008') await this.#post([report], url);
      else for (let i = end === '9006' ? 0 : 1; i < 2; i++) this.#plan(report, url);
    }
  }

  #plan(report: Report, url: string): void {
    this.#due.push({ report, url });
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#send(this.#due.splice(0));
    }, this.#options.receiptAfterMs ?? 30);
  }

  async #send(due: { report: Report; url: string }[]): Promise<void> {
    const together = this.#options.together ?? 1;
    const posts: Promise<void>[] = [];
    for (let i = 0; i < due.length; i += together) {
      const some = due.slice(i, i + together);
      posts.push(
        this.#post(
          some.map(one => one.report),
          some[0]!.url,
        ),
      );
      if (posts.length % 50 === 0) await Promise.all(posts);
    }
    await Promise.all(posts);
  }

  /** Retried until it is accepted, as real providers do. */
  async #post(reports: Report[], url: string): Promise<void> {
    const post = this.#provider.push?.(reports, url, this.#login);
    for (let tries = 0; post && tries < 100; tries++) {
      if ((await this.send(post, url)) < 300) return;
      await new Promise(resolve => setTimeout(resolve, 200));
    }
  }

  /** `times`: sent this often at once, like providers that repeat a post that was not answered soon enough. */
  async inbound(from: string, to: string, text: string, times = 1): Promise<number[]> {
    const url = `${this.callback}/inbound`;
    const post = this.#provider.inbound?.({ id: ++this.#inbound, from, to, text }, url, this.#login);
    return post ? Promise.all(Array.from({ length: times }, () => this.send(post, url))) : [];
  }

  async send({ body, type, headers }: Post, url: string): Promise<number> {
    const status = await fetch(url, { method: 'POST', body, headers: { 'content-type': type, ...headers } }).then(
      async answer => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => 599,
    );
    this.posted.push(status);
    return status;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

export async function startHttpCarrier(options: HttpCarrierOptions): Promise<HttpCarrier> {
  const simulator = new Simulator(options);
  const server = createServer((request, response) => void receive(simulator, request, response));
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: simulator.taken,
    posted: simulator.posted,
    bodies: simulator.bodies,
    get calls() {
      return simulator.calls;
    },
    setCallback(url) {
      simulator.callback = url;
    },
    setFault(fault) {
      simulator.fault = fault;
    },
    inbound: (from, to, text, times) => simulator.inbound(from, to, text, times),
    stop: () =>
      new Promise(resolve => {
        simulator.stop();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(simulator: Simulator, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > bodyBytesMax) return void request.destroy();
    chunks.push(chunk as Buffer);
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://simulator.invalid');
  const body = Buffer.concat(chunks).toString('utf8');
  const call = { method: request.method ?? '', path: pathname, query: searchParams, body };
  const headers = request.headers as Record<string, string>;
  if (!pathname.startsWith('/__')) simulator.bodies.push(body);
  try {
    const reply = pathname.startsWith('/__')
      ? await control(simulator, call.path, body)
      : await simulator.answer({ ...call, headers });
    if (reply)
      return void response.writeHead(reply.status, { 'content-type': reply.type ?? 'text/plain' }).end(reply.body);
    if (simulator.fault === 'cut' || simulator.taken.at(-1)?.to.endsWith('9015')) request.socket.destroy();
  } catch (error) {
    response.writeHead(400).end((error as Error).message);
  }
}

async function control(simulator: Simulator, path: string, body: string): Promise<Reply> {
  const done = { status: 200, body: '{}', type: 'application/json' };
  if (path === '/__messages') return { ...done, body: JSON.stringify(simulator.taken) };
  if (path === '/__fault') {
    const { kind, seconds } = JSON.parse(body) as { kind: Fault; seconds: number };
    simulator.fault = kind;
    setTimeout(() => {
      simulator.fault = null;
    }, seconds * 1_000).unref();
    return done;
  }
  if (path !== '/__inbound') return { status: 404, body: 'no such control' };
  const { from, to, text } = JSON.parse(body) as { from: string; to: string; text: string };
  return { ...done, body: JSON.stringify({ answered: await simulator.inbound(from, to, text) }) };
}

async function run(): Promise<void> {
  const { parseArgs } = await import('node:util');
  const { values } = parseArgs({
    options: {
      provider: { type: 'string', default: 'generic' },
      port: { type: 'string', default: '2800' },
      user: { type: 'string' },
      password: { type: 'string' },
      callback: { type: 'string' },
    },
  });
  const { port, ...others } = values;
  const carrier = await startHttpCarrier({ ...others, port: Number(port) });
  console.log(`http-carrier ready ${JSON.stringify({ url: carrier.url })}`);
  const end = () => carrier.stop().then(() => process.exit(0));
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  run().catch((error: Error) => {
    console.error(error.message);
    process.exit(1);
  });
}
