// A throwaway key and self-signed certificate for 127.0.0.1 and localhost, made in memory so that the repository contains no
// key and no external program is needed. For tests only: just enough DER (X.509 v3, ECDSA P-256) for TLS.
import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 128
      ? Buffer.from([content.length])
      : content.length < 256
        ? Buffer.from([0x81, content.length])
        : Buffer.from([0x82, content.length >> 8, content.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/\D/g, '')}Z`));
const hourMs = 3_600_000;

export function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302')); // ecdsa-with-SHA256
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('localhost'))))); // commonName
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(8)]);
  const validity = sequence(utcTime(new Date(Date.now() - hourMs)), utcTime(new Date(Date.now() + 24 * hourMs)));
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = der(0xa3, sequence(sequence(oid('551d11'), der(0x04, names)))); // subjectAltName
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(version, der(0x02, serial), algorithm, name, validity, name, key, extensions);
  const signature = createSign('sha256').update(body).sign(privateKey);
  const cert = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature)).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}
