// Validation by TypeBox's compiled schemas: for members without leniency, and for answers.
import { Compile } from 'typebox/schema';
import type { TSchema } from './type.ts';

/** `field` as handlers and pages name it (`rows.3.name`, '' for the whole), `rule` is the keyword of the schema. */
export type Fault = { field: string; rule: string };

export type Checker = (value: unknown) => Fault | null;

/** Compiled when it is first used: 0.1 to 1 ms each, which a start with some hundred operations would feel. */
export function checkerOf(schema: TSchema): Checker {
  let compiled: ReturnType<typeof Compile> | undefined;
  return value => {
    compiled ??= Compile(schema);
    return compiled.Check(value) ? null : firstFault(compiled.Errors(value)[1]);
  };
}

type Found = { keyword: string; instancePath: string; params: object };

/** Of a union TypeBox tells the branches' faults first; the union itself comes last and is what has failed. */
function firstFault(errors: Found[]): Fault {
  const { keyword, instancePath, params } = errors.findLast(one => one.keyword === 'anyOf') ?? errors[0]!;
  const missing = (params as { requiredProperties?: string[] }).requiredProperties?.[0];
  const path = instancePath.split('/').slice(1).map(unescaped);
  return { field: [...path, ...(missing === undefined ? [] : [missing])].join('.'), rule: keyword };
}

/** As JSON pointers write them. */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
