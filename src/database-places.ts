// Where the database may be. A DATABASE_URL may name several servers, as libpq's may:
// postgresql://user@one:5432,two:5432/peyk?target_session_attrs=read-write, or their sockets in ?host=/one,/two. The driver knows
// neither, so this takes them apart; primary.ts finds the one that takes writes.

export type Place = { host: string; port: number };
export type Places = {
  /** For the driver: as given, or with what several servers share. */
  url: string;
  /** Several, or none when there is only one and the driver reads it by itself. */
  several: Place[];
  /** A connection to a server that only reads is none. */
  mustWrite: boolean;
};

const usualPort = 5432;
const form = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(\/[^?]*)?(?:\?(.*))?$/;
// `any` is libpq's default. The others ask for a server that does not write.
const attributes = new Map([
  ['any', false],
  ['read-write', true],
  ['primary', true],
]);

/** Throws when it is not of use: the message says why. */
export function placesOf(url: string): Places {
  const [, start, authority = '', path = '', query = ''] = form.exec(url) ?? [];
  if (start === undefined) return { url, several: [], mustWrite: false };
  const wishes = new URLSearchParams(query);
  const wish = wishes.get('target_session_attrs') ?? 'any';
  const mustWrite = attributes.get(wish);
  if (mustWrite === undefined)
    throw new Error(`target_session_attrs must be read-write, primary or any: Peyk writes, and ${wish} may not`);
  const several = serversOf(wishes.get('host') || authority, wishes.get('port'), !wishes.get('host'));
  if (several.length === 1) return { url, several: [], mustWrite };
  for (const name of ['host', 'port', 'target_session_attrs']) wishes.delete(name);
  const rest = wishes.size > 0 ? `?${wishes}` : '';
  return { url: `${start}localhost${path}${rest}`, several, mustWrite: true };
}

function serversOf(hosts: string, ports: string | null, inAuthority: boolean): Place[] {
  const given = ports?.split(',') ?? [];
  return hosts.split(',').map((text, i) => {
    const [, host = text, own] = inAuthority ? (/^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? []) : [];
    // One port for all, or one for each.
    const port = Number(own ?? (given.length === 1 ? given[0] : given[i]) ?? usualPort);
    return { host: decodeURIComponent(host).replace(/^\[(.*)\]$/, '$1'), port };
  });
}
