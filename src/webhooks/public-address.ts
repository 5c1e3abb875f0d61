// Which addresses a customer's webhook may lead to: only those of the public internet. Everything special by the IANA
// registries is refused, and of IPv6 all that could carry an IPv4 address inside (mapped, NAT64, 6to4, Teredo), because
// behind such an address a private one may hide. Cloud metadata services lie in these ranges, except Azure's.
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
