// Placeholders like {{to}} from a closed list, filled in one pass over the leaves of a structure: what is filled in is never
// looked at again, and the structure is written only afterwards, so no text can break out of its place.
export type Values = Record<string, string>;

/** Of a message; `callback_url` is empty where the program does not know its own address. */
export const messageNames = [
  'to',
  'to_plus',
  'to_national',
  'from',
  'text',
  'id',
  'parts',
  'coding',
  'validity_minutes',
  'callback_url',
  'inbound_url',
] as const;
/** Of a carrier, in every request. */
export const carrierNames = ['user'] as const;
/** Of a question for receipts: one id, or all of them with commas; a list of one text {{ids}} becomes a list of them. */
export const pollNames = ['id', 'ids'] as const;
export const secretPrefix = 'secret:';

const placeholder = /\{\{([a-z_]+(?::[a-z0-9_]+)?)\}\}/g;

export function namesIn(text: string): string[] {
  return Array.from(text.matchAll(placeholder), found => found[1]!);
}

/** undefined: it is nothing but a placeholder that is empty, so its member is left out. */
export function fill(text: string, values: Values): string | undefined {
  const filled = text.replace(placeholder, (_, name: string) => values[name] ?? '');
  return filled === '' && text !== '' ? undefined : filled;
}

export function fillPairs(pairs: Record<string, string>, values: Values): [string, string][] {
  return Object.entries(pairs).flatMap(([name, text]) => {
    const filled = fill(text, values);
    return filled === undefined ? [] : [[name, filled] as [string, string]];
  });
}

/** A tree of JSON with its texts filled. */
export function fillTree(tree: unknown, values: Values, ids: string[] = []): unknown {
  if (typeof tree === 'string') return fill(tree, values);
  if (Array.isArray(tree)) {
    if (tree.length === 1 && tree[0] === '{{ids}}') return ids;
    return tree.map(one => fillTree(one, values, ids)).filter(one => one !== undefined);
  }
  if (tree === null || typeof tree !== 'object') return tree;
  const filled = Object.entries(tree).map(([name, value]) => [name, fillTree(value, values, ids)] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}
