// Checks that a post comes from the carrier, by the rule in the carrier's description. The secret in the path is checked before.
import { createHmac } from 'node:crypto';
import { isInNetworks } from '../../accounts/address.ts';
import type { Check } from '../../carriers/http/definition.ts';
import { fill, type Values } from '../../carriers/http/placeholders.ts';
import { isEqualSecret } from '../../sealing/digest.ts';
import { nowMs } from '../../time/clock.ts';
import { basicHeader } from './request.ts';

type Over = Extract<Check, { kind: 'hmac' }>['over'];
/** `url`: as the carrier requested it. */
export type Posted = { url: string; headers: Record<string, string | undefined>; body: string; address: string };

export function isGenuine(check: Check | undefined, values: Values, posted: Posted): boolean {
  if (!check) return true;
  const filled = (text: string) => fill(text, values) ?? '';
  switch (check.kind) {
    case 'basic':
      return isEqualSecret(
        posted.headers['authorization'] ?? '',
        basicHeader(filled(check.user), filled(check.password)),
      );
    case 'header':
      return isEqualSecret(posted.headers[check.name.toLowerCase()] ?? '', filled(check.value));
    case 'addresses':
      return isInNetworks(check.list, posted.address);
    case 'hmac': {
      const key = filled(check.key);
      const given = posted.headers[check.header.toLowerCase()] ?? '';
      const time = check.time ? (posted.headers[check.time.header.toLowerCase()] ?? '') : '';
      if (check.time && !isRecent(time, check.time.seconds)) return false;
      const text = signedText(check.over, posted, time);
      const wanted = createHmac(check.algorithm, key).update(text).digest(check.encoding);
      return key !== '' && isEqualSecret(given, (check.prefix ?? '') + wanted);
    }
  }
}

/** The carrier's clock may be ahead of ours by as much as it may be behind. */
function isRecent(time: string, seconds: number): boolean {
  return /^\d{9,11}$/.test(time) && Math.abs(nowMs() / 1_000 - Number(time)) <= seconds;
}

function signedText(over: Over, { url, body }: Posted, time: string): string {
  if (over === 'body') return body;
  if (over === 'time.body') return `${time}.${body}`;
  if (over === 'url+body') return url + body;
  const pairs = [...new URLSearchParams(body)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return url + pairs.map(([name, value]) => name + value).join('');
}
