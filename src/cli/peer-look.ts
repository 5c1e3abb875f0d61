// Connects to a peer from this host and reads its certificate. Nothing is sent beyond the handshake, so that checking a webhook
// posts nothing.
import { isIP, connect as plainConnect, type Socket } from 'node:net';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import { now } from '../time/clock.ts';
import { errorText } from './command.ts';

export type Peer = { name: string; host: string; port: number; tls: boolean; verify?: boolean; ca?: string };
export type PeerSeen = { name: string; trouble: string | null; validTo: Date | null };

const lookMaxMs = 5_000;
const atOnce = 8;
const dayMs = 86_400_000;
/** Certificates are usually renewed 30 days before their end; fewer days mean that renewal failed. */
const certificateDaysMin = 14;

export function peerOfUrl(name: string, url: string): Peer {
  const { hostname, port, protocol } = new URL(url);
  const tls = protocol === 'https:';
  return { name, host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (tls ? 443 : 80)), tls };
}

/** Eight peers at a time, each for five seconds at most. */
export async function lookAtPeers(peers: Peer[]): Promise<PeerSeen[]> {
  const seen: PeerSeen[] = [];
  for (let at = 0; at < peers.length; at += atOnce)
    seen.push(...(await Promise.all(peers.slice(at, at + atOnce).map(lookAt))));
  return seen;
}

function lookAt(peer: Peer): Promise<PeerSeen> {
  const { name, host, port, tls, verify = true, ca } = peer;
  return new Promise(resolve => {
    const servername = isIP(host) ? undefined : host;
    const socket: Socket = tls
      ? tlsConnect({ host, port, servername, ca, rejectUnauthorized: verify })
      : plainConnect({ host, port });
    const end = (trouble: string | null, validTo: Date | null = null) => {
      socket.destroy();
      resolve({ name, trouble, validTo });
    };
    socket.setTimeout(lookMaxMs, () => end(`no answer from ${host}:${port} in ${lookMaxMs / 1_000} s`));
    socket.once('error', error => end(`${host}:${port}: ${errorText(error)}`));
    socket.once(tls ? 'secureConnect' : 'connect', () => end(null, tls ? endOf(socket as TLSSocket) : null));
  });
}

function endOf(socket: TLSSocket): Date | null {
  const { valid_to: until } = socket.getPeerCertificate();
  return until ? new Date(until) : null;
}

/** The fault of a certificate's dates, or null. */
export function certificateTrouble(name: string, validTo: Date): string | null {
  const days = Math.floor((validTo.getTime() - now().getTime()) / dayMs);
  if (days >= certificateDaysMin) return null;
  const when = validTo.toISOString().slice(0, 10);
  return validTo < now()
    ? `${name}: the certificate ended on ${when}`
    : `${name}: the certificate ends on ${when}, in ${days} days`;
}
