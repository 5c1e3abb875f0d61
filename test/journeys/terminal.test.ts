// The first minute at a real terminal (a pseudo-terminal of script(1)): a start, a first SMS and Ctrl-C as a person sees them.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/db/version.ts';
import { atEndOfFile } from '../support/run/clear-away.ts';
import { temporaryFolder } from '../support/run/temporary-folder.ts';
import { wait } from '../support/run/wait.ts';

const data = join(temporaryFolder(), 'data');
const peyk = join(projectRoot(), 'bin', 'peyk');
// Node shows no colours where CI is set.
const own = Object.entries(process.env).filter(
  ([name]) => !/^(PEYK_|VITEST|NODE_OPTIONS|DATABASE_URL|NO_COLOR|CI$)/.test(name),
);
const env = {
  ...Object.fromEntries(own),
  TERM: 'xterm',
  PEYK_TEST_BUILT: '1',
  PEYK_DATA: data,
  PEYK_PORT: '0',
  PEYK_SMPP_PORT: '0',
  PEYK_SMSC_PORT: '0',
  PEYK_SMSC_HTTP_PORT: '0',
  PEYK_REGISTRY_PORT: '0',
  PEYK_WORKERS: '1',
};
// Colours and movements of the cursor.
const withoutCodes = (text: string) => text.replace(/\x1b\[[0-9;]*[mK]/g, '').replaceAll('\r\n', '\n');

test('at a terminal a start shows progress and ends with the banner on one screen; the first SMS arrives; Ctrl-C says where the data stay', async () => {
  const first = new Terminal();
  await first.sees('curl -s');
  await first.sees('carrier opened');
  const lines = first.text.split('\n');
  expect(first.text).toContain('database ready');
  expect(first.raw).toMatch(/█+.* \d+\/\d+\r/);
  expect(first.text).not.toContain('migration applied');
  expect(first.text).not.toContain('peyk ready');
  expect(first.text).not.toContain('"level":');
  expect(first.text).toMatch(/\d\d:\d\d:\d\d info {2}dispatch {4}carrier opened {2}carrier=simulator/);
  // The banner ends with the suggested command; the log follows it.
  const begin = lines.findIndex(line => line.includes('● hazır / ready'));
  const banner = lines.slice(begin, lines.findIndex(line => line.includes('curl -s')) + 1);
  expect(begin).toBeGreaterThan(0);
  expect(banner.length).toBeLessThanOrEqual(22);
  const parts = [
    '/panel/',
    'demo@peyk.local',
    '30 günlük trafik',
    'staff@peyk.local',
    '/docs',
    'Telefonlar / phones',
    'peyk send',
  ];
  for (const part of parts) expect(banner.join('\n')).toContain(part);

  const curl = banner.find(line => line.includes('curl -s'))!;
  expect(JSON.parse((await run('sh', '-c', curl)).out).response.status.code).toBe(200);

  const sent = await run(process.execPath, peyk, 'send', '5550000000', 'Merhaba');
  expect(sent.code).toBe(0);
  expect(sent.out).toMatch(
    /accepted .*\n(.* s {2}with carrier {2}simulator\n)?.* s {2}delivered {5}\+905550000000 has it/,
  );
  const failed = await run(process.execPath, peyk, 'send', '5550009001', 'Merhaba', '--json');
  expect(failed.code).toBe(2);
  expect(JSON.parse(failed.out)).toMatchObject({
    state: 'undelivered',
    reason: expect.stringContaining('off'),
    credits: 0,
  });
  const silent = await run(process.execPath, peyk, 'send', '5550009004', 'Merhaba', '--wait', '1', '--json');
  expect({ ...JSON.parse(silent.out), code: silent.code }).toMatchObject({ code: 3, state: 'with-carrier' });
  const refused = await run(process.execPath, peyk, 'send', '12', 'Merhaba');
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('refused with 452') });

  first.press('\x03');
  await first.ended;
  expect(first.text).toContain(`your data stay here: ${data}`);

  const again = new Terminal({ NO_COLOR: '1' });
  await again.sees('peyk send');
  expect(again.text).toContain(`found the data of before: ${data} (2 hesap / accounts`);
  expect(again.text).not.toContain('demo@peyk.local');
  expect(again.raw).not.toMatch(/\x1b\[\d+m/);
  expect(first.raw).toMatch(/\x1b\[32m/);
  again.press('\x03');
  await again.ended;
});

class Terminal {
  raw = '';
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;

  constructor(more: Record<string, string> = {}) {
    this.#child = spawn('script', ['-qefc', `${process.execPath} ${peyk} start`, '/dev/null'], {
      env: { ...env, ...more },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.raw += text;
    });
    this.ended = new Promise(resolve => this.#child.once('exit', () => resolve()));
    atEndOfFile(async () => {
      if (this.#child.exitCode === null) this.press('\x03');
      await this.ended;
    });
  }

  get text(): string {
    return withoutCodes(this.raw);
  }

  sees(words: string): Promise<true> {
    return wait(`"${words}" on the terminal`, () => this.text.includes(words) || undefined);
  }

  press(key: string): void {
    this.#child.stdin!.write(key);
  }
}

function run(file: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise(resolve => {
    const child = execFile(file, args, { env }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}
