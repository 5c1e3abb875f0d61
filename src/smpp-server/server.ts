// The ports where customers bind. A bind needs an enabled SMPP user, its password, an address on its list, fewer binds than its
// limit, and an account that may send. SMPP has three statuses for a refusal (0x0D, 0x0E, 0x05); the API log of the account names
// the cause.
import { setTimeout } from 'node:timers/promises';
import { canonicalAddress, isInNetworks, networkOf } from '../accounts/address.ts';
import { SlowDown } from '../accounts/slow-down.ts';
import { warnSeldom } from '../log.ts';
import { smppBindsRefusedTotal } from '../metrics/metrics.ts';
import { keysOf, type SecretKey } from '../sealing/secrets.ts';
import { type Bind, listen } from '../smpp/server.ts';
import type { Session, SessionHandler } from '../smpp/session.ts';
import { status } from '../smpp/status.ts';
import { Refusal } from '../status.ts';
import { now } from '../time/clock.ts';
import { bansOf } from './bans.ts';
import type { Delivery } from './bind.ts';
import { CustomerBind, type ServerParts } from './customer-bind.ts';
import { digestOf, passwordFits, systemIdForm } from './login.ts';
import { UserRate } from './rate.ts';
import { type findSmppLogin, renewDigest, type SmppUser } from './users.ts';

export type CustomerServerOptions = {
  host: string;
  /** Null: not opened. */
  port: number | null;
  tlsPort: number | null;
  tls: { key: string; cert: string } | null;
  key: SecretKey;
  findLogin: FindLogin;
  /** Whether connections from this address begin with a PROXY protocol header. */
  isProxy?: (address: string) => boolean;
};

/** An SMPP user, and the parts that serve its cell. */
type FoundLogin = { user: NonNullable<Awaited<ReturnType<typeof findSmppLogin>>>; parts: ServerParts };
export type FindLogin = (systemId: string) => Promise<FoundLogin | undefined>;

/** How long a peer may be silent before an enquire_link, and how long it may take to answer that or a deliver_sm. */
const times = { enquireLinkMs: 30_000, responseTimeoutMs: 20_000, bindTimeoutMs: 10_000 };
const sessionsMax = 2_000;
/** Limits of connections that have not bound; `perAddress` counts IPv6 by /64. */
const strangers = { perAddress: 50, total: 500, groupOf: networkOf };
/** The windows of users are smaller, so a deliver_sm never waits for this one. */
const sessionWindow = 1_000;

/** Why a bind is refused: the status for the peer, and the cause for the API log. */
const causes = {
  banned: { status: status.ESME_RBINDFAIL, cause: 'smpp-banned' },
  unknown: { status: status.ESME_RBINDFAIL, cause: 'smpp-unknown-user' },
  password: { status: status.ESME_RINVPASWD, cause: 'smpp-wrong-password' },
  address: { status: status.ESME_RBINDFAIL, cause: 'smpp-address-not-listed' },
  off: { status: status.ESME_RBINDFAIL, cause: 'smpp-user-off' },
  suspended: { status: status.ESME_RBINDFAIL, cause: 'suspended' },
  binds: { status: status.ESME_RALYBND, cause: 'smpp-too-many-binds' },
} as const;

type Attempt = { parts: ServerParts; accountId: number | null; systemId: string; address: string };
type Admitted = { bindId: number; user: SmppUser; address: string; parts: ServerParts };

export type CustomerServer = {
  port: number | null;
  tlsPort: number | null;
  /** Uses a renewed certificate; existing sessions continue. */
  renew(tls: { key: string; cert: string }): void;
  close(graceMs: number): Promise<void>;
};

export async function startCustomerServer(parts: ServerParts, options: CustomerServerOptions): Promise<CustomerServer> {
  const guard = guardOf(parts, options);
  const open = (port: number, tls?: CustomerServerOptions['tls']) =>
    listen<Delivery>({
      ...times,
      port,
      host: options.host,
      ...(tls ? { tls } : {}),
      sessionsMax,
      strangers,
      ...(options.isProxy ? { isProxy: options.isProxy } : {}),
      window: sessionWindow,
      authorise: bind => guard.authorise(bind, Boolean(tls)),
      onSession: (session, bind) => guard.admit(session, bind),
      onServerError: error => parts.log.error({ error: error.message }, 'SMPP port'),
    });
  const { port, tlsPort, tls } = options;
  const unencrypted = port === null ? null : await open(port);
  const secure = tlsPort === null || !tls ? null : await open(tlsPort, tls);
  return {
    port: unencrypted?.port ?? null,
    tlsPort: secure?.port ?? null,
    renew: renewed => secure?.renew(renewed),
    async close(graceMs) {
      await Promise.all([unencrypted?.close(graceMs), secure?.close(graceMs)]);
    },
  };
}

