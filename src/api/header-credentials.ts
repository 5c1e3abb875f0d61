// Key and hash in the Authorization header, as `Bearer KEY:HASH` or as Basic: for tools that keep credentials apart from what they
// send. The interface itself has them in the body, which goes first.

export type HeaderCredentials = { key: string; hash: string };

/** null where there are none. */
export function headerCredentials(header: string | undefined): HeaderCredentials | null {
  const [, scheme, value] = /^(Bearer|Basic) +(\S{1,1000})$/i.exec(header ?? '') ?? [];
  if (!scheme) return null;
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(value!, 'base64').toString('utf8') : value!;
  const colon = pair.indexOf(':');
  return colon < 0 ? null : { key: pair.slice(0, colon), hash: pair.slice(colon + 1) };
}

type Headers = { authorization?: string | undefined; 'sec-fetch-site'?: string | string[] | undefined };

/** A browser may add what it remembers of its own accord: not on behalf of other sites. */
export function authorizationOf(headers: Headers): string | undefined {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none' ? headers.authorization : undefined;
}
