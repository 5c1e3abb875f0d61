// A description as somebody wrote it: its shape by the schema, then what a schema cannot say: placeholders that there are, where
// they may stand, names that XML and HTTP allow, bounds.
import {
  type Body,
  type Check,
  type Definition,
  definition,
  type RequestShape,
  type XmlElement,
} from './definition.ts';
import { type Fault, faultWords } from './definition-words.ts';
import {
  carrierNames,
  consentChoices,
  consentPrefix,
  messageNames,
  namesIn,
  pollNames,
  secretPrefix,
} from './placeholders.ts';
import { shapeFaults } from './shape-faults.ts';

const charactersMax = 50_000;
const depthMax = 12;
const leavesMax = 300;
const faultsMax = 20;

/** Throws an Error that says where and why. */
export function requireDefinition(text: string): Definition {
  const read = readDefinition(text);
  if ('faults' in read) throw new Error(`--definition: ${read.faults.map(one => faultWords(one).en).join('; ')}`);
  return read.definition;
}

export function readDefinition(text: string): { definition: Definition } | { faults: Fault[] } {
  if (text.length > charactersMax) return { faults: [{ at: '', rule: 'long', detail: String(charactersMax) }] };
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    return { faults: [{ at: '', rule: 'json', detail: placeOf(text, (error as Error).message) }] };
  }
  const faults = definitionFaults(given);
  return faults.length > 0 ? { faults } : { definition: given as Definition };
}

/** Line and column, as editors count them. */
function placeOf(text: string, message: string): string {
  const before = text.slice(0, Number(/position (\d+)/.exec(message)?.[1] ?? text.length)).split('\n');
  return `${before.length}:${before.at(-1)!.length + 1}`;
}

/** What is wrong with it, the first of many. */
export function definitionFaults(given: unknown): Fault[] {
  const shape = shapeFaults(definition, given);
  if (shape.length > 0) return shape.slice(0, faultsMax);
  const checked = given as Definition;
  const secretsOnly = [...carrierNames];
  const { auth, poll } = checked;
  return [
    ...urlFaults(checked.url),
    ...consentFaults(checked.consents ?? {}),
    ...requestFaults('send', checked.send, [...secretsOnly, ...messageNames, ...consentNames(checked)]),
    ...(auth.kind === 'token'
      ? requestFaults('auth.request', auth.request, secretsOnly)
      : placeholderFaults('auth', auth, secretsOnly)),
    ...(poll ? requestFaults('poll.request', poll.request, [...secretsOnly, ...pollNames]) : []),
    ...(poll && poll.id === undefined && poll.batch > 1 ? [{ at: 'poll.id', rule: 'pollId' } as const] : []),
    ...checkFaults('callback.check', checked.callback?.check, secretsOnly),
    ...checkFaults('inbound.check', checked.inbound?.check, secretsOnly),
  ].slice(0, faultsMax);
}

function consentNames({ consents = {} }: Definition): string[] {
  return Object.keys(consents).map(name => `${consentPrefix}${name}`);
}

function consentFaults(consents: NonNullable<Definition['consents']>): Fault[] {
  return Object.entries(consents).flatMap(([name, of]): Fault[] => [
    ...(/^[a-z][a-z0-9_]{0,30}$/.test(name) ? [] : [{ at: `consents.${name}`, rule: 'consentName' } as const]),
    ...consentChoices
      .filter(choice => of[choice] !== null && !['string', 'number', 'boolean'].includes(typeof of[choice]))
      .map(choice => ({ at: `consents.${name}.${choice}`, rule: 'scalar' }) as const),
  ]);
}

/** Receipts come by calls only, or what is sent names our address: without one the carrier is of no use. */
export function needsPublicUrl({ callback, poll, send }: Definition): boolean {
  return (callback !== undefined && poll === undefined) || /\{\{(callback|inbound)_url\}\}/.test(JSON.stringify(send));
}

function urlFaults(url: string): Fault[] {
  return URL.canParse(url) && /^https?:/.test(url) ? [] : [{ at: 'url', rule: 'address' }];
}

