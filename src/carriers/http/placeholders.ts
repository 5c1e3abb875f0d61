// Fills placeholders like {{to}}, from a closed list, in one pass over the texts of a structure. A value is never scanned again,
// and the structure is encoded only afterwards, so no text can break out of its place.
export type Values = Record<string, string>;

/**
 * The consents of an order: `none` for a message that is not commercial, otherwise the kind of its recipients. Each
 * name in the `consents` of a description has a value for each choice, of any JSON type.
 */
export type ConsentChoice = 'none' | 'individual' | 'merchant';
export const consentChoices: readonly ConsentChoice[] = ['none', 'individual', 'merchant'];
export const consentPrefix = 'consent:';

/** Placeholders of a message. `callback_url` is empty if the program does not know its own address. */
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
/** Placeholders of a carrier, valid in every request. */
export const carrierNames = ['user'] as const;
/**
 * Placeholders of a poll for receipts: one id, or all of them separated by commas. A list with the single text {{ids}}
 * becomes a list of all ids.
 */
export const pollNames = ['id', 'ids'] as const;
export const secretPrefix = 'secret:';
/** The first entry of a list in a body: what follows it is written once for each message of the request. */
export const eachMark = '{{each}}';

const placeholder = /\{\{([a-z_]+(?::[a-z0-9_]+)?)\}\}/g;

export function namesIn(text: string): string[] {
  return Array.from(text.matchAll(placeholder), found => found[1]!);
}

/** Returns undefined for a text that is only an empty placeholder: its member is left out. */
export function fill(text: string, values: Values, written = (value: string) => value): string | undefined {
  if (!text.includes('{{')) return text;
  return text.replace(placeholder, (_, name: string) => written(values[name] ?? '')) || undefined;
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
  /** For a poll for receipts. */
  ids?: string[];
  /** The value of a text that is only `{{consent:NAME}}`: any JSON value; undefined leaves the member out. */
  whole?: Record<string, unknown>;
  /** The messages of a request with several; without it the values are those of the only message. */
  each?: Entry[];
};
/** The values of one message of a request. */
export type Entry = { values: Values; whole: Record<string, unknown> };

export function entriesOf(values: Values, { each, whole = {} }: Filling): Entry[] {
  return each ?? [{ values, whole }];
}

/** Returns a tree of JSON with its texts filled. */
export function fillTree(tree: unknown, values: Values, filling: Filling = {}): unknown {
  if (typeof tree === 'string') {
    const { whole = {} } = filling;
    return Object.hasOwn(whole, tree) ? whole[tree] : fill(tree, values);
  }
  if (Array.isArray(tree)) {
    if (tree.length === 1 && tree[0] === '{{ids}}') return filling.ids ?? [];
    if (tree[0] === eachMark)
      return entriesOf(values, filling).flatMap(one => fillTree(tree.slice(1), one.values, { whole: one.whole }));
    return tree.map(one => fillTree(one, values, filling)).filter(one => one !== undefined);
  }
  if (tree === null || typeof tree !== 'object') return tree;
  // JSON.stringify leaves out members that are undefined.
  const filled: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(tree))
    filled[name] = fillTree((tree as Record<string, unknown>)[name], values, filling);
  return filled;
}
