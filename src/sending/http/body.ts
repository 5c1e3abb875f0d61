// Writes the body of a request: fills its structure with values, then encodes it as JSON, form, XML or text.
import type { Body, XmlElement } from '../../carriers/http/definition.ts';
import {
  eachMark,
  entriesOf,
  type Filling,
  fill,
  fillPairs,
  fillTree,
  type Values,
} from '../../carriers/http/placeholders.ts';

export const contentTypes: Record<Body['kind'], string> = {
  none: '',
  json: 'application/json; charset=utf-8',
  form: 'application/x-www-form-urlencoded; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
  text: 'text/plain; charset=utf-8',
};

export function writeBody(body: Body, values: Values, filling: Filling = {}): string | null {
  switch (body.kind) {
    case 'none':
      return null;
    case 'json':
      return JSON.stringify(fillTree(body.tree, values, filling)) ?? '';
    case 'form':
      return new URLSearchParams(fillPairs(body.pairs, values)).toString();
    case 'xml':
      return `<?xml version="1.0" encoding="UTF-8"?>${writeElement(body.root as XmlElement, values, filling)}`;
    case 'text':
      return fill(body.text, values) ?? '';
  }
}

function writeElement({ name, attributes = {}, children = [] }: XmlElement, values: Values, filling: Filling): string {
  const written = fillPairs(attributes, values).map(([key, value]) => ` ${key}="${escaped(value, inAttribute)}"`);
  const inside =
    children[0] === eachMark
      ? entriesOf(values, filling).flatMap(one => writeChildren(children.slice(1), one.values, filling))
      : writeChildren(children, values, filling);
  // An element whose value is missing is left out, like a member of JSON.
  if (inside.length > 0 && inside.every(one => one === undefined)) return '';
  return `<${name}${written.join('')}>${inside.join('')}</${name}>`;
}

function writeChildren(children: (XmlElement | string)[], values: Values, filling: Filling): (string | undefined)[] {
  return children.map(child => {
    if (typeof child !== 'string') return writeElement(child, values, filling);
    const text = fill(child, values);
    return text === undefined ? undefined : escaped(text, inText);
  });
}

// XML parsers turn a carriage return into a line feed, and in attributes both into blanks, unless they are written as numbers.
// `>` is escaped because of `]]>`.
const inText = /[&<>\r]/g;
const inAttribute = /[&<>"\r\n\t]/g;

function escaped(text: string, what: RegExp): string {
  return text.replace(what, char => `&#${char.charCodeAt(0)};`);
}
