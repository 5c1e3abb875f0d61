// Checks the description of a carrier over HTTP: its shape and the marks of its schema (definition.ts), then rules that
// concern several members.
import { everyFault } from '../../contract/every-fault.ts';
import type { TSchema } from '../../contract/type.ts';
import {
  type Check,
  type Definition,
  definition,
  type KeyRule,
  type Marks,
  type TextRule,
  type XmlElement,
} from './definition.ts';
import { type Fault, faultWords } from './definition-words.ts';
import { consentPrefix, eachMark, namesIn } from './placeholders.ts';

const charactersMax = 50_000;
const depthMax = 12;
const leavesMax = 300;
const faultsMax = 20;

/** Throws an Error that names the place and the fault. */
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

/** Line and column as editors count them. */
function placeOf(text: string, message: string): string {
  const before = text.slice(0, Number(/position (\d+)/.exec(message)?.[1] ?? text.length)).split('\n');
  return `${before.length}:${before.at(-1)!.length + 1}`;
}

/** The first faults: of the shape, or, if the shape is valid, of the contents. */
export function definitionFaults(given: unknown): Fault[] {
  const shape = everyFault(definition, given);
  const faults = shape.length > 0 ? shape : contentFaults(given as Definition);
  return faults.slice(0, faultsMax);
}

function contentFaults(given: Definition): Fault[] {
  const { poll, callback, inbound } = given;
  const consents = Object.keys(given.consents ?? {});
  return [
    ...everyFault<Fault['rule']>(definition, given, (schema, value, at) => markFaults(schema, value, at, consents)),
    ...batchFaults(given),
    ...(poll && poll.id === undefined && poll.batch > 1 ? [{ at: 'poll.id', rule: 'pollId' } as const] : []),
    ...timeFaults('callback.check', callback?.check),
    ...timeFaults('inbound.check', inbound?.check),
  ];
}

const textRules: Record<TextRule, (value: unknown) => boolean> = {
  address: value => URL.canParse(value as string) && /^https?:/.test(value as string),
  path: value => /^(\/[^\s?#]*)?$/.test(value as string),
  // Nothing may follow a placeholder with customer content: in plain text nothing marks where the content ends.
  last: value => !/\{\{(text|from)\}\}./s.test(value as string),
  element: value => typeof value !== 'string' && isElement(value),
  scalar: value => value === null || ['string', 'number', 'boolean'].includes(typeof value),
};
const keyRules: Record<KeyRule, RegExp> = { header: /^[A-Za-z0-9-]{1,60}$/, consentName: /^[a-z][a-z0-9_]{0,30}$/ };

/** `consents`: the names that the description uses for choices of consents. */
function markFaults(schema: TSchema, value: unknown, at: string, consents: string[]): Fault[] {
  const { 'x-names': names, 'x-rule': rule, 'x-keys': keys } = schema as Marks;
  if (!names && !rule && !keys) return [];
  if (tooDeep(value)) return [{ at, rule: 'deep' }];
  const badKeys = keys ? Object.keys(value as object).filter(key => !keyRules[keys].test(key)) : [];
  return [
    ...badKeys.map(detail => ({ at, rule: keys!, detail })),
    ...(rule && !textRules[rule](value) ? [{ at, rule }] : []),
    ...(names ? placeholderFaults(at, value, names, consents) : []),
  ];
}

/** Whether the carrier needs our public address: receipts come only by calls, or requests contain our address. */
export function needsPublicUrl({ callback, poll, send }: Definition): boolean {
  return (callback !== undefined && poll === undefined) || /\{\{(callback|inbound)_url\}\}/.test(JSON.stringify(send));
}

const ofOneMessage = ['to', 'to_plus', 'to_national', 'id'];

function batchFaults({ batch, send, ids }: Definition): Fault[] {
  const marks = leavesOf('', send.body).filter(([, text]) => text === eachMark);
  const rest = { ...send, body: withoutEach(send.body) };
  const left = leavesOf('', rest).flatMap(([, text]) => namesIn(text));
  // The mark counts only at the beginning of a list; anywhere else it remains in the text.
  const isPlaced = marks.length === (batch ? 1 : 0) && !left.includes('each');
  if (!isPlaced) return [{ at: 'send.body', rule: 'eachOne' }];
  if (!batch) return [];
  return [
    ...left
      .filter(name => ofOneMessage.includes(name))
      .map(detail => ({ at: 'send', rule: 'eachOutside' as const, detail })),
    ...(ids === 'theirs' && batch.list === undefined ? [{ at: 'batch.list', rule: 'batchIds' } as const] : []),
    ...((batch.list === undefined) !== (batch.rules === undefined)
      ? [{ at: 'batch.rules', rule: 'batchRules' } as const]
      : []),
  ];
}

/** The same value in which every list that begins with the mark is empty. */
function withoutEach(value: unknown): unknown {
  if (Array.isArray(value)) return value[0] === eachMark ? [] : value.map(withoutEach);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutEach(one)]));
}

function timeFaults(at: string, check: Check | undefined): Fault[] {
  // A time that is not signed proves nothing, and a signed time must be checked.
  if (check?.kind !== 'hmac' || (check.over === 'time.body') === (check.time !== undefined)) return [];
  return [check.time ? { at: `${at}.over`, rule: 'timeOver' } : { at: `${at}.time`, rule: 'timeMissing' }];
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

/** Every text in the value, with its place. */
function leavesOf(at: string, value: unknown): [at: string, text: string][] {
  if (typeof value === 'string') return [[at, value]];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, one]) => leavesOf(`${at}.${name}`, one));
}

function placeholderFaults(at: string, value: unknown, names: readonly string[], consents: string[]): Fault[] {
  const leaves = leavesOf(at, value);
  if (leaves.length > leavesMax) return [{ at, rule: 'texts', detail: String(leavesMax) }];
  const known = names.flatMap(name =>
    name === `${consentPrefix}NAME` ? consents.map(one => `${consentPrefix}${one}`) : [name],
  );
  const isKnown = (name: string) => known.includes(name) || /^secret:[a-z][a-z0-9_]{0,30}$/.test(name);
  return leaves.flatMap(([place, text]) =>
    namesIn(text)
      .filter(name => !isKnown(name))
      .map(name => ({ at: place, rule: 'placeholder' as const, detail: `${name} ${known.join(',')}` })),
  );
}
