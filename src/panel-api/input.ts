// Reading what the browser sent: each function takes one member or refuses with its name. Texts never hold a NUL (the
// database cannot store it) and are never longer than asked for.
import { fromTurkeyTime } from '../clock.ts';
import { PanelRefusal } from './errors.ts';

export type Members = Record<string, unknown>;

const textMax = 1_000;

export function asMembers(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

export function own(input: Members, name: string): unknown {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}

export function text(input: Members, name: string, max = textMax): string {
  const value = own(input, name);
  if (typeof value !== 'string' || value.length > max || value.includes('\0')) throw bad(name);
  return value;
}

/** Absent, null and '' are all "not given". */
export function optionalText(input: Members, name: string, max = textMax): string | undefined {
  const value = own(input, name);
  return value === undefined || value === null || value === '' ? undefined : text(input, name, max);
}

export function someText(input: Members, name: string, max = textMax): string {
  const value = text(input, name, max).trim();
  if (value === '') throw bad(name);
  return value;
}

export function id(input: Members, name: string): number {
  const value = own(input, name);
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) throw bad(name);
  return value;
}

export function optionalId(input: Members, name: string): number | undefined {
  const value = own(input, name);
  return value === undefined || value === null ? undefined : id(input, name);
}

export function whole(input: Members, name: string, min: number, max: number): number {
  const value = own(input, name);
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max) throw bad(name);
  return value;
}

export function optionalWhole(input: Members, name: string, min: number, max: number): number | undefined {
  const value = own(input, name);
  return value === undefined || value === null ? undefined : whole(input, name, min, max);
}

export function flag(input: Members, name: string): boolean {
  const value = own(input, name);
  if (typeof value !== 'boolean') throw bad(name);
  return value;
}

export function optionalFlag(input: Members, name: string): boolean | undefined {
  const value = own(input, name);
  return value === undefined || value === null ? undefined : flag(input, name);
}

export function oneOf<T extends string>(input: Members, name: string, allowed: readonly T[]): T {
  const value = own(input, name);
  if (typeof value !== 'string' || !(allowed as readonly string[]).includes(value)) throw bad(name);
  return value as T;
}

export function optionalOneOf<T extends string>(input: Members, name: string, allowed: readonly T[]): T | undefined {
  const value = own(input, name);
  return value === undefined || value === null || value === '' ? undefined : oneOf(input, name, allowed);
}

export function texts(input: Members, name: string, countMax: number, lengthMax = 200): string[] {
  const value = own(input, name);
  if (!Array.isArray(value) || value.length > countMax) throw bad(name);
  for (const one of value) if (typeof one !== 'string' || one.length > lengthMax || one.includes('\0')) throw bad(name);
  return value as string[];
}

export function ids(input: Members, name: string, countMax: number): number[] {
  const value = own(input, name);
  if (!Array.isArray(value) || value.length > countMax) throw bad(name);
  if (value.some(one => !Number.isSafeInteger(one) || one < 1)) throw bad(name);
  return value as number[];
}

const day = /^(\d{4})-(\d{2})-(\d{2})$/;

/** An instant, or a bare day of Turkey's calendar: its beginning, with `isEnd` the beginning of the next. */
export function optionalTime(input: Members, name: string, isEnd = false): Date | undefined {
  const given = optionalText(input, name, 40);
  if (given === undefined) return undefined;
  const match = day.exec(given);
  if (match) {
    const begin = fromTurkeyTime(Number(match[1]), Number(match[2]), Number(match[3]), 0, 0, 0);
    if (!begin) throw bad(name);
    return isEnd ? new Date(begin.getTime() + 86_400_000) : begin;
  }
  const time = new Date(given);
  if (Number.isNaN(time.getTime()) || Math.abs(time.getTime()) > 8e12) throw bad(name);
  return time;
}

export function bad(field: string): PanelRefusal {
  return new PanelRefusal('bad-input', { field });
}

export function iso(time: Date): string;
export function iso(time: Date | null): string | null;
export function iso(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}
