// Viewer and sender open every page: what a page reads without being asked must be theirs to read, and what it offers to
// do must stand behind a button that knows the role. Read from the sources, against the table of the contract.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type OperationName, operations } from '../../src/panel-api/contract/contract.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(name => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
  .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const staffOnly = /^pages\/staff\//;

type Use = { path: string; name: OperationName; after: string; text: string };

function usesOf(pattern: RegExp): Use[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(match => ({
      path,
      text,
      name: match[1] as OperationName,
      after: text.slice(match.index, text.indexOf('\n  const ', match.index + 1)),
    })),
  );
}

const reads = usesOf(/\buse(?:Read|List)\(\s*'([\w.]+)'/g);
const buttonCalls = usesOf(/\b(?:useChange|call)\(\s*'([\w.]+)'/g);

test('every page reads only what a viewer may read, or asks for the role first', () => {
  expect(reads.length).toBeGreaterThan(40);
  const wrong = reads.filter(({ path, name, after }) => {
    const { role } = operations[name];
    if (role === 'staff') return !staffOnly.test(path) && !/enabled: .*me\.user\.staff/.test(after);
    return (role === 'sender' || role === 'owner') && !/enabled: may(Own|Send)\b/.test(after);
  });
  expect(wrong.map(one => `${one.path}: ${one.name}`)).toEqual([]);
});

// Dialogs and steps that only a button with the role opens.
const openers: Record<string, string> = {
  'pages/blacklist/blacklist-add.tsx': 'pages/blacklist/blacklist.tsx',
  'pages/blacklist/blacklist-import.ts': 'pages/blacklist/blacklist-add.tsx',
  'pages/settings/user-invite.tsx': 'pages/settings/users.tsx',
  'pages/consents/consent-add.tsx': 'pages/consents/consents.tsx',
  'pages/send/use-submit.ts': 'pages/send/sum-panel.tsx',
  // Shown only to those who may send.
  'pages/send/draft-list.tsx': 'pages/send/sum-panel.tsx',
};

test('every operation of a sender or an owner stands behind a button that names the role', () => {
  expect(buttonCalls.length).toBeGreaterThan(40);
  const wrong = buttonCalls.filter(({ path, name, text }) => {
    const { role } = operations[name];
    if (role !== 'sender' && role !== 'owner') return false;
    const opener = openers[path] ? (files.find(file => file.path === openers[path])?.text ?? '') : text;
    return !opener.includes(`need="${role}"`) && !opener.includes(`t.roles.needs(t.roles.${role})`);
  });
  expect(wrong.map(one => `${one.path}: ${one.name}`)).toEqual([]);
});
