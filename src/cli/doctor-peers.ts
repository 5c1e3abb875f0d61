// The doctor's checks beyond this host: webhook addresses, the consent registry, and the dates of certificates.

import { type Db, rows, sql } from '../db/db.ts';
import type { Config } from '../settings/config.ts';
import { readTlsPair } from '../settings/tls-files.ts';
import { certificateTrouble, lookAtPeers, type Peer, type PeerSeen, peerOfUrl } from './peer-look.ts';

type Seen = { saw: string; wrong: string[] };

// Each host is checked once. An installation with more of them has other monitoring.
const hostsMax = 100;

const webhooksSql = sql<{ url: string; accounts: number }>('doctor webhooks')`
  select min(url) as url, count(*) as accounts from webhook_endpoints where url <> ''
  group by substring(url from '^[^/]*//[^/]*') order by count(*) desc limit $1`;
const secureCarriersSql = sql<{ name: string; host: string; port: number; verify: boolean }>('doctor secure carriers')`
  select name, host, port, tls_verify as verify from carriers where tls and not paused order by name`;

export async function webhooksReachable(db: Db): Promise<Seen> {
  const found = await rows(db, webhooksSql, [hostsMax]);
  const seen = await lookAtPeers(found.map(one => peerOfUrl(new URL(one.url).host, one.url)));
  const wrong = seen.filter(one => one.trouble).map(one => `${one.name} cannot be reached: ${one.trouble}`);
  return { saw: `${seen.length - wrong.length} of ${seen.length} hosts reached`, wrong };
}

export async function registryReachable(url: string): Promise<string[]> {
  if (url === '') return [];
  const [seen] = await lookAtPeers([peerOfUrl('the registry', url)]);
  return seen!.trouble ? [`the registry cannot be reached: ${seen!.trouble}`] : [];
}

export async function certificateDates(db: Db, config: Config): Promise<Seen> {
  const carriers = await rows(db, secureCarriersSql);
  const peers: Peer[] = carriers.map(one => ({ ...one, name: `carrier ${one.name}`, tls: true }));
  if (config.PEYK_REGISTRY_URL.startsWith('https:')) peers.push(peerOfUrl('registry', config.PEYK_REGISTRY_URL));
  const seen = [...(await lookAtPeers(peers)), ...ownCertificate(config)];
  const wrong = seen.flatMap(({ name, trouble, validTo }) =>
    trouble ? [`${name}: ${trouble}`] : [validTo && certificateTrouble(name, validTo)].filter(one => one !== null),
  );
  const next = seen.flatMap(one => one.validTo ?? []).sort((a, b) => a.getTime() - b.getTime())[0];
  return {
    saw: next ? `${seen.length} looked at, the next ends on ${next.toISOString().slice(0, 10)}` : 'none in use',
    wrong,
  };
}

function ownCertificate({ PEYK_TLS_CERT: cert, PEYK_TLS_KEY: key }: Config): PeerSeen[] {
  if (!cert) return [];
  try {
    return [{ name: 'our own', trouble: null, validTo: readTlsPair({ cert, key }).validTo }];
  } catch (error) {
    return [{ name: 'our own', trouble: (error as Error).message, validTo: null }];
  }
}
