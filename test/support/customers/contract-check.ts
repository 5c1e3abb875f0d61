// Checks every answer of a test against the contract: status, members, types, and nothing undocumented.
import { refusalSchema, successSchema } from '../../../src/api/envelope-contract.ts';
import { codesOf } from '../../../src/api/openapi.ts';
import { operations } from '../../../src/api/operations.ts';
import { type Checker, checkerOf } from '../../../src/contract/check.ts';
import type { TSchema } from '../../../src/contract/type.ts';

const answers = new Map<string, Checker>(
  operations.flatMap(operation =>
    codesOf(operation).map((code): [string, Checker] => [
      `${operation.name} ${code}`,
      checkerOf(closed(code === 200 ? successSchema(operation) : refusalSchema(code))),
    ]),
  ),
);

/** null, or what is wrong with it. */
export function breachOf(operation: string, code: number, answer: object): string | null {
  const check = answers.get(`${operation} ${code}`);
  if (!check) return `${operation} must not answer ${code}`;
  const fault = check(answer);
  return fault && `${operation} ${code}: ${fault.field} breaks ${fault.rule}`;
}

/** The same schema, no further members allowed. */
function closed(schema: unknown): TSchema {
  if (Array.isArray(schema)) return schema.map(closed) as TSchema;
  if (typeof schema !== 'object' || schema === null) return schema as unknown as TSchema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return 'properties' in copy ? { additionalProperties: false, ...copy } : copy;
}