function checkFaults(at: string, check: Check | undefined, names: readonly string[]): Fault[] {
  const faults = placeholderFaults(at, check, names);
  // A time that is not signed says nothing, and a signed one that is not looked at neither.
  if (check?.kind !== 'hmac' || (check.over === 'time.body') === (check.time !== undefined)) return faults;
  const rest: Fault = check.time ? { at: `${at}.over`, rule: 'timeOver' } : { at: `${at}.time`, rule: 'timeMissing' };
  return [...faults, rest];
}

function requestFaults(
  at: string,
  { path, query, headers = {}, body }: RequestShape,
  names: readonly string[],
): Fault[] {
  const inHeaders = names.filter(name => name === 'user' || name === 'id');
  const badHeaders = Object.keys(headers).filter(name => !/^[A-Za-z0-9-]{1,60}$/.test(name));
  return [
    ...(/^(\/[^\s?#]*)?$/.test(path) ? [] : [{ at: `${at}.path`, rule: 'path' } as const]),
    ...badHeaders.map(detail => ({ at: `${at}.headers`, rule: 'header', detail }) as const),
    ...placeholderFaults(`${at}.path`, path, names),
    ...placeholderFaults(`${at}.query`, query, names),
    ...placeholderFaults(`${at}.headers`, headers, inHeaders),
    ...bodyFaults(`${at}.body`, body, names),
  ];
}

function bodyFaults(at: string, body: Body, names: readonly string[]): Fault[] {
  if (body.kind === 'none') return [];
  if (body.kind === 'form') return placeholderFaults(`${at}.pairs`, body.pairs, names);
  if (body.kind === 'text') {
    // Nothing may follow what somebody else wrote: in a plain text there is no way to say where it ends.
    const isLast = !/\{\{(text|from)\}\}./s.test(body.text);
    return [
      ...(isLast ? [] : [{ at: `${at}.text`, rule: 'last' } as const]),
      ...placeholderFaults(`${at}.text`, body.text, names),
    ];
  }
  const [name, root] = body.kind === 'json' ? ['tree', body.tree] : ['root', body.root];
  if (tooDeep(root)) return [{ at: `${at}.${name}`, rule: 'deep' }];
  if (body.kind === 'xml' && (typeof root === 'string' || !isElement(root)))
    return [{ at: `${at}.root`, rule: 'element' }];
  return placeholderFaults(`${at}.${name}`, root, names);
}

function isElement(given: unknown): boolean {
  if (typeof given === 'string') return true;
  const { name, attributes = {}, children = [], ...rest } = (given ?? {}) as XmlElement;
  const isName = (one: unknown) => typeof one === 'string' && /^[A-Za-z_][\w.-]{0,60}$/.test(one);
  if (!isName(name) || Object.keys(rest).length > 0 || !Array.isArray(children)) return false;
  if (attributes === null || typeof attributes !== 'object' || !Object.keys(attributes).every(isName)) return false;
  return Object.values(attributes).every(one => typeof one === 'string') && children.every(isElement);
}

function tooDeep(value: unknown, depth = 0): boolean {
  if (value === null || typeof value !== 'object') return false;
  return depth >= depthMax || Object.values(value).some(one => tooDeep(one, depth + 1));
}

/** Every text in it, with its place. */
function leavesOf(at: string, value: unknown): [at: string, text: string][] {
  if (typeof value === 'string') return [[at, value]];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, one]) => leavesOf(`${at}.${name}`, one));
}

function placeholderFaults(at: string, value: unknown, names: readonly string[]): Fault[] {
  const leaves = leavesOf(at, value);
  if (leaves.length > leavesMax) return [{ at, rule: 'texts', detail: String(leavesMax) }];
  const isKnown = (name: string) => names.includes(name) || /^secret:[a-z][a-z0-9_]{0,30}$/.test(name);
  return leaves.flatMap(([place, text]) =>
    namesIn(text)
      .filter(name => !isKnown(name))
      .map(name => ({
        ...{ at: place, rule: 'placeholder' as const },
        detail: `${name} ${[...names, `${secretPrefix}NAME`].join(',')}`,
      })),
  );
}
