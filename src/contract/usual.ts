// Reduces a schema to the usual form of each value, for forms, assistants and automation tools, which want one spelling. Usual
// forms come first in a schema; empty values written as "" or null, and lists as objects, are habits of old clients.
import type { TSchema } from './type.ts';

type Parts = Record<string, unknown> & { anyOf?: TSchema[]; items?: TSchema; properties?: Record<string, TSchema> };

export function isUsual(form: TSchema): boolean {
  const { type, const: value, additionalProperties } = form as Parts;
  return value !== '' && type !== 'null' && additionalProperties === undefined;
}

/** JSON Schema without our own keywords; of several forms the first, with the description of the whole. */
export function usualForm(schema: TSchema): Record<string, unknown> {
  const { anyOf, items, properties, ...rest } = schema as Parts;
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('x-')));
  if (anyOf) return { ...usualForm(anyOf.find(isUsual)!), ...own };
  if (items) return { ...own, items: usualForm(items) };
  if (!properties) return own;
  const inside = Object.entries(properties).map(([name, one]) => [name, usualForm(one)]);
  return { ...own, properties: Object.fromEntries(inside) };
}
