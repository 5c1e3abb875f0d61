// Addresses of the IP lists in one canonical spelling; IPv4 inside IPv6 is unwrapped.
import { BlockList, isIP, isIPv6 } from 'node:net';

/** The canonical spelling, or null when it is no address. */
export function canonicalAddress(text: string): string | null {
  const spelled = text.trim().toLowerCase();
  const kind = isIP(spelled);
  if (kind === 4) return spelled;
  if (kind !== 6 || spelled.includes('%')) return null;
  const host = new URL(`http://[${spelled}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (!mapped) return host;
  const high = Number.parseInt(mapped[1]!, 16);
  const low = Number.parseInt(mapped[2]!, 16);
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

export function addressAllowed(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true;
  const canonical = canonicalAddress(address);
  return canonical !== null && list.includes(canonical);
}

/** An address or a network (192.0.2.0/28) in its canonical spelling, or null when it is neither. */
export function readNetwork(text: string): string | null {
  const [given, bits, ...more] = text.trim().split('/');
  const address = canonicalAddress(given ?? '');
  if (!address || more.length > 0) return null;
  if (bits === undefined) return address;
  const most = isIP(address) === 4 ? 32 : 128;
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > most) return null;
  return Number(bits) === most ? address : `${address}/${Number(bits)}`;
}

/**
 * Whether the address is one of these addresses or in one of these networks (192.0.2.0/28); an empty list contains
 * nobody.
 */
export function isInNetworks(list: readonly string[], address: string): boolean {
  const canonical = canonicalAddress(address);
  if (!canonical) return false;
  const networks = new BlockList();
  for (const one of list) {
    const [network = '', bits] = one.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    if (!isIP(network)) continue;
    if (bits === undefined) networks.addAddress(network, family);
    else networks.addSubnet(network, Number(bits), family);
  }
  return networks.check(canonical, isIP(canonical) === 6 ? 'ipv6' : 'ipv4');
}

/** An IPv4 address itself, or the /64 of an IPv6 address: somebody with one address of it usually has all of them. */
export function networkOf(address: string): string {
  const given = address.replace(/%.*$/, '').toLowerCase();
  const spelled = canonicalAddress(given) ?? given;
  if (!isIPv6(spelled)) return spelled;
  const [head = '', tail = ''] = spelled.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  const zeros = spelled.includes('::')
    ? Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
    : [];
  const words = [...first, ...zeros, ...last].slice(0, 4);
  return `${words.map(word => Number.parseInt(word, 16).toString(16)).join(':')}::/64`;
}
