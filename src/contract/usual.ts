// The usual form of what is accepted, for readers that want one way to write a thing: forms, assistants, automation tools.
// Usual forms stand first in a schema; nothing written as "" or null, and lists as objects, are ways of old clients.
import type { TSchema } from './type.ts';

type Parts = Record<string, unknown> & { anyOf?: TSchema[]; items?: TSchema; properties?: Record<string, TSchema> };

export function isUsual(form: TSchema): boolean {
  const { type, const: value, additionalProperties } = form as Parts;
  return value !== '' && type !== 'null' && additionalProperties === undefined;
}

/** Plain JSON Schema; of several forms the first, with what is said of the whole. */
export function usualForm(schema: TSchema): Record<string, unknown> {
  const { anyOf, items, properties, ...rest } = schema as Parts;
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('x-')));
  if (anyOf) return { ...usualForm(anyOf.find(isUsual)!), ...own };
  if (items) return { ...own, items: usualForm(items) };
  if (!properties) return own;
  const inside = Object.entries(properties).map(([name, one]) => [name, usualForm(one)]);
  return { ...own, properties: Object.fromEntries(inside) };
}
