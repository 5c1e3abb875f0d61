// Readers of setting values: each throws with what the value must be. config.ts has the table.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { readKeys } from '../sealing/secrets.ts';
import { placesOf } from './database-places.ts';
import { didYouMean } from './spelling.ts';

export const allRoles = ['api', 'dispatch', 'webhooks', 'consent', 'smpp'] as const;
export type Role = (typeof allRoles)[number];
const simulatorNames = ['smsc', 'registry'];

export function text(value: string): string {
  return value;
}

/** An absolute path of a file; '' = none. */
export function path(value: string): string {
  return value === '' ? '' : resolve(value);
}

/** Where backups are kept: an absolute folder, or s3://bucket/prefix; '' = nowhere. */
export function backupTarget(value: string): string {
  if (/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[A-Za-z0-9._-]+)*\/?$/.test(value)) return value;
  if (/^[a-z0-9]+:\/\//i.test(value)) throw new Error('must be a folder, or like s3://bucket/prefix');
  return path(value);
}

function list(value: string): string[] {
  return value
    .split(',')
    .map(one => one.trim())
    .filter(Boolean);
}

export function roles(value: string): Role[] {
  const chosen = someOf(value, allRoles);
  if (!chosen.length) throw new Error(`must be some of ${allRoles.join(', ')}`);
  return chosen as Role[];
}

/** The cells a node works for: `all`, or their numbers. */
export function cellsServed(value: string): 'all' | number[] {
  if (value === 'all') return 'all';
  const chosen = list(value);
  if (chosen.length === 0 || chosen.some(one => !/^\d{1,4}$/.test(one)))
    throw new Error('must be all, or numbers of cells such as 0,2');
  return chosen.map(Number);
}

export function simulators(value: string): string[] {
  return someOf(value, simulatorNames);
}

function someOf(value: string, known: readonly string[]): string[] {
  const chosen = list(value);
  const wrong = chosen.find(one => !known.includes(one));
  if (wrong !== undefined)
    throw new Error(`must be some of ${known.join(', ')}, not ${wrong}${didYouMean(wrong, known)}`);
  return chosen;
}

const networkNames = ['loopback', 'linklocal', 'uniquelocal'];

/** Addresses, networks (10.0.0.0/8) or the names of the usual private ones. */
export function networks(value: string): string[] {
  const chosen = list(value);
  const wrong = chosen.find(one => !isNetwork(one));
  if (wrong !== undefined)
    throw new Error(
      `must be addresses or networks such as 10.0.0.5, 10.0.0.0/8, ${networkNames.join(', ')}, not ${wrong}`,
    );
  return chosen;
}

function isNetwork(text: string): boolean {
  if (networkNames.includes(text)) return true;
  const [address, mask, ...more] = text.split('/');
  const version = isIP(address!);
  if (!version || more.length) return false;
  if (mask === undefined) return true;
  return /^\d{1,3}$/.test(mask) ? Number(mask) <= (version === 4 ? 32 : 128) : version === 4 && isIP(mask) === 4;
}

export function databaseUrl(value: string): string {
  if (value !== '' && !/^(postgres(ql)?:\/\/|socket:)/.test(value))
    throw new Error('must look like postgresql://user:password@host:5432/database');
  placesOf(value);
  return value;
}

export function httpUrl(value: string): string {
  if (value !== '' && !(/^https?:\/\//.test(value) && URL.canParse(value)))
    throw new Error('must be an http or https address');
  return value;
}

export function share(value: string): number {
  if (!/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(value)) throw new Error('must be a number from 0 to 1');
  return Number(value);
}

export function secretKey(value: string): string {
  if (value !== '' && !readKeys(value))
    throw new Error('must be the base64 form of 32 bytes, as openssl rand -base64 32 makes it');
  return value;
}

export function apiKey(value: string): string {
  if (!/^[\x21-\x7e]{0,128}$/.test(value)) throw new Error('must be at most 128 printable characters without blanks');
  return value;
}

export function port(value: string): number {
  return whole(value, 0, 65_535);
}

/** null: not opened. */
export function portOrOff(value: string): number | null {
  return value === '' || value.toLowerCase() === 'off' ? null : port(value);
}

export function count(min: number, max: number): (value: string) => number {
  return value => whole(value, min, max);
}

function whole(value: string, min: number, max: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) throw new Error(`must be a whole number from ${min} to ${max}`);
  return number;
}

export function flag(value: string): boolean {
  const word = value.toLowerCase();
  if (['1', 'on', 'true', 'yes'].includes(word)) return true;
  if (['', '0', 'off', 'false', 'no'].includes(word)) return false;
  throw new Error('must be on or off');
}

/** Scheme and host, without a slash at the end; '' = not set. */
export function publicUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (value !== '' && !(url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username))
    throw new Error('must be like https://sms.example.com, without a path');
  return url?.origin ?? '';
}

export function operatorCode(value: string): string {
  if (!/^[A-Za-z0-9]{0,8}$/.test(value)) throw new Error('must be at most 8 letters or digits');
  return value;
}

export function content(value: string): 'plain' | 'sealed' {
  if (value !== 'plain' && value !== 'sealed') throw new Error('must be plain or sealed');
  return value;
}

export function logFormat(value: string): 'auto' | 'json' | 'text' {
  if (value !== 'auto' && value !== 'json' && value !== 'text') throw new Error('must be auto, json or text');
  return value;
}

export function logLevel(value: string): string {
  if (!['debug', 'info', 'warn', 'error', 'silent'].includes(value))
    throw new Error('must be debug, info, warn or error');
  return value;
}
