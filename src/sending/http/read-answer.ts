// Reads values by their paths from what a carrier wrote. Reading never throws: what is missing or malformed is undefined.
//   json  /messages/0/status       form  the name of a member
//   xml   response/status/code, item/@id: names of children from the root on
//   text  ''            all of it, trimmed
//         word:2        the second word
//         after:ID:     the run of letters, digits, dots, dashes that follows the first "ID:" and blanks
//   A path of another kind may continue with `|` and a path of kind text: /result|after:ID:
import type { Test } from '../../carriers/http/definition.ts';
import { readXml, type XmlNode } from './xml-tree.ts';

export type Reading = { at(path: string): string | undefined; list(path: string): Reading[] };
type ReadKind = 'json' | 'xml' | 'form' | 'text';

const valueCharactersMax = 4_000;
const itemsMax = 10_000;
const nothing: Reading = { at: () => undefined, list: () => [] };

export function readAs(kind: ReadKind, text: string): Reading {
  try {
    return kind === 'text' ? readers.text(text) : withTextInside(readers[kind](text));
  } catch {
    return nothing;
  }
}

function withTextInside(reading: Reading): Reading {
  return {
    at(path) {
      const [outer = '', inner] = path.split('|', 2);
      const value = reading.at(outer);
      return inner === undefined || value === undefined ? value : textReading(value).at(inner);
    },
    list: path => reading.list(path).map(withTextInside),
  };
}

const readers: Record<ReadKind, (text: string) => Reading> = {
  json: text => jsonReading(JSON.parse(withLongNumbersAsTexts(text))),
  xml: text => {
    const root = readXml(text.replace(/^\ufeff/, '').trimStart());
    return xmlReading({ name: '', attributes: {}, text: '', children: [root] });
  },
  form: text => {
    const members = new URLSearchParams(text);
    return { at: path => bounded(members.get(path) ?? undefined), list: () => [] };
  },
  text: textReading,
};

const longNumber = /\d{16}/;
const insideNumber = /[-+.\deE]*/y;

/** Ids may have more digits than a number can hold. A regular expression that skips strings would take quadratic time on hostile input. */
function withLongNumbersAsTexts(json: string): string {
  if (!longNumber.test(json)) return json;
  let written = '';
  let from = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const char = json[i]!;
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char >= '0' && char <= '9') {
      insideNumber.lastIndex = i;
      const [number] = insideNumber.exec(json)!;
      if (/^\d{16,}$/.test(number)) {
        written += `${json.slice(from, i)}"${number}"`;
        from = i + number.length;
      }
      i += number.length - 1;
    }
  }
  return written + json.slice(from);
}

function jsonReading(value: unknown): Reading {
  return {
    at: path => scalarOf(pointed(value, path)),
    list(path) {
      const found = pointed(value, path);
      if (Array.isArray(found)) return found.slice(0, itemsMax).map(jsonReading);
      return found !== null && typeof found === 'object' ? [jsonReading(found)] : [];
    },
  };
}

function pointed(value: unknown, pointer: string): unknown {
  let at = value;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

function scalarOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? bounded(String(value))
    : undefined;
}

function xmlReading(node: XmlNode): Reading {
  return {
    at(path) {
      const names = path.split('/').filter(Boolean);
      const attribute = names.at(-1)?.startsWith('@') ? names.pop()!.slice(1) : undefined;
      const [found] = descend(node, names);
      if (!found) return undefined;
      return bounded(attribute === undefined ? found.text.trim() : found.attributes[attribute]);
    },
    list: path => descend(node, path.split('/').filter(Boolean)).slice(0, itemsMax).map(xmlReading),
  };
}

function descend(node: XmlNode, names: string[]): XmlNode[] {
  let level = [node];
  for (const name of names) level = level.flatMap(one => one.children.filter(child => child.name === name));
  return level;
}

function textReading(text: string): Reading {
  const whole = text.trim();
  return {
    at(path) {
      if (path === '') return bounded(whole);
      if (path.startsWith('word:')) return bounded(whole.split(/\s+/)[Number(path.slice(5)) - 1]);
      const mark = path.slice('after:'.length);
      const from = whole.indexOf(mark);
      if (!path.startsWith('after:') || from < 0) return undefined;
      return bounded(/^[A-Za-z0-9._-]+/.exec(whole.slice(from + mark.length).trimStart())?.[0]);
    },
    list: () => [],
  };
}

function bounded(value: string | undefined): string | undefined {
  return value?.slice(0, valueCharactersMax);
}

export function holds({ at, equals, in: among, starts, positive, present }: Test, reading: Reading): boolean {
  const value = reading.at(at);
  if (present !== undefined && (value !== undefined && value !== '') !== present) return false;
  if (equals !== undefined && value !== equals) return false;
  if (among !== undefined && (value === undefined || !among.includes(value))) return false;
  if (starts !== undefined && !value?.startsWith(starts)) return false;
  return positive === undefined || /^0*[1-9]\d*$/.test(value ?? '');
}
