// Descriptions written by hand: every fault is reported at its place, in both languages, and nothing else is.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkerOf } from '../../contract/check.ts';
import { everyFault } from '../../contract/every-fault.ts';
import { receiptStates } from '../../smpp/receipt.ts';
import { definitionFaults, readDefinition } from './check-definition.ts';
import { type Definition, definition } from './definition.ts';
import { faultWords } from './definition-words.ts';
import { carrierNames, messageNames, pollNames } from './placeholders.ts';
import { presets } from './presets.ts';

const generic = presets['generic']!;

const wordsOf = (given: unknown) => definitionFaults(given).map(one => faultWords(one).en);
const changed = (change: (copy: Definition & Record<string, unknown>) => void) => {
  const copy = structuredClone(generic) as Definition & Record<string, unknown>;
  change(copy);
  return copy;
};

test('several faults are reported at once, each with its member', () => {
  const given = changed(copy => {
    copy['retries'] = 3;
    copy.send.method = 'DELETE' as 'POST';
    copy.answer.rules[0]!.means = 'ok' as 'sent';
    copy.auth = { kind: 'basic', user: 'x' } as never;
    copy.poll = { request: copy.send } as never;
    delete (copy as { title?: string }).title;
  });
  expect(wordsOf(given)).toEqual([
    'title: is missing',
    expect.stringMatching(/^retries: there is no such member; there are version, title, /),
    'auth.password: is missing',
    'send.method: must be one of: GET, POST, PUT',
    'answer.rules.0.means: must be one of: sent, retry, slow, failed, account, unknown',
    'poll.everySeconds: is missing',
    'poll.batch: is missing',
    'poll.read: is missing',
    'poll.state: is missing',
    'poll.states: is missing',
    'poll.request.method: must be one of: GET, POST, PUT',
  ]);
});

const send = (change: object) => ({ send: { ...generic.send, ...change } });

test.each<[string, object, string]>([
  ['a kind that is none', { auth: { kind: 'magic' } }, 'auth.kind: must be one of: none, basic, '],
  ['an address', { url: 'ftp://x' }, 'url: is not an http address'],
  ['a path', send({ path: '/a?b' }), 'send.path: must begin with /'],
  ['a header’s name', send({ headers: { 'a b': 'x' } }), 'send.headers: "a b" is no name'],
  ['a text in a header', send({ headers: { a: '{{text}}' } }), 'send.headers.a: there is no {{text}} here'],
  [
    'a word',
    send({ body: { kind: 'json', tree: { a: ['{{recipient}}'] } } }),
    'send.body.tree.a.0: there is no {{recipi',
  ],
  ['what follows', send({ body: { kind: 'text', text: '{{text}};{{to}}' } }), 'send.body.text: nothing may follow'],
  ['an element', send({ body: { kind: 'xml', root: { name: '1x' } } }), 'send.body.root: each element is'],
  ['a number', { answer: { ...generic.answer, seconds: 0 } }, 'answer.seconds: must be a whole number, 1–60'],
])('the place of a fault is named: %s', (_, change, words) => {
  expect(wordsOf({ ...generic, ...change })[0]).toContain(words);
});

test('text that is not JSON is reported with line and column', () => {
  const read = readDefinition('{\n  "version": 1,\n  nope\n}');
  expect('faults' in read && read.faults.map(one => faultWords(one).tr)).toEqual(['JSON değil (3:3)']);
});

test('however a description is spoilt, what is reported agrees with the schema’s own checker', () => {
  const library = checkerOf(definition);
  const spoil = fc.record({
    name: fc.constantFrom(...Object.keys(presets)),
    at: fc.nat(200),
    to: fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom('sent', 'json', 'x'.repeat(300), 200, true, {}, [])),
    how: fc.constantFrom('replace', 'remove', 'add'),
  });
  fc.assert(
    fc.property(fc.array(spoil, { minLength: 1, maxLength: 3 }), spoils => {
      const copy = structuredClone(presets[spoils[0]!.name]!) as object;
      for (const { at, to, how } of spoils) {
        const places = placesOf(copy);
        const [holder, name] = places[at % places.length]!;
        if (how === 'remove') delete holder[name];
        else holder[how === 'add' ? 'extra' : name] = to;
      }
      expect(everyFault(definition, copy).length === 0).toBe(library(copy) === null);
    }),
    { numRuns: 300 },
  );
});

function placesOf(value: unknown): [Record<string, unknown>, string][] {
  if (value === null || typeof value !== 'object') return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap(name => [[holder, name] as [typeof holder, string], ...placesOf(holder[name])]);
}

test('the descriptions that the documentation shows are good, and together have every member there is', () => {
  const text = readFileSync(new URL('../../../docs/http-carriers.md', import.meta.url), 'utf8');
  const examples = Array.from(text.matchAll(/```json\n([\s\S]*?)```/g), found => found[1]!);
  for (const example of examples) expect(readDefinition(example)).not.toHaveProperty('faults');
  const { properties } = definition as unknown as { properties: Record<string, unknown> };
  const shown = new Set(examples.flatMap(example => Object.keys(JSON.parse(example))));
  expect([...shown].sort()).toEqual(Object.keys(properties).sort());
  for (const state of receiptStates) expect(text).toContain(`\`${state}\``);
  for (const name of [...messageNames, ...carrierNames, ...pollNames]) expect(text).toContain(`\`${name}\``);
});

test('values of consents are no structures, and only names that are described stand in a request', () => {
  const own = { ...presets['netgsm']!, consents: { filter: { none: [], individual: '1', merchant: '2' } } };
  expect(definitionFaults(own).map(one => [one.at, one.rule])).toEqual([['consents.filter.none', 'scalar']]);
  const { consents: _, ...without } = presets['netgsm']!;
  expect(definitionFaults(without).map(one => [one.at, one.rule])).toEqual([
    ['send.body.tree.iysfilter', 'placeholder'],
  ]);
});

test('a batch has one list of messages, what is of one message stands in it, and answers can be matched to messages', () => {
  const jetsms = presets['jetsms']!;
  const faultsOf = (change: (copy: Definition) => void) => {
    const copy = structuredClone(jetsms);
    change(copy);
    return definitionFaults(copy).map(one => [one.at, one.rule]);
  };
  const tree = (copy: Definition) => (copy.send.body as unknown as { tree: Record<string, unknown[]> }).tree;
  expect(faultsOf(() => {})).toEqual([]);
  expect(faultsOf(copy => delete copy.batch)).toEqual([['send.body', 'eachOne']]);
  expect(faultsOf(copy => tree(copy)['smsmessages']!.shift())).toEqual([['send.body', 'eachOne']]);
  expect(faultsOf(copy => tree(copy)['smsmessages']!.reverse())).toEqual([['send.body', 'eachOne']]);
  expect(faultsOf(copy => Object.assign(tree(copy), { more: ['{{each}}', '{{to}}'] }))).toEqual([
    ['send.body', 'eachOne'],
  ]);
  expect(faultsOf(copy => Object.assign(tree(copy), { one: '{{to}}' }))).toEqual([['send', 'eachOutside']]);
  expect(faultsOf(copy => Object.assign(copy.send, { headers: { 'x-id': '{{id}}' } }))).toEqual([
    ['send', 'eachOutside'],
  ]);
  expect(faultsOf(copy => delete copy.batch!.rules)).toEqual([['batch.rules', 'batchRules']]);
  expect(
    faultsOf(copy => {
      copy.ids = 'theirs';
      copy.batch = { size: 10 };
    }),
  ).toEqual([['batch.list', 'batchIds']]);
});
