// docs/api.md, docs/configuration.md, docs/cli.md and docs/architecture.md agree with the tables in src/, row by row; and tests
// cover every code that an operation may answer.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fieldsOf } from '../src/api/fields.ts';
import { commonCodes, operations } from '../src/api/operations.ts';
import { webhooks } from '../src/api/webhook-contract.ts';
import { commands } from '../src/cli/execute.ts';
import { consentSources } from '../src/consent/record.ts';
import { tasks } from '../src/processes/tasks.ts';
import { settings } from '../src/settings/config.ts';
import { statusTexts } from '../src/status.ts';
import { webhookEvents } from '../src/webhooks/events.ts';
import { arrows, domain, leaves } from './support/sources/arrows.ts';
import { writes } from './support/sources/table-writes.ts';

const root = new URL('..', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const [api, configuration, cli] = ['docs/api.md', 'docs/configuration.md', 'docs/cli.md'].map(read) as [
  string,
  string,
  string,
];

/** The cells of the table with this heading, without marks of code and links; undefined if there is none. */
function table(page: string, ...head: string[]): string[][] | undefined {
  const lines = page.split('\n');
  const start = lines.indexOf(`| ${head.join(' | ')} |`);
  if (start < 0) return undefined;
  const rows: string[][] = [];
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith('|')) break;
    rows.push(
      line
        .slice(2, -2)
        .split(/(?<!\\) \| /)
        .map(plain),
    );
  }
  return rows;
}

function plain(cell: string): string {
  return cell
    .replaceAll('\\|', '|')
    .replaceAll('`', '')
    .replace(/^\[(.*)\]\(.*\)$/, '$1');
}

