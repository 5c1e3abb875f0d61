import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

const refused = [
  '0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.255.254',
  '168.63.129.16', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.168.1.1', '198.18.0.1',
  '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255',
  '::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::7f00:1', '64:ff9b::7f00:1', '64:ff9b:1::1',
  '2002:7f00:1::', '2001:0:7f00:1::', '2001:db8::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1',
  'ff02::1', '100::1', '4000::1',
  'localhost', '127.1', '0x7f.1', '',
]; // biome-ignore format: a table
const allowed = ['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.1', '100.63.255.255', '100.128.0.1', '223.255.255.255',
  '2606:4700:4700::1111', '2a00:1450:4017:80f::200e']; // biome-ignore format: a table

test.each(refused)('%s is not public', address => expect(isPublicAddress(address)).toBe(false));
test.each(allowed)('%s is public', address => expect(isPublicAddress(address)).toBe(true));
