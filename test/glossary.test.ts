// Retired words stay out of names, comments, messages and documentation: each has a word of the field in its place.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './support/sources/sources.ts';

/** Retired word → what to write instead. */
const retired: Record<string, string> = {
  ballast: 'reserve, padding',
  blame: 'cause',
  blames: 'names the cause',
  books: 'ledger',
  deed: 'action',
  deeds: 'actions',
  desk: 'matcher, handler, queue',
  door: 'endpoint, listener, server, proxy',
  doors: 'endpoints, listeners, servers',
  furnish: 'prepare',
  furnished: 'prepared',
  handed: 'forwarded, submitted, passed',
  hooked: 'subscribed',
  mend: 'fix, correct',
  mended: 'fixed, corrected',
  owed: 'pending',
  owes: 'is pending',
  refurnish: 're-create',
  ripen: 'persist',
  told: 'notified, published, reported, exported',
  vouch: 'verify',
  whoever: 'the process, the caller, a user who',
  wish: 'request, options, settings',
  wished: 'requested, chosen',
  wishes: 'requests',
  witness: 'record, observer',
  witnesses: 'records, observers',
};

/** Words that only the panel and the documentation use, for numbers that people read. */
const retiredInProgram: Record<string, string> = { ...retired, figures: 'metrics, counts, results' };
const isForPeople = /^(panel|docs)\/|\.md$/;

const roots = [
  'bench',
  'bin',
  'docs',
  'ops',
  'packages',
  'panel/e2e',
  'panel/src',
  'scripts',
  'simulators',
  'src',
  'test',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
];

/** Turkish has its own words, and this file lists the English ones. */
const exempt = ['docs/tr/', 'panel/src/text/tr/', 'test/glossary.test.ts'];

/** Parts of the text that keep a retired word, with the reason. */
const kept = [
  /low_balance_told|told_at|\btold: string|\bone\.told\b/g, // Columns of tables and of a function of 0.2.0.
  /join\(root, 'ballast'\)|0174_handed_receipts/g, // A file in data folders and a migration since 0.2.0.
  /'handed-over'|partsHandedOver|\bowed(: | = )|(waiting, |max\(|\bas |\.|')owed\b/g, // Members of the panel's contract.
];

const readable = /\.(ts|tsx|mjs|js|cjs|sql|css|md)$/;

function filesIn(place: string): string[] {
  if (readable.test(place)) return [place];
  return readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
    .map(name => `${place}/${name}`)
    .filter(path => readable.test(path) && !path.includes('/dist/') && !exempt.some(one => path.startsWith(one)));
}

/** Words of prose and of names: `receiptDesk`, `receipt_desk` and `receipt-desk` all contain `desk`. */
function retiredIn(text: string, list = retired): string[] {
  const words = kept.reduce((rest, one) => rest.replace(one, ''), text).match(/[A-Z]?[a-z]+/g) ?? [];
  return [...new Set(words.map(word => word.toLowerCase()).filter(word => Object.hasOwn(list, word)))];
}

test('no file uses a retired word', () => {
  const found = roots.flatMap(filesIn).flatMap(path => {
    const text = `${path}\n${readFileSync(join(root, path), 'utf8')}`;
    const list = isForPeople.test(path) ? retired : retiredInProgram;
    return retiredIn(text, list).map(word => `${path}: "${word}", better: ${list[word]}`);
  });
  expect(found).toEqual([]);
});

test('a retired word is found in every spelling of a name', () => {
  expect(['receiptDesk', 'ReceiptDesk', 'receipt_desk', 'receipt-desk', 'the desk'].map(one => retiredIn(one))).toEqual(
    Array(5).fill(['desk']),
  );
  expect(retiredIn('timestamp, indoors and a folder')).toEqual([]);
});
