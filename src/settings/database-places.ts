// Parses a DATABASE_URL. Like libpq's it may name several servers:
// postgresql://user@one:5432,two:5432/peyk?target_session_attrs=read-write, or their sockets in ?host=/one,/two. The driver
// supports neither, so this file splits them and primary.ts finds the server that takes writes. ?schema=NAME is our own: all
// tables are in that schema instead of `public`. With &citus=on it is a distributed schema and the address is the
// coordinator's; &citus_hosts=NAME:HOST,… maps the coordinator's names of its servers to addresses that we can reach.

export type Place = { host: string; port: number };
export type Places = {
  /** For the driver: as given, or with what several servers share. */
  url: string;
  /** Several servers; empty if there is only one and the driver parses it by itself. */
  several: Place[];
  /** A connection to a read-only server does not count. */
  mustWrite: boolean;
  /** The schema of the tables; undefined: the server's search path, usually `public`. */
  schema?: string;
  /** The schema belongs to a Citus cluster, of which this server is the coordinator. */
  citus?: boolean;
  /** Addresses of servers by the names that the cluster uses. */
  hosts?: ReadonlyMap<string, string>;
};

const usualPort = 5432;
const form = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(\/[^?]*)?(?:\?(.*))?$/;
// `any` is libpq's default. The other values ask for a server that does not write.
const attributes = new Map([
  ['any', false],
  ['read-write', true],
  ['primary', true],
]);

/** Throws with the reason if the address is unusable. */
export function placesOf(url: string): Places {
  const [, start, authority = '', path = '', query = ''] = form.exec(url) ?? [];
  if (start === undefined) return { url, several: [], mustWrite: false };
  const parameters = new URLSearchParams(query);
  const value = parameters.get('target_session_attrs') ?? 'any';
  const mustWrite = attributes.get(value);
  if (mustWrite === undefined)
    throw new Error(
      `target_session_attrs must be read-write, primary or any, because Peyk writes; ${value} may lead to a read-only server`,
    );
  const citus = takeCitus(parameters);
  const hosts = takeHosts(parameters);
  const schema = takeSchema(parameters);
  const named = schema ? { schema, ...(citus ? { citus, hosts } : {}) } : {};
  const several = serversOf(parameters.get('host') || authority, parameters.get('port'), !parameters.get('host'));
  if (several.length === 1 && !schema) return { url, several: [], mustWrite };
  if (several.length === 1)
    return { url: `${start}${authority}${path}?${parameters}`, several: [], mustWrite, ...named };
  for (const name of ['host', 'port', 'target_session_attrs']) parameters.delete(name);
  const rest = parameters.size > 0 ? `?${parameters}` : '';
  return { url: `${start}localhost${path}${rest}`, several, mustWrite: true, ...named };
}

// Letters, digits and underscores only, because the name is used unquoted. Channel names, which contain it, end at 63 letters.
const schemaForm = /^(?!pg_)[a-z_][a-z0-9_]{0,39}$/;

/** Removed from what the driver gets, and passed in its own form. */
function takeSchema(parameters: URLSearchParams): string | undefined {
  const schema = parameters.get('schema') ?? undefined;
  if (schema === undefined) return undefined;
  if (!schemaForm.test(schema))
    throw new Error('schema must be a plain name: small letters, digits and _, up to 40, and not begin with pg_');
  parameters.delete('schema');
  const others = parameters.get('options');
  parameters.set('options', `${others ? `${others} ` : ''}-c search_path=${schema}`);
  return schema;
}

function takeCitus(parameters: URLSearchParams): boolean {
  const value = parameters.get('citus') ?? 'off';
  parameters.delete('citus');
  if (value !== 'on' && value !== 'off') throw new Error('citus must be on or off');
  if (value === 'on' && !parameters.has('schema'))
    throw new Error('citus=on needs schema=NAME: public cannot be distributed');
  return value === 'on';
}

function takeHosts(parameters: URLSearchParams): Map<string, string> {
  const given = parameters.get('citus_hosts');
  parameters.delete('citus_hosts');
  return new Map(
    (given ? given.split(',') : []).map(one => {
      const [, name, host] = /^([^:\s]+):([^:\s]+)$/.exec(one) ?? [];
      if (!name) throw new Error(`citus_hosts must be NAME:HOST,NAME:HOST; "${one}" is not`);
      return [name, host!];
    }),
  );
}

const seen = '-c citus.show_shards_for_app_name_prefixes=*';

/**
 * The same address for work on one server of a cluster: it looks into other schemas, and catalogs show the tables behind our
 * views. Citus hides them otherwise, so their growth would stay unknown.
 */
export function lookingInto(url: string, searchPath: string): string {
  const address = new URL(url);
  const options = address.searchParams.get('options') ?? '';
  address.searchParams.set('options', options.replace(/-c search_path=\S+$/, `-c search_path=${searchPath} ${seen}`));
  return address.href;
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
