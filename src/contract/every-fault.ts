// Finds everything that is wrong with a value, each fault at its place, for people who write documents by hand: check.ts names
// only the first fault. In a union the member `kind` decides which branch is meant.
import { kindOf, type TSchema } from './type.ts';

export type ShapeRule =
  | 'choice'
  | 'boolean'
  | 'text'
  | 'long'
  | 'number'
  | 'list'
  | 'count'
  | 'object'
  | 'missing'
  | 'member';
/** `at`: the place, like `send.body.pairs.to`; '' is the whole. `detail`: what the rule allows. */
export type PlacedFault<Rule> = { at: string; rule: Rule; detail?: string };
/** Looks at a value whose shape is right, for what its schema marks besides. */
type Inspect<Rule> = (schema: TSchema, value: unknown, at: string) => PlacedFault<Rule>[];

/** The members of all kinds of schemas; each kind has some of them. */
type Members = {
  const: unknown;
  enum: unknown[];
  maxLength: number;
  minimum: number;
  maximum: number;
  items: TSchema;
  minItems?: number;
  maxItems: number;
  patternProperties: Record<string, TSchema>;
  properties: Record<string, TSchema>;
  required?: string[];
  anyOf: TSchema[];
};
type Inner = (schema: TSchema, value: unknown, at: string) => PlacedFault<ShapeRule>[];
type Look = (schema: Members, value: unknown, at: string, inner: Inner) => PlacedFault<ShapeRule>[];

const below = (at: string, name: string | number) => (at === '' ? String(name) : `${at}.${name}`);
const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

export function everyFault<Rule = ShapeRule>(
  schema: TSchema,
  value: unknown,
  inspect: Inspect<Rule> = () => [],
  at = '',
): PlacedFault<Rule | ShapeRule>[] {
  const inner = (of: TSchema, one: unknown, place: string) => everyFault(of, one, inspect, place);
  const found = looks[kindOf(schema) ?? '']?.(schema as unknown as Members, value, at, inner as Inner) ?? [];
  return found.length > 0 ? found : inspect(schema, value, at);
}

const looks: Record<string, Look> = {
  Literal: (schema, value, at) =>
    value === schema.const ? [] : [{ at, rule: 'choice', detail: String(schema.const) }],
  Enum: (schema, value, at) =>
    schema.enum.includes(value) ? [] : [{ at, rule: 'choice', detail: schema.enum.join(', ') }],
  Boolean: (_, value, at) => (typeof value === 'boolean' ? [] : [{ at, rule: 'boolean' }]),
  String(schema, value, at) {
    if (typeof value !== 'string') return [{ at, rule: 'text' }];
    return [...value].length > schema.maxLength ? [{ at, rule: 'long', detail: String(schema.maxLength) }] : [];
  },
  Integer({ minimum, maximum }, value, at) {
    const isGood = Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
    return isGood ? [] : [{ at, rule: 'number', detail: `${minimum}–${maximum}` }];
  },
  Array({ items, minItems = 0, maxItems }, value, at, inner) {
    if (!Array.isArray(value)) return [{ at, rule: 'list' }];
    if (value.length < minItems || value.length > maxItems)
      return [{ at, rule: 'count', detail: `${minItems}–${maxItems}` }];
    return value.flatMap((one, i) => inner(items, one, below(at, i)));
  },
  Record({ patternProperties }, value, at, inner) {
    if (!isObject(value)) return [{ at, rule: 'object' }];
    const [of] = Object.values(patternProperties);
    return Object.entries(value).flatMap(([name, one]) => inner(of!, one, below(at, name)));
  },
  Object({ properties, required = [] }, value, at, inner) {
    if (!isObject(value)) return [{ at, rule: 'object' }];
    const names = Object.keys(properties);
    const missing = required.filter(name => !Object.hasOwn(value, name));
    const unknown = Object.keys(value).filter(name => !names.includes(name));
    return [
      ...missing.map(name => ({ at: below(at, name), rule: 'missing' }) as const),
      ...unknown.map(name => ({ at: below(at, name), rule: 'member', detail: names.join(', ') }) as const),
      ...names
        .filter(name => Object.hasOwn(value, name))
        .flatMap(name => inner(properties[name]!, value[name], below(at, name))),
    ];
  },
  Union({ anyOf }, value, at, inner) {
    if (!isObject(value)) return [{ at, rule: 'object' }];
    const kinds = anyOf.map(
      one => (one as unknown as { properties: { kind: { const: string } } }).properties.kind.const,
    );
    const branch = anyOf[kinds.indexOf(String(value['kind']))];
    return branch ? inner(branch, value, at) : [{ at: below(at, 'kind'), rule: 'choice', detail: kinds.join(', ') }];
  },
};
