// Lists of addresses and networks in the settings.
import proxyAddress from '@fastify/proxy-addr';

/** Returns a function that tells whether an address is on the list or in one of its networks. */
export function onNetworks(list: string[]): (address: string) => boolean {
  const isOn = proxyAddress.compile(list);
  return address => isOn(address, 0);
}
