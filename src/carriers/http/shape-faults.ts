// Everything that a value has against a schema, each at its place: of a union the branch that its `kind` names is meant. For
// people who write descriptions by hand; check-definition.test.ts holds it to say the same as the library's checker.
import { kindOf, type TSchema } from '../../contract/type.ts';
import type { Fault } from './definition-words.ts';

/** What schemas of all kinds have; each kind has some of it. */
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
type Look = (schema: Members, value: unknown, at: string) => Fault[];

const below = (at: string, name: string | number) => (at === '' ? String(name) : `${at}.${name}`);
const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

export function shapeFaults(schema: TSchema, value: unknown, at = ''): Fault[] {
  return (looks[kindOf(schema) ?? ''] ?? (() => []))(schema as unknown as Members, value, at);
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
  Array({ items, minItems = 0, maxItems }, value, at) {
    if (!Array.isArray(value)) return [{ at, rule: 'list' }];
    if (value.length < minItems || value.length > maxItems)
      return [{ at, rule: 'count', detail: `${minItems}–${maxItems}` }];
    return value.flatMap((one, i) => shapeFaults(items, one, below(at, i)));
  },
  Record({ patternProperties }, value, at) {
    if (!isObject(value)) return [{ at, rule: 'object' }];
    const [of] = Object.values(patternProperties);
    return Object.entries(value).flatMap(([name, one]) => shapeFaults(of!, one, below(at, name)));
  },
  Object({ properties, required = [] }, value, at) {
    if (!isObject(value)) return [{ at, rule: 'object' }];
    const names = Object.keys(properties);
    const missing = required.filter(name => !Object.hasOwn(value, name));
    const unknown = Object.keys(value).filter(name => !names.includes(name));
    return [
      ...missing.map(name => ({ at: below(at, name), rule: 'missing' }) as const),
      ...unknown.map(name => ({ at: below(at, name), rule: 'member', detail: names.join(', ') }) as const),
      ...names
        .filter(name => Object.hasOwn(value, name))
        .flatMap(name => shapeFaults(properties[name]!, value[name], below(at, name))),
    ];
  },
  Union({ anyOf }, value, at) {
    if (!isObject(value)) return [{ at, rule: 'object' }];
    const kinds = anyOf.map(
      one => (one as unknown as { properties: { kind: { const: string } } }).properties.kind.const,
    );
    const branch = anyOf[kinds.indexOf(String(value['kind']))];
    return branch
      ? shapeFaults(branch, value, at)
      : [{ at: below(at, 'kind'), rule: 'choice', detail: kinds.join(', ') }];
  },
};
