// Lists the members of a request for the reference pages: path, type, whether it is required, what it means in both languages.
// Derived from the schema.
import type { TObject, TSchema } from '../contract/type.ts';
import { isOptional } from '../contract/type.ts';
import type { Operation } from './operations.ts';

export type Both = { en: string; tr: string };

/** Fields of the operation's object (`order`, `filter`, …), in the order of the schema. */
export function fieldsOf({ request }: Pick<Operation, 'request'>): Record<string, Both> {
  const object = Object.values(request.properties)[0] as TObject | undefined;
  return object ? Object.fromEntries(membersOf(object, '')) : {};
}

function membersOf(object: TObject, path: string): [string, Both][] {
  return Object.entries(object.properties).flatMap(([name, schema]) => {
    const place = path + name;
    const own: [string, Both][] = isPlain(schema) ? [] : [[place, shownValue(schema, !isOptional(schema))]];
    const inside = insideOf(schema);
    return [...own, ...(inside ? membersOf(inside.object, place + inside.step) : [])];
  });
}

type Parts = Partial<Record<'anyOf' | 'enum', readonly unknown[]>> & {
  type?: string;
  const?: unknown;
  items?: TSchema;
  properties?: object;
  description?: string;
  'x-description-tr'?: string;
  default?: unknown;
};

const partsOf = (schema: TSchema) => schema as Parts;
const formsOf = (schema: TSchema) => (partsOf(schema).anyOf ?? [schema]) as TSchema[];

/** For an object, or a union that includes one, its members are listed instead of the object itself. */
function isPlain(schema: TSchema): boolean {
  return partsOf(formsOf(schema)[0]!).properties !== undefined;
}

function insideOf(schema: TSchema): { object: TObject; step: '.' | '[].' } | null {
  const first = formsOf(schema)[0]!;
  if (partsOf(first).properties) return { object: first as TObject, step: '.' };
  const items = partsOf(first).items;
  return items && partsOf(items).properties ? { object: items as TObject, step: '[].' } : null;
}

function shownValue(schema: TSchema, isRequired: boolean): Both {
  const { description, default: usual, ...rest } = partsOf(schema);
  const kinds = kindsOf(schema);
  const en = [inWords(kinds, 'or', 'en'), isRequired && 'required', usual !== undefined && `default ${usual}`];
  const tr = [inWords(kinds, 'ya da', 'tr'), isRequired && 'zorunlu', usual !== undefined && `verilmezse ${usual}`];
  return {
    en: withNote(en, description),
    tr: withNote(tr, rest['x-description-tr']),
  };
}

function withNote(parts: (string | false)[], note: string | undefined): string {
  const value = parts.filter(Boolean).join(', ');
  return note ? `${value}: ${note}` : value;
}

const words: Record<string, Both> = {
  string: { en: 'string', tr: 'metin' },
  integer: { en: 'number', tr: 'sayı' },
  number: { en: 'number', tr: 'sayı' },
  boolean: { en: 'boolean', tr: 'mantıksal' },
  array: { en: 'list', tr: 'liste' },
};

/**
 * Lists each type once, the usual form first. Empty values (null, "") and lists written as objects are alternative spellings,
 * not types.
 */
function kindsOf(schema: TSchema): Both[] {
  const found = new Map<string, Both>();
  for (const form of formsOf(schema).map(partsOf)) {
    const listed = form.enum?.join(' | ');
    const kind =
      listed === undefined ? words[form.const === '' ? 'null' : (form.type ?? '')] : { en: listed, tr: listed };
    if (kind) found.set(kind.en, kind);
  }
  return [...found.values()];
}

function inWords(kinds: Both[], or: string, language: keyof Both): string {
  return kinds.map(kind => kind[language]).join(` ${or} `);
}
