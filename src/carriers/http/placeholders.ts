// Placeholders like {{to}} from a closed list, filled in one pass over the leaves of a structure: what is filled in is never
// looked at again, and the structure is written only afterwards, so no text can break out of its place.
export type Values = Record<string, string>;

/**
 * What an order says of consents: `none`, it is no commercial message; else the kind of its recipients. Each name of a description
 * (`consents`) has a value for each choice, which need not be a text.
 */
export type ConsentChoice = 'none' | 'individual' | 'merchant';
export const consentChoices: readonly ConsentChoice[] = ['none', 'individual', 'merchant'];
export const consentPrefix = 'consent:';

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

/** A template cut at its placeholders: texts at even places, names at odd ones. The same few are filled for every message. */
const cut = new Map<string, string[]>();
const cutMax = 5_000;

function piecesOf(text: string): string[] {
  const known = cut.get(text);
  if (known) return known;
  const pieces = text.split(placeholder);
  if (cut.size >= cutMax) cut.clear();
  cut.set(text, pieces);
  return pieces;
}

/** undefined: it is nothing but a placeholder that is empty, so its member is left out. */
export function fill(text: string, values: Values, written = (value: string) => value): string | undefined {
  const pieces = piecesOf(text);
  if (pieces.length === 1) return text;
  let filled = pieces[0]!;
  for (let i = 1; i < pieces.length; i += 2) filled += written(values[pieces[i]!] ?? '') + pieces[i + 1]!;
  return filled === '' ? undefined : filled;
}

export function fillPairs(pairs: Record<string, string>, values: Values): [string, string][] {
  const filled: [string, string][] = [];
  for (const name of Object.keys(pairs)) {
    const value = fill(pairs[name]!, values);
    if (value !== undefined) filled.push([name, value]);
  }
  return filled;
}

export type Filling = {
  /** Of a question for receipts. */
  ids?: string[];
  /** What `{{consent:NAME}}` is where nothing else stands in the text: true, a number, null; undefined: left out. */
  whole?: Record<string, unknown>;
};

/** A tree of JSON with its texts filled. */
export function fillTree(tree: unknown, values: Values, filling: Filling = {}): unknown {
  if (typeof tree === 'string') {
    const { whole = {} } = filling;
    return Object.hasOwn(whole, tree) ? whole[tree] : fill(tree, values);
  }
  if (Array.isArray(tree)) {
    if (tree.length === 1 && tree[0] === '{{ids}}') return filling.ids ?? [];
    return tree.map(one => fillTree(one, values, filling)).filter(one => one !== undefined);
  }
  if (tree === null || typeof tree !== 'object') return tree;
  // What is undefined is not written.
  const filled: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(tree))
    filled[name] = fillTree((tree as Record<string, unknown>)[name], values, filling);
  return filled;
}
