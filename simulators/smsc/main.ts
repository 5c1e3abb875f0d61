/*
 * The message centre as a program, and as a function for tests. It accepts any password, so it only listens on the loopback
 * address: an open one would be a free relay.
 */
import { existsSync, realpathSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { Centre, type CentreOptions } from './centre.ts';
import { createHttp } from './http.ts';
import type { Phones } from './phones.ts';

const LOOPBACK = '127.0.0.1';
const PORT_USUAL = 2775;
const HTTP_PORT_USUAL = 2780;

export type SmscOptions = {
  port: number;
  httpPort: number;
  host?: '127.0.0.1';
} & Pick<CentreOptions, 'passwords' | 'answerDelayMs' | 'messagesMax'>;

export type Smsc = { port: number; httpPort: number; url: string; phones: Phones; stop(): Promise<void> };

export async function startSmsc(options: SmscOptions): Promise<Smsc> {
  const { port: smppPort, httpPort: wantedHttpPort, host = LOOPBACK, ...others } = options;
  if (host !== LOOPBACK) throw new Error(`the SMSC simulator listens on ${LOOPBACK} only, not on ${host}`);
  const centre = new Centre({ ...others, port: smppPort, host });
  const port = await centre.listen();
  const http = createHttp(centre);
  try {
    await new Promise<void>((resolve, reject) => {
      http.server.once('error', reject);
      http.server.listen(wantedHttpPort, host, resolve);
    });
  } catch (error) {
    await centre.stop();
    throw error;
  }
  const httpPort = (http.server.address() as AddressInfo).port;
  const stop = async (): Promise<void> => {
    await Promise.all([http.stop(), centre.stop()]);
  };
  return { port, httpPort, url: `http://${host}:${httpPort}`, phones: centre.phones, stop };
}

/*
 * By default V8 lets the heap grow to four times its live size: 340 MB with full stores and 120,000 messages a second, against
 * 220 MB with this setting, for a tenth less speed.
 */
const HEAP_GROWTH = '--heap-growing-percent=50';

async function runProgram(): Promise<void> {
  setFlagsFromString(HEAP_GROWTH);
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: String(PORT_USUAL) },
      'http-port': { type: 'string', default: String(HTTP_PORT_USUAL) },
      host: { type: 'string', default: LOOPBACK },
      'answer-delay-ms': { type: 'string', default: '0' },
    },
  });
  const smsc = await startSmsc({
    port: wholeNumber('port', values.port, 65_535),
    httpPort: wholeNumber('http-port', values['http-port'], 65_535),
    host: values.host as '127.0.0.1',
    answerDelayMs: wholeNumber('answer-delay-ms', values['answer-delay-ms'], 600_000),
  });
  const leave = (): void => {
    smsc.stop().finally(() => process.exit(0));
  };
  process.once('SIGTERM', leave);
  process.once('SIGINT', leave);
  if (process.channel) process.once('disconnect', leave);
  const ready = { smpp: `${LOOPBACK}:${smsc.port}`, http: smsc.url };
  process.stdout.write(`smsc ready ${JSON.stringify(ready)}\n`);
  process.send?.(ready);
}

function wholeNumber(name: string, value: string, max: number): number {
  const parsed = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(parsed <= max)) throw new Error(`--${name} is a whole number from 0 to ${max}`);
  return parsed;
}

function isProgram(): boolean {
  const script = process.argv[1];
  return (
    script !== undefined && existsSync(script) && realpathSync(script) === realpathSync(fileURLToPath(import.meta.url))
  );
}

if (isProgram()) {
  runProgram().catch((error: Error) => {
    console.error(`smsc: ${error.message}`);
    process.exit(1);
  });
}