function guardOf(home: ServerParts, options: CustomerServerOptions) {
  const bans = bansOf(home.db);
  const slowDown = new SlowDown();
  /** Accepted binds whose session has not begun. */
  const admitted = new WeakMap<Bind, Admitted>();
  /** By user; all binds of a user in this process share one. */
  const rates = new Map<string, UserRate>();

  async function authorise(bind: Bind, secure: boolean): Promise<number> {
    const { systemId } = bind;
    const address = canonicalAddress(bind.address) ?? bind.address;
    if (bans.isKnown(systemId, address)) return slowed('banned', address);
    const found = systemIdForm.test(systemId) ? await options.findLogin(systemId) : undefined;
    // Also for an unknown name, so that the time taken does not reveal which names exist.
    const digests = keysOf(options.key).map(key => digestOf(key, systemId, bind.password));
    if (!found) return refuse('unknown', { parts: home, accountId: null, systemId, address });
    const { user, parts } = found;
    const attempt = { parts, accountId: user.accountId, systemId, address };
    // First, so that other addresses learn neither whether a password is right nor whether the user exists.
    if (!isInNetworks(user.addresses, address)) return refuse('address', attempt);
    const fits = digests.findIndex(one => passwordFits(user, one, now()));
    const judged = await bans.judge(user.systemId, address, fits >= 0);
    if (judged.banned) return slowed('banned', address);
    if (!judged.isRight) return refuse('password', attempt, judged.began);
    if (!user.enabled) return refuse('off', attempt);
    if (fits > 0) await renewDigest(parts.db, user.id, digests[fits]!, digests[0]!);
    try {
      await parts.acceptance.account(user.accountId);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return refuse('suspended', attempt);
    }
    const bindId = await parts.live.place(user.id, bind.bindType, address, secure);
    if (bindId === null) return refuse('binds', attempt);
    admitted.set(bind, { bindId, user, address, parts });
    const operation = `bind_${bind.bindType}`;
    parts.usage.addAccepted(user.accountId, operation, address);
    parts.calls.add({ accountId: user.accountId, operation, ms: 0, orderId: null, key: null, address });
    return status.ESME_ROK;
  }

  function admit(session: Session<Delivery>, bind: Bind): SessionHandler<Delivery> {
    const { bindId, user, address, parts } = admitted.get(bind)!;
    const rate = rates.get(user.systemId) ?? new UserRate();
    rates.set(user.systemId, rate);
    rate.set(user.rate);
    const customer = new CustomerBind(parts, session, { bindId, user, rate, address, kind: bind.bindType });
    parts.live.add(customer);
    if (bind.bindType !== 'transmitter') parts.deliverer.add(customer);
    parts.log.info({ user: user.systemId, bind: bindId, kind: bind.bindType, address }, 'SMPP bind');
    return customer.handler();
  }

  /** `began`: this attempt began a ban. */
  async function refuse(why: keyof typeof causes, attempt: Attempt, began = false): Promise<number> {
    const { parts, accountId, systemId, address } = attempt;
    const { cause } = causes[why];
    warnSeldom(parts.log, { cause, user: systemId.slice(0, 16), address, banned: began }, 'SMPP bind refused');
    const refusal = { operation: 'bind', code: 401, cause, address, agent: systemId };
    if (accountId !== null) parts.refusals.add({ accountId, ...refusal });
    if (accountId !== null && began) parts.refusals.add({ accountId, ...refusal, cause: causes.banned.cause });
    return slowed(why, address);
  }

  /** Delays the answer if the address had many refusals; a good bind from there is never delayed. */
  async function slowed(why: keyof typeof causes, address: string): Promise<number> {
    const { cause, status: withStatus } = causes[why];
    smppBindsRefusedTotal.inc({ cause });
    const waitMs = slowDown.failed(address, 'bind');
    if (waitMs > 0) await setTimeout(waitMs);
    return withStatus;
  }

  return { authorise, admit };
}
