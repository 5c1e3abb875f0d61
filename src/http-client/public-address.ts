// Which addresses a URL of a customer or a carrier may lead to: only those of the public internet. Every special range of the
// IANA registries is refused, and every IPv6 range that can carry an IPv4 address (mapped, NAT64, 6to4, Teredo), because a
// private address may hide in it. Cloud metadata services lie in these ranges, except Azure's.
import { BlockList, isIPv4, isIPv6 } from 'node:net';

const refusedV4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

// Outside of 2000::/3 nothing is global unicast; inside it, these are not either.
const refusedV6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const refused = new BlockList();
for (const [net, bits] of refusedV4) refused.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of refusedV6) refused.addSubnet(net, bits, 'ipv6');
const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return globalV6.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}

/** The host without the brackets that a URL puts around IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}
