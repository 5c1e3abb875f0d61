// Reads a request by its schema, member by member: lenient members by their own reader, all others after validation. `x-also`
// names an older spelling of a member. Unknown members are ignored, and nothing is read from a prototype.
import { checkerOf } from './check.ts';
import { type Read, readingOf, wrong } from './lenient.ts';
import { isOptional, kindOf, type TArray, type TObject, type TSchema } from './type.ts';

type Members = Record<string, unknown>;

/** Refuses by throwing what `refuse` returns for the member's name. */
type Step = (value: unknown, field: string) => unknown;

export function readerOf<S extends TSchema>(schema: S, refuse: (field: string) => Error): (value: unknown) => Read<S> {
  const step = stepOf(schema, refuse);
  return value => step(value, '') as Read<S>;
}

function stepOf(schema: TSchema, refuse: (field: string) => Error): Step {
  const read = readingOf(schema);
  if (read)
    return (value, field) => {
      const taken = read(value);
      if (taken === wrong) throw refuse(field);
      return taken;
    };
  if (kindOf(schema) === 'Object') return objectStep(schema as TObject, refuse);
  if (kindOf(schema) === 'Array' && hasLeniency(schema)) return listStep(schema as TArray, refuse);
  return checkedStep(schema, refuse);
}

function objectStep(schema: TObject, refuse: (field: string) => Error): Step {
  const steps = Object.entries(schema.properties).map(([name, member]) => ({
    name,
    step: stepOf(member, refuse),
    also: (member as { 'x-also'?: string })['x-also'],
    // A lenient member decides itself what its absence means.
    mayLack: isOptional(member) && readingOf(member) === undefined,
  }));
  return (value, field) => {
    const members = asMembers(value);
    if (!members) throw refuse(field);
    const taken: Members = {};
    for (const { name, step, also, mayLack } of steps) {
      const member = also === undefined ? own(members, name) : (own(members, name) ?? own(members, also));
      taken[name] = mayLack && member === undefined ? undefined : step(member, joined(field, name));
    }
    return taken;
  };
}

function listStep(schema: TArray, refuse: (field: string) => Error): Step {
  const step = stepOf(schema.items, refuse);
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema as { minItems?: number; maxItems?: number };
  return (value, field) => {
    if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) throw refuse(field);
    return value.map((one, i) => step(one, joined(field, String(i))));
  };
}

function checkedStep(schema: TSchema, refuse: (field: string) => Error): Step {
  const faultOf = checkerOf(schema);
  return (value, field) => {
    const fault = faultOf(value);
    if (fault) throw refuse(fault.field ? joined(field, fault.field) : field);
    return value;
  };
}

function hasLeniency(schema: TSchema): boolean {
  if (readingOf(schema)) return true;
  const { properties, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema };
  return items ? hasLeniency(items) : Object.values(properties ?? {}).some(hasLeniency);
}

function joined(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}

/** Returns the object under a name, or undefined for anything else (arrays are not objects here). */
export function asMembers(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

/** Only members that the caller sent, not inherited ones. */
export function own(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
