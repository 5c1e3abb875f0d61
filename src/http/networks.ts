// Addresses and networks in the settings: whether an address is on one of them.
import proxyAddress from '@fastify/proxy-addr';

/** Whether an address is one of these, or in one of these networks. */
export function onNetworks(list: string[]): (address: string) => boolean {
  const isOn = proxyAddress.compile(list);
  return address => isOn(address, 0);
}
