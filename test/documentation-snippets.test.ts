// Every command and snippet of the documentation is run or compared with the program's own tables. An unknown kind of fence
// fails. test/journeys/first-sms.test.ts follows docs/start.md and the examples of docs/iys.md against the whole program;
// packages/client has its own readme.test.ts.
import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { operations } from '../src/api/operations.ts';
import { webhooks } from '../src/api/webhook-contract.ts';
import { definitionFaults } from '../src/carriers/http/check-definition.ts';
import { checkerOf } from '../src/contract/check.ts';
import { statusTexts } from '../src/status.ts';
import { toTurkeyTime } from '../src/time/clock.ts';
import { signatureHeader } from '../src/webhooks/signature.ts';
import { breachOf } from './support/customers/contract-check.ts';
import { type TestAccount, testApp } from './support/program/app.ts';
import { temporaryFolder } from './support/run/temporary-folder.ts';
import { npmFault, peykFault, unknownSettings } from './support/sources/documented-commands.ts';
import { type Fence, fencesOf, readPage } from './support/sources/fences.ts';
import { shellCommands } from './support/sources/shell-words.ts';
import { root } from './support/sources/sources.ts';
import { followedPages } from './support/sources/start-page.ts';

const run = promisify(execFile);
const app = await testApp();
afterAll(() => app.close());

