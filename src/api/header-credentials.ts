// Reads key and hash from the Authorization header, as `Bearer KEY:HASH` or as Basic, for tools that keep credentials apart
// from the body. Credentials in the body take precedence.

type HeaderCredentials = { key: string; hash: string };

/** Returns null if there are none. */
export function headerCredentials(header: string | undefined): HeaderCredentials | null {
  const [, scheme, value] = /^(Bearer|Basic) +(\S{1,1000})$/i.exec(header ?? '') ?? [];
  if (!scheme) return null;
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(value!, 'base64').toString('utf8') : value!;
  const colon = pair.indexOf(':');
  return colon < 0 ? null : { key: pair.slice(0, colon), hash: pair.slice(colon + 1) };
}

type Headers = { authorization?: string | undefined; 'sec-fetch-site'?: string | string[] | undefined };

/** A browser may add remembered credentials by itself, so cross-site requests are refused. */
export function authorizationOf(headers: Headers): string | undefined {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none' ? headers.authorization : undefined;
}
