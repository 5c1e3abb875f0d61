// Reads the browser's input by the operation's schema; a refusal names the member.

import type { Read } from '../../contract/lenient.ts';
import { readerOf } from '../../contract/reader.ts';
import type { TSchema } from '../../contract/type.ts';
import { PanelRefusal } from '../words/errors.ts';

export type Members = Record<string, unknown>;

export function inputReader<S extends TSchema>(schema: S): (value: unknown) => Read<S> {
  return readerOf(schema, bad);
}

export function bad(field: string): PanelRefusal {
  return new PanelRefusal('bad-input', { field });
}

export function iso(time: Date): string;
export function iso(time: Date | null): string | null;
export function iso(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}