const pages = [
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
  ...['README.md', 'ops/README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'packages/n8n-nodes-peyk/README.md'],
];
// Turkish pages show the code of the English ones (test/documentation-site.test.ts).
const fences = pages.filter(file => !file.startsWith('docs/tr/')).flatMap(fencesOf);

const api = 'http://127.0.0.1:8080';
const nobodyHere = /ENOENT|not found/;

async function someone(senders: string[] = []): Promise<TestAccount> {
  return app.open({ brands: [701701], sms: 100, senders });
}

function filled(text: string, { key, hash }: TestAccount): string {
  return text
    .replaceAll(api, app.url)
    .replace(/'\$KEY'|<API_KEY>|API_KEY/g, key)
    .replace(/'\$HASH'|<API_HASH>|API_HASH/g, hash);
}

/** Fences are checked by their language, shell commands by their first word. */
const byLanguage: Record<string, (fence: Fence) => Promise<void> | void> = {
  sh: shell,
  json,
  xml,
  http: getForm,
  ts: signatureInTypeScript,
  python: signatureInPython,
  php: fence =>
    signatureElsewhere(fence, ['hash_hmac(', 'HTTP_X_PEYK_TIMESTAMP', 'HTTP_X_PEYK_SIGNATURE', 'hash_equals(']),
  csharp: fence => signatureElsewhere(fence, ['HMACSHA256.HashData(', 'FixedTimeEquals(']),
  nginx: blocks,
  caddyfile: blocks,
  mermaid: diagram,
};

for (const fence of fences)
  test(`${fence.file}, line ${fence.line}: ${fence.language || 'code without a language'}`, async () => {
    const check = byLanguage[fence.language];
    if (!check) throw new Error(`nothing knows how to check ${fence.language || 'a fence without a language'}`);
    await check(fence);
  });

const byWord: Record<string, (words: string[], fence: Fence) => Promise<void> | void> = {
  peyk: words => expect(peykFault(words.slice(1), true), words.join(' ')).toBeNull(),
  'bin/peyk': words => expect(peykFault(words.slice(1), true), words.join(' ')).toBeNull(),
  npm: words => expect(npmFault(words), words.join(' ')).toBeNull(),
  npx: words => expect(npmFault(words), words.join(' ')).toBeNull(),
  curl,
  // Both are run with the whole fence, below.
  openssl: () => {},
  printf: () => {},
  // An external tool; its argument is the address of our MCP server.
  claude: words => expect(words).toContain('https://sms.example.com/mcp'),
};

async function shell(fence: Fence): Promise<void> {
  for (const words of shellCommands(fence.text)) {
    const names = words.filter(word => /^[A-Z_]+=/.test(word));
    expect(unknownSettings(names.join(' '))).toEqual([]);
    const whole = words.filter(word => !/^[A-Z_]+=/.test(word) && word !== 'export');
    // The next word is the file of the output.
    const command = whole.includes('>') ? whole.slice(0, whole.indexOf('>')) : whole;
    if (command.length === 0) continue;
    const check = byWord[command[0]!];
    if (!check) throw new Error(`nothing knows how to check ${command.join(' ')}`);
    await check(command, fence);
  }
  if (fence.text.startsWith('openssl ')) await certificates(fence);
  if (fence.text.includes(`curl -s ${api}`)) await curls(fence);
}

/** Calls of the interface are made in the order of the fence; those of simulators by their journey. */
function curl(words: string[], { file }: Fence): void {
  if (!words.some(word => word.startsWith(`${api}/`))) expect(followedPages).toContain(file);
}

async function curls(fence: Fence): Promise<void> {
  const isCommercial = fence.text.includes('"iys":"1"');
  const account = await someone(isCommercial ? ['DENEME'] : []);
  const sender = isCommercial ? 'DENEME' : 'APITEST';
  const order = await account.send({ sender, message: { text: 'Önceki', receipents: { number: ['5550000000'] } } });
  const text = filled(fence.text, account).replaceAll('ORDER-FROM-THE-ANSWER', order);
  if (isCommercial) await consentOf(account, '+905550000000');
  const { stdout } = await run('bash', ['-ec', text], { cwd: temporaryFolder() });
  const answers = stdout.split(/(?<=\})(?=\{"response")/).map(one => JSON.parse(one));
  expect(answers.map(one => one.response.status.code)).toEqual(answers.map(() => 200));
  expect(answers).toHaveLength(fence.text.split('curl -s').length - 1);
}

async function consentOf(account: TestAccount, recipient: string): Promise<void> {
  const consentDate = toTurkeyTime(new Date(Date.now() - 60_000));
  const about = { recipientType: 'BIREYSEL', type: 'MESAJ', status: 'ONAY', source: 'HS_WEB', consentDate };
  const consent = { brandCode: 701701, list: [{ recipient, ...about }] };
  expect((await account.call('iys-register', { consent })).code).toBe(200);
}

async function certificates({ text }: Fence): Promise<void> {
  const cwd = temporaryFolder();
  await run('bash', ['-ec', text], { cwd });
  const name = ['-verify_hostname', 'api.iletimerkezi.com'];
  const { stdout } = await run('openssl', ['verify', '-CAfile', 'ca.crt', ...name, 'peyk.crt'], { cwd });
  expect(stdout.trim()).toBe('peyk.crt: OK');
}

function json({ text }: Fence): void {
  const value = JSON.parse(text) as Record<string, Record<string, unknown>>;
  const [kind] = Object.keys(value) as [string];
  if (kind in webhooks) expect(checkerOf(webhooks[kind as keyof typeof webhooks].body)(value)).toBeNull();
  else if (kind === 'mcpServers') for (const one of Object.values(value[kind]!)) assistant(one as Assistant);
  else if (kind === 'request') expect(isEnvelope(value['request']!)).toBe(true);
  else if (kind === 'response') expect(isAnswer(value)).toBe(true);
  // The description of an HTTP carrier.
  else if (kind === 'version') expect(definitionFaults(value)).toEqual([]);
  else throw new Error(`nothing knows what ${kind} is`);
}

/** The bare envelope: credentials and the object of some operation. */
function isEnvelope({ authentication, ...members }: Record<string, unknown>): boolean {
  const known = new Set<string | null | undefined>(operations.map(one => one.needs));
  return (
    Object.keys(authentication as object).join() === 'key,hash' && Object.keys(members).every(one => known.has(one))
  );
}

function isAnswer(value: Record<string, Record<string, unknown>>): boolean {
  const { status, ...members } = value['response'] as { status: { code: 200; message: string } };
  const isBare = Object.values(members).every(one => Object.keys(one as object).length === 0);
  if (isBare) return statusTexts[status.code] === status.message;
  return operations.some(one => breachOf(one.name, status.code, value) === null);
}

type Assistant = { url?: string; command?: string; args?: string[]; env?: Record<string, string> };

function assistant({ url, command, args = [], env = {} }: Assistant): void {
  if (url) return expect(new URL(url).pathname).toBe('/mcp');
  if (command === 'peyk') {
    expect(peykFault(args, true)).toBeNull();
    return expect(Object.keys(env)).toEqual(['PEYK_KEY', 'PEYK_HASH']);
  }
  expect(new URL(env['ILETIMERKEZI_MANIFEST_URL']!).pathname).toBe('/api/manifest.json');
}

const tagsOf = (text: string) => text.match(/<[a-zA-Z]+/g);

/** The request is made; the shown answer has the elements of the real one. */
async function xml({ file, text }: Fence): Promise<void> {
  const [request, answer] = fencesOf(file).filter(one => one.language === 'xml') as [Fence, Fence];
  const body = filled(request.text, await someone());
  const got = await (await fetch(`${app.url}/v1/send-sms`, { method: 'POST', body })).text();
  expect(got).toContain('<code>200</code>');
  expect([request.text, answer.text]).toContain(text);
  expect(tagsOf(got)).toEqual(tagsOf(answer.text));
}

async function getForm({ text }: Fence): Promise<void> {
  const [method, path] = filled(text.trim(), await someone()).split(' ') as [string, string];
  expect((await fetch(app.url + path, { method })).status).toBe(200);
}

const secret = 's3cret';
const now = Math.floor(Date.now() / 1_000);
const body = '{"report":{"body":"ğ"}}';
const good = signatureHeader([secret, 'old'], now, body);
/** The site draws it while it is built; an unknown line throws. */
async function diagram({ text }: Fence): Promise<void> {
  const script = new URL('../scripts/docs-site/diagram.mjs', import.meta.url).href;
  const { parseDiagram } = (await import(script)) as { parseDiagram(text: string): { edges: unknown[] } };
  expect(parseDiagram(text).edges.length).toBeGreaterThan(0);
}

/** Timestamp, signature, body: which are accepted and which are not. */
const calls: [number, string, string, boolean][] = [
  [now, good, body, true],
  [now, good, `${body} `, false],
  [now - 600, signatureHeader([secret], now - 600, body), body, false],
];

async function signatureInTypeScript({ text }: Fence): Promise<void> {
  const path = join(temporaryFolder(), 'check.ts');
  writeFileSync(path, text);
  const { isFromPeyk } = await import(path);
  for (const [time, signature, sent, isGood] of calls)
    expect(isFromPeyk(secret, String(time), signature, Buffer.from(sent))).toBe(isGood);
}

async function signatureInPython({ text }: Fence): Promise<void> {
  const asks = calls.map(
    ([time, signature, sent]) =>
      `print(is_from_peyk("${secret}", "${time}", "${signature}", ${JSON.stringify(sent)}.encode()))`,
  );
  const { stdout } = await run('python3', ['-c', `${text}\n${asks.join('\n')}`]).catch(error => {
    if (nobodyHere.test(String(error.code))) return { stdout: '' };
    throw error;
  });
  if (stdout) expect(stdout.trim().split('\n')).toEqual(['True', 'False', 'False']);
}

/** Languages that this machine may lack: the check only looks for the essential words. */
function signatureElsewhere({ text }: Fence, words: string[]): void {
  for (const word of [...words, 'v1=', '300']) expect(text).toContain(word);
}

/** Proxy configurations: blocks are closed, our listeners are forwarded, and nothing internal is exposed. */
function blocks({ text }: Fence): void {
  expect(text.split('{').length).toBe(text.split('}').length);
  expect(text).toContain('127.0.0.1:8080');
  for (const path of ['health/', 'metrics']) expect(text).toContain(path);
}

test('commands and settings that the text names are those of the program', () => {
  const wrong = pages.flatMap(file => {
    const text = readPage(file).replace(/^```[\s\S]*?^```$/gm, '');
    const named = [...text.matchAll(/`(?:bin\/)?peyk ([a-z][^`]*)`/g)].map(match => match[1]!.replaceAll('\\|', '|'));
    const faults = named.flatMap(one => {
      // A placeholder ends the part that can be checked.
      const [words = []] = shellCommands(one.replace(/ ?[…[{].*$/s, ''));
      const fault = peykFault(words, false);
      return fault ? [`${file}: peyk ${one} ${fault}`] : [];
    });
    return [...faults, ...unknownSettings(readPage(file)).map(name => `${file}: ${name} is no setting`)];
  });
  expect(wrong).toEqual([]);
});
