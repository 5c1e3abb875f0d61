// Who may read metrics and details of health: this machine, addresses that the operator names, and requests with the
// operator's token. A forwarded request does not count as this machine's, even if its proxy runs here.
import type { IncomingHttpHeaders } from 'node:http';
import { isEqualSecret } from '../sealing/digest.ts';
import { onNetworks } from './networks.ts';

export type InsiderRules = {
  /** Addresses or networks (`10.0.0.0/8`). */
  addresses: string[];
  /** '' means none. */
  token: string;
  /** Whether the caller's address is also known behind proxies. */
  hasTrustedProxies: boolean;
};

const forwardHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

type Caller = { ip: string; headers: IncomingHttpHeaders };

export function insiderCheck(rules: InsiderRules): (request: Caller) => boolean {
  const isLocal = onNetworks(['loopback']);
  const isNamed = onNetworks(rules.addresses);
  const token = rules.token && `Bearer ${rules.token}`;
  return request => {
    const { authorization } = request.headers;
    if (token && authorization && isEqualSecret(authorization, token)) return true;
    if (isNamed(request.ip)) return true;
    const isForwarded = !rules.hasTrustedProxies && forwardHeaders.some(name => request.headers[name] !== undefined);
    return !isForwarded && isLocal(request.ip);
  };
}
