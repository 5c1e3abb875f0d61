// Validation by TypeBox's compiled schemas: for members without leniency, and for answers.
import { Compile } from 'typebox/schema';
import type { TSchema } from './type.ts';

/** `field` as handlers and pages name it (`rows.3.name`, '' for the whole value); `rule` is the keyword of the schema. */
type Fault = { field: string; rule: string };

export type Checker = (value: unknown) => Fault | null;

/** Compiled on first use: each takes 0.1 to 1 ms, which a start with some hundred operations would notice. */
export function checkerOf(schema: TSchema): Checker {
  let compiled: ReturnType<typeof Compile> | undefined;
  return value => {
    compiled ??= Compile(schema);
    return compiled.Check(value) ? null : firstFault(compiled.Errors(value)[1]);
  };
}

type Found = { keyword: string; instancePath: string; params: object };

/** For a union, TypeBox lists the errors of its branches first; the union itself comes last and is the real error. */
function firstFault(errors: Found[]): Fault {
  const { keyword, instancePath, params } = errors.findLast(one => one.keyword === 'anyOf') ?? errors[0]!;
  const missing = (params as { requiredProperties?: string[] }).requiredProperties?.[0];
  const path = instancePath.split('/').slice(1).map(unescaped);
  return { field: [...path, ...(missing === undefined ? [] : [missing])].join('.'), rule: keyword };
}

/** Paths as JSON pointers write them. */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
