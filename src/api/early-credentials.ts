// Finds credentials near the beginning of a large body before the rest is read. They only decide whose share of memory the body
// uses, a customer's or a stranger's. So it is enough to recognise what nearly every client writes: JSON, XML (also encoded in
// a form field) and form fields. An unrecognised body counts as a stranger's.
import type { Way } from '../accounts/authenticate.ts';

type Pair = { key: string; hash: string; way: Way };

const writings = [
  (name: string) => new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]{1,200})"`),
  (name: string) => new RegExp(`<${name}>(?:<!\\[CDATA\\[)?([^<\\]]{1,200})(?:\\]\\]>)?</${name}>`),
  (name: string) => new RegExp(`(?:^|&)${name}=([^&\\s]{1,200})`),
].flatMap(writing => [
  { way: 'key' as const, key: writing('key'), hash: writing('hash') },
  { way: 'old-login' as const, key: writing('username'), hash: writing('password') },
]);

const encodedTag = /%3C/i;

export function findCredentials(start: Buffer): Pair | null {
  const text = start.toString('latin1');
  const decoded = encodedTag.test(text) ? decodeOctets(text) : text;
  for (const { way, key, hash } of writings) {
    const found = { key: key.exec(decoded)?.[1], hash: hash.exec(decoded)?.[1] };
    if (found.key !== undefined && found.hash !== undefined) return { key: found.key, hash: found.hash, way };
  }
  return null;
}

function decodeOctets(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_whole, octet: string) => String.fromCharCode(Number.parseInt(octet, 16)));
}
