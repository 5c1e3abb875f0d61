// Exports spans to a collector: OTLP over HTTP in its JSON form, gathered and posted once a second. Spans that a collector does
// not take are dropped, because traces must never delay the traced work.
import { once } from 'node:events';
import plain from 'node:http';
import secure from 'node:https';
import { finished } from 'node:stream/promises';
import type { Log } from '../log.ts';

/** Times in ms since 1970. */
export type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string | undefined;
  name: string;
  kind: 'server' | 'client' | 'consumer';
  startMs: number;
  endMs: number;
  attributes: Record<string, string | number>;
  error?: string | undefined;
};

export type ExporterOptions = {
  /** Address of the collector, without /v1/traces. */
  endpoint: string;
  /** `name=value,name=value` */
  headers: string;
  resource: Record<string, string | number>;
  log: Log;
};

const postMs = 1_000;
const answerMaxMs = 5_000;
const waitingMax = 4_096;
const kinds = { server: 2, client: 3, consumer: 5 } as const;

export class Exporter {
  readonly #options: ExporterOptions;
  #waiting: Span[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #posting: Promise<void> | undefined;

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  add(span: Span): void {
    if (this.#waiting.length >= waitingMax) return void this.#dropped++;
    this.#waiting.push(span);
    this.#timer ??= setTimeout(() => void this.#round(), postMs).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#posting;
    await this.#round();
  }

  async #round(): Promise<void> {
    this.#posting ??= this.#post(this.#waiting.splice(0)).finally(() => {
      this.#posting = undefined;
      this.#timer = undefined;
      if (this.#waiting.length > 0) this.#timer = setTimeout(() => void this.#round(), postMs).unref();
    });
    await this.#posting;
  }

  async #post(spans: Span[]): Promise<void> {
    if (spans.length === 0) return;
    const { endpoint, headers, log } = this.#options;
    try {
      const url = new URL(`${endpoint.replace(/\/+$/, '')}/v1/traces`);
      await post(url, headersOf(headers), JSON.stringify(this.#body(spans)));
      if (this.#dropped > 0) log.warn({ dropped: this.#dropped }, 'more spans than could be exported');
      this.#dropped = 0;
    } catch (error) {
      log.warn({ error: (error as Error).message, spans: spans.length }, 'spans not exported to the collector');
    }
  }

  #body(spans: Span[]): object {
    const resource = { attributes: attributesOf(this.#options.resource) };
    return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'peyk' }, spans: spans.map(show) }] }] };
  }
}

// Not fetch, which costs 20 MB in every process that uses it once.
async function post(url: URL, headers: Record<string, string>, body: string): Promise<void> {
  const ask = url.protocol === 'https:' ? secure.request : plain.request;
  const request = ask(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(answerMaxMs),
  });
  // An error after the answer's head belongs to the answer.
  request.on('error', () => {});
  request.end(body);
  const [answer] = (await once(request, 'response')) as [plain.IncomingMessage];
  // Handled after the head, too: a collector that dies midway must fail this post, not the process.
  await finished(answer.resume());
  const status = answer.statusCode!;
  if (status >= 300) throw new Error(`the trace collector answered ${status}`);
}

function show({ kind, startMs, endMs, attributes, error, parentSpanId, ...ids }: Span): object {
  return {
    ...ids,
    ...(parentSpanId ? { parentSpanId } : {}),
    kind: kinds[kind],
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(Math.max(startMs, endMs)),
    attributes: attributesOf(attributes),
    status: error === undefined ? {} : { code: 2, message: error },
  };
}

/** As a text: larger than a number can hold exactly. */
function nanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n);
}

function attributesOf(given: Record<string, string | number>): object[] {
  return Object.entries(given).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(Math.round(value)) } : { stringValue: value },
  }));
}

function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').map(one => one.split(/=(.*)/s, 2).map(part => part.trim()));
  return Object.fromEntries(
    pairs.filter(([name, value]) => name && value).map(([name, value]) => [name, decode(value!)]),
  );
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
