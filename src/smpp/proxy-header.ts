// The PROXY protocol (versions 1 and 2): a TCP balancer writes the customer's address in front of the connection's own octets.
// https://www.haproxy.org/download/1.8/doc/proxy-protocol.txt
import { isIP, type Socket } from 'node:net';

/** `address` null: the proxy speaks for itself (a health check). `bytes`: how long the header is. */
type ProxyHeader = { address: string | null; port: number; bytes: number };

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const prefixV1 = Buffer.from('PROXY ');
const headV2 = 16;
const bytesMaxV1 = 107;
/** Longest header of version 2: addresses of any family and TLVs. */
const bytesMaxV2 = 536;

/** null: more octets are needed. */
export function parseProxyHeader(octets: Buffer): ProxyHeader | 'malformed' | null {
  if (isBegin(octets, signature)) return octets.length < headV2 ? null : versionTwo(octets);
  if (isBegin(octets, prefixV1)) return versionOne(octets);
  return 'malformed';
}

function isBegin(octets: Buffer, of: Buffer): boolean {
  const length = Math.min(octets.length, of.length);
  return octets.compare(of, 0, length, 0, length) === 0;
}

function versionOne(octets: Buffer): ProxyHeader | 'malformed' | null {
  const end = octets.subarray(0, bytesMaxV1).indexOf('\r\n');
  if (end < 0) return octets.length < bytesMaxV1 ? null : 'malformed';
  const [, family, address = '', , port = '', ...more] = octets.toString('latin1', 0, end).split(' ');
  const bytes = end + 2;
  if (family === 'UNKNOWN') return { address: null, port: 0, bytes };
  const kind = family === 'TCP4' ? 4 : family === 'TCP6' ? 6 : null;
  if (kind === null || isIP(address) !== kind || more.length !== 1 || !/^\d{1,5}$/.test(port)) return 'malformed';
  return { address, port: Number(port), bytes };
}

function versionTwo(octets: Buffer): ProxyHeader | 'malformed' | null {
  const [version, command] = [octets[12]! >> 4, octets[12]! & 15];
  const bytes = headV2 + octets.readUInt16BE(14);
  if (version !== 2 || command > 1 || bytes > bytesMaxV2) return 'malformed';
  if (octets.length < bytes) return null;
  const family = octets[13]! >> 4;
  if (command === 0 || family === 0) return { address: null, port: 0, bytes };
  const own = octets.subarray(headV2, bytes);
  if (family === 1 && own.length >= 12)
    return { address: own.subarray(0, 4).join('.'), port: own.readUInt16BE(8), bytes };
  if (family !== 2 || own.length < 36) return 'malformed';
  const words = Array.from({ length: 8 }, (_, i) => own.readUInt16BE(i * 2).toString(16));
  return { address: words.join(':'), port: own.readUInt16BE(32), bytes };
}

/** Reads the header and passes the connection on, paused, with the octets after the header unread. */
export function readProxyHeader(socket: Socket, done: (header: ProxyHeader | 'malformed') => void): void {
  let have: Buffer = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    have = Buffer.concat([have, chunk]);
    const header = parseProxyHeader(have);
    if (header === null) return;
    socket.removeListener('data', onData);
    socket.pause();
    if (header !== 'malformed' && have.length > header.bytes) socket.unshift(have.subarray(header.bytes));
    done(header);
  };
  socket.on('data', onData);
}
