// The address list of an SMPP user: single addresses and networks (192.0.2.0/28). Unlike the list of the API an empty one lets
// nobody in: a password of eight characters alone must not be enough.
import { isIP } from 'node:net';
import { canonicalAddress } from '../accounts/address.ts';

export const addressesMax = 20;

/** In one spelling, or null when it is none. */
export function readNetwork(text: string): string | null {
  const [given, bits, ...more] = text.trim().split('/');
  const address = canonicalAddress(given ?? '');
  if (!address || more.length > 0) return null;
  if (bits === undefined) return address;
  const most = isIP(address) === 4 ? 32 : 128;
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > most) return null;
  return Number(bits) === most ? address : `${address}/${Number(bits)}`;
}
