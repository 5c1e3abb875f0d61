// A description as somebody wrote it: its shape by the schema, then what a schema cannot say: placeholders that there are, where
// they may stand, names that XML and HTTP allow, bounds.
import { checkerOf } from '../../../contract/check.ts';
import {
  type Body,
  type Check,
  type Definition,
  definition,
  type RequestShape,
  type XmlElement,
} from './definition.ts';
import { carrierNames, messageNames, namesIn, pollNames, secretPrefix } from './placeholders.ts';

const charactersMax = 50_000;
const depthMax = 12;
const leavesMax = 300;
const faultOf = checkerOf(definition);

/** Throws an Error that says where and why. */
export function requireDefinition(text: string): Definition {
  if (text.length > charactersMax) throw new Error(`--definition: at most ${charactersMax} characters`);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new Error('--definition: not JSON');
  }
  const fault = definitionFault(given);
  if (fault) throw new Error(`--definition: ${fault}`);
  return given as Definition;
}

export function definitionFault(given: unknown): string | null {
  const fault = faultOf(given);
  if (fault) return `${fault.field || 'the whole'} is not as it must be (${fault.rule})`;
  const checked = given as Definition;
  if (!URL.canParse(checked.url) || !/^https?:/.test(checked.url)) return 'url is not an address';
  const secretsOnly = [...carrierNames];
  return (
    requestFault('send', checked.send, [...secretsOnly, ...messageNames]) ??
    (checked.auth.kind === 'token' ? requestFault('auth.request', checked.auth.request, secretsOnly) : null) ??
    placeholderFault('auth', leavesOf(checked.auth.kind === 'token' ? null : checked.auth), secretsOnly) ??
    (checked.poll ? requestFault('poll.request', checked.poll.request, [...secretsOnly, ...pollNames]) : null) ??
    placeholderFault('callback.check', leavesOf(checked.callback?.check), secretsOnly) ??
    placeholderFault('inbound.check', leavesOf(checked.inbound?.check), secretsOnly) ??
    hmacFault('callback.check', checked.callback?.check) ??
    hmacFault('inbound.check', checked.inbound?.check) ??
    pollFault(checked)
  );
}

/** A time that is not signed says nothing, and a signed one that is not looked at neither. */
function hmacFault(place: string, check: Check | undefined): string | null {
  if (check?.kind !== 'hmac' || (check.over === 'time.body') === (check.time !== undefined)) return null;
  return `${place}.${check.time ? 'over must be time.body where there is a time' : 'time is needed where over is time.body'}`;
}

function pollFault({ poll }: Definition): string | null {
  return poll && poll.id === undefined && poll.batch > 1
    ? 'poll.id is needed where several are asked for at once'
    : null;
}

function requestFault(
  place: string,
  { path, query, headers, body }: RequestShape,
  names: readonly string[],
): string | null {
  if (!/^(\/[^\s?#]*)?$/.test(path)) return `${place}.path must begin with / and hold no ? or #`;
  const inHeaders = names.filter(name => name === 'user' || name === 'id');
  const badHeader = Object.keys(headers ?? {}).find(name => !/^[A-Za-z0-9-]{1,60}$/.test(name));
  if (badHeader) return `${place}.headers: "${badHeader}" is no name of a header`;
  return (
    placeholderFault(`${place}.path`, [path], names) ??
    placeholderFault(`${place}.query`, leavesOf(query), names) ??
    placeholderFault(`${place}.headers`, leavesOf(headers), inHeaders) ??
    bodyFault(`${place}.body`, body, names)
  );
}

function bodyFault(place: string, body: Body, names: readonly string[]): string | null {
  if (body.kind === 'none') return null;
  if (body.kind === 'form') return placeholderFault(place, leavesOf(body.pairs), names);
  if (body.kind === 'text') {
    // Nothing may follow what somebody else wrote: in a plain text there is no way to say where it ends.
    if (/\{\{(text|from)\}\}./s.test(body.text)) return `${place}: nothing may follow {{text}} or {{from}}`;
    return placeholderFault(place, [body.text], names);
  }
  const root = body.kind === 'json' ? body.tree : body.root;
  if (tooDeep(root)) return `${place} is nested too deeply`;
  const fault = body.kind === 'xml' ? elementFault(root) : null;
  return fault ? `${place}: ${fault}` : placeholderFault(place, leavesOf(root), names);
}

function elementFault(given: unknown): string | null {
  if (typeof given === 'string') return null;
  const { name, attributes = {}, children = [], ...rest } = (given ?? {}) as XmlElement;
  const isName = (one: unknown) => typeof one === 'string' && /^[A-Za-z_][\w.-]{0,60}$/.test(one);
  if (!isName(name)) return 'an element needs a name';
  if (Object.keys(rest).length > 0) return `an element has no "${Object.keys(rest)[0]}"`;
  if (attributes === null || typeof attributes !== 'object' || !Array.isArray(children))
    return 'attributes are pairs, children a list';
  if (!Object.keys(attributes).every(isName)) return 'an attribute needs a name';
  if (!Object.values(attributes).every(one => typeof one === 'string')) return 'an attribute is a text';
  for (const child of children) {
    const fault = elementFault(child);
    if (fault) return fault;
  }
  return null;
}

function tooDeep(value: unknown, depth = 0): boolean {
  if (value === null || typeof value !== 'object') return false;
  return depth >= depthMax || Object.values(value).some(one => tooDeep(one, depth + 1));
}

/** Every text in it. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(leavesOf) : [];
}

function placeholderFault(place: string, leaves: string[], names: readonly string[]): string | null {
  if (leaves.length > leavesMax) return `${place} holds more than ${leavesMax} texts`;
  for (const name of leaves.flatMap(namesIn))
    if (!names.includes(name) && !/^secret:[a-z][a-z0-9_]{0,30}$/.test(name))
      return `${place}: there is no {{${name}}} here; there are ${[...names, `${secretPrefix}NAME`].join(', ')}`;
  return null;
}