function section(name: string): string {
  const start = api.indexOf(`\n### ${name}\n`);
  if (start < 0) return '';
  const end = api.slice(start + 1).search(/\n##/);
  return api.slice(start, end < 0 ? undefined : start + 1 + end);
}

test('both pages on webhooks list the members of a report and name every event', () => {
  const members = Object.keys(webhooks.report.body.properties.report.properties);
  for (const [path, ...head] of [
    ['docs/webhooks.md', 'member', 'meaning'],
    ['docs/tr/webhooks.md', 'üye', 'anlamı'],
  ] as const) {
    const page = read(path);
    expect(
      table(page, ...head)?.map(([name]) => name),
      path,
    ).toEqual(members);
    for (const event of webhookEvents) expect(page, path).toContain(`\`${event}\``);
  }
});

test('docs/api.md lists exactly the operations, with path, object and result', () => {
  expect(table(api, 'operation', 'path', 'object', 'answers with')).toEqual(
    operations.map(one => [
      one.name,
      [one.path, ...(one.aliases ?? [])].map(path => `/v1/${path}/json`).join(', '),
      one.needs ?? '–',
      one.result ?? 'status only',
    ]),
  );
  const headings = [...api.matchAll(/^### (.*)$/gm)].map(match => match[1]);
  expect(headings).toEqual(operations.map(one => one.name));
});

for (const one of operations)
  test(`docs/api.md shows the fields and codes of ${one.name}`, () => {
    const fields = Object.entries(fieldsOf(one));
    const shown = table(section(one.name), 'field', 'value');
    expect(shown).toEqual(fields.length ? fields.map(([name, { en }]) => [name, plain(en)]) : undefined);
    expect(section(one.name)).toContain(`\nCodes: ${one.codes.join(', ') || 'none of its own'}.\n`);
  });

test('docs/api.md lists exactly the codes and their texts, the codes of all, and the sources of consent', () => {
  expect(table(api, 'code', 'text')).toEqual(Object.entries(statusTexts));
  const all = commonCodes.map(String);
  expect(api).toContain(`may answer ${all.slice(0, -1).join(', ')} and ${all.at(-1)};`);
  const sources = /^Sources: ([^.]*)\.$/m.exec(section('iys-register'))?.[1];
  expect(sources?.split(/,\s/)).toEqual(consentSources);
});

test('docs/configuration.md lists exactly the settings, their defaults and meanings', () => {
  // Values that depend on the machine are described in words.
  const words: Record<string, string> = { PEYK_DATA: './data', PEYK_WORKERS: 'cores' };
  const shown = (value: unknown) =>
    value === null ? 'off' : typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value) || '–';
  expect(table(configuration, 'setting', 'default', 'meaning')).toEqual(
    Object.entries(settings).map(([name, one]) => [name, words[name] ?? shown(one.fallback({})), one.help]),
  );
});

test('docs/cli.md lists exactly the commands, their flags and what they do', () => {
  expect(table(cli, 'command', 'flags', 'what it does')).toEqual(
    commands.map(one => [
      [one.words, ...one.args].join(' '),
      Object.entries(one.flags ?? {})
        .map(([flag, help]) => `--${flag} ${help}`)
        .join('<br>') || '–',
      one.help,
    ]),
  );
});

test('the Turkish pages name the same operations, fields, codes, settings and commands', () => {
  const firsts = (page: string, ...heads: string[][]) =>
    heads.flatMap(head => (table(page, ...head) ?? [['missing table', head.join(', ')]]).map(row => row[0]));
  const inTurkish = (name: string) => read(`docs/tr/${name}.md`);
  const fieldNames = (page: string) => [...page.matchAll(/^\| `([A-Za-z[\].]+)` \|/gm)].map(match => match[1]);
  const face = inTurkish('interface');
  expect(firsts(face, ['işlem', 'yol', 'nesne', 'yanıt'])).toEqual(operations.map(one => one.name));
  expect(fieldNames(face)).toEqual(fieldNames(api));
  expect(table(face, 'kod', 'metin')).toEqual(Object.entries(statusTexts));
  expect(firsts(inTurkish('configuration'), ['ayar', 'varsayılan', 'anlamı'])).toEqual(Object.keys(settings));
  expect(table(inTurkish('cli'), 'komut', 'bayraklar', 'ne yapar')!.map(row => row.slice(0, 2))).toEqual(
    commands.map(one => [
      [one.words, ...one.args].join(' '),
      Object.keys(one.flags ?? {})
        .map(flag => `--${flag}`)
        .join(' ') || '–',
    ]),
  );
});

test('docs/architecture.md lists exactly the background tasks, who does them and how often', () => {
  expect(table(read('docs/architecture.md'), 'task', 'role', 'every')).toEqual(
    tasks.map(one => [one.name, one.role, one.everyMs === null ? 'always' : `${one.everyMs / 1_000} s`]),
  );
});

test('docs/architecture.md maps every folder of src, with what it may import', () => {
  const rows = table(read('docs/architecture.md'), 'folder', 'contents', 'may import')!;
  const namesOf = (cell: string) => cell.replace(/\([^)]*\)/g, '').split(/[ ,]+/);
  const shown = new Map(
    rows.flatMap(([cell, , imports]) => namesOf(cell!).map(name => [name.replace(/^src\//, ''), imports!])),
  );
  const isFolder = (name: string) => !name.includes('.');
  const folders = readdirSync(new URL('src/', root)).filter(isFolder);
  expect(folders.filter(name => !shown.has(name))).toEqual([]);
  const expected = (name: string) => {
    if (leaves.includes(name) || (name !== 'smpp' && arrows[name]?.length === 0)) return '–';
    const others = (arrows[name] ?? []).filter(one => !domain.includes(one));
    const hasDomain = domain.every(one => arrows[name]?.includes(one));
    return hasDomain ? [...others, 'domain'].join(', ') : arrows[name]?.join(', ');
  };
  // Two rows are sentences: the folders of the domain differ, and src/smpp imports nothing of ours.
  const listed = folders.filter(name => !/as listed|nothing of ours/.test(shown.get(name)!));
  expect(Object.fromEntries(listed.map(name => [name, shown.get(name)]))).toEqual(
    Object.fromEntries(listed.map(name => [name, expected(name)])),
  );
});

test('docs/architecture.md names the tables that the folders of the way of an SMS write', () => {
  const rows = table(read('docs/architecture.md'), 'folder', 'entrance', 'steps', 'tables that it writes')!;
  const written = (folder: string) =>
    new Set(writes.filter(one => one.writer === folder && !one.path.includes('-fixture')).map(one => one.table));
  for (const [folder, , , tables] of rows)
    expect(tables!.split(', ').sort(), folder).toEqual([...written(folder!)].sort());
});

test('a decision record is one page with context, decision and consequences', () => {
  const folder = new URL('docs/decisions/', root);
  const records = readdirSync(folder).map(name => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));
  const isPage = (text: string) => text.length <= 6_000 && text.split('\n').length <= 60;
  const parts = ['**Context.**', '**Decision.**', '**Consequences.**'];
  expect(records.filter(({ text }) => !isPage(text) || parts.some(part => !text.includes(part)))).toEqual([]);
});

test('every code that an operation may answer has a test named after it', () => {
  const folder = new URL('src/api/', root);
  const tests = readdirSync(folder)
    .filter(name => name.endsWith('.test.ts'))
    .map(name => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  const covered = new Set(
    [...tests.matchAll(/test\(\s*['`"]([a-z-]+|\$\{name\}) answers (\d{3})\b/g)].map(
      match => `${match[1]} ${match[2]}`,
    ),
  );
  const missing = operations.flatMap(({ name, codes }) => [
    ...codes.filter(code => !covered.has(`${name} ${code}`)).map(code => `${name} ${code}`),
    // The common ones are tested in a loop over the table.
    ...commonCodes.filter(code => !covered.has(`\${name} ${code}`)).map(code => `every operation ${code}`),
  ]);
  expect(missing).toEqual([]);
});

test('every code of the status table is one that some operation may answer', () => {
  const answered = new Set([...commonCodes, ...operations.flatMap(one => one.codes)].map(String));
  expect(Object.keys(statusTexts).filter(code => !answered.has(code))).toEqual([]);
});

test('links between the pages of the documentation lead somewhere', () => {
  const pages = ['README.md', ...readdirSync(new URL('docs/', root), { recursive: true }).map(name => `docs/${name}`)];
  const broken = pages
    .filter(name => name.endsWith('.md'))
    .flatMap(name =>
      [...read(name).matchAll(/\]\((?!https?:|#|mailto:|\/docs\/api)([^)#\s]+)/g)]
        .map(match => new URL(match[1]!, new URL(name, root)))
        .filter(target => !isThere(target))
        .map(target => `${name}: ${target.pathname.slice(root.pathname.length)}`),
    );
  expect(broken).toEqual([]);
});

function isThere(target: URL): boolean {
  try {
    readFileSync(target);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR';
  }
}
