// The ports where customers bind. Who may: an SMPP user that is on, with its password, from an address on its list, below its
// number of binds, of an account that may send. The wire knows three answers for that (0x0D, 0x0E, 0x05); the owner's API log
// says which it was.
import { setTimeout } from 'node:timers/promises';
import { canonicalAddress, isInNetworks, networkOf } from '../accounts/address.ts';
import type { ApiRefusal } from '../accounts/refusals.ts';
import { SlowDown } from '../accounts/slow-down.ts';
import { warnSeldom } from '../log.ts';
import { keysOf, type SecretKey } from '../sealing/secrets.ts';
import { type Bind, listen, type SmppServer } from '../smpp/server.ts';
import type { Session, SessionHandler } from '../smpp/session.ts';
import { status } from '../smpp/status.ts';
import { now } from '../time/clock.ts';
import { Suspended } from './acceptance.ts';
import { Bans } from './bans.ts';
import { CustomerBind, type ServerParts } from './customer-bind.ts';
import type { Delivery } from './deliverer.ts';
import { digestOf, passwordFits, systemIdForm } from './login.ts';
import { UserRate } from './rate.ts';
import { smppCounts } from './server-metrics.ts';
import { findSmppLogin, renewDigest, type SmppUser } from './users.ts';

export type DoorOptions = {
  host: string;
  /** null: not opened. */
  port: number | null;
  tlsPort: number | null;
  tls: { key: string; cert: string } | null;
  key: SecretKey;
  /** Where accounts live in several databases. */
  findLogin?: FindLogin;
  /** Whether connections from this address begin with a PROXY protocol header. */
  isProxy?: (address: string) => boolean;
};

/** An SMPP user, and what serves the cell that it is in. */
export type FoundLogin = { user: NonNullable<Awaited<ReturnType<typeof findSmppLogin>>>; parts: ServerParts };
export type FindLogin = (systemId: string) => Promise<FoundLogin | undefined>;

/** Silence after which we ask whether the peer is there, and how long it may take to answer that or a deliver_sm. */
const times = { enquireLinkMs: 30_000, responseTimeoutMs: 20_000, bindTimeoutMs: 10_000 };
const sessionsMax = 2_000;
/** Connections without a bind; `perAddress`: of IPv6 per /64. */
const strangers = { perAddress: 50, total: 500, groupOf: networkOf };
/** Our own windows are smaller: a deliver_sm never waits for this one. */
const sessionWindow = 1_000;

/** Why a bind is refused: for the owner, and what the peer is told. */
const causes = {
  banned: { status: status.ESME_RBINDFAIL, cause: 'smpp-banned' },
  unknown: { status: status.ESME_RBINDFAIL, cause: 'smpp-unknown-user' },
  password: { status: status.ESME_RINVPASWD, cause: 'smpp-wrong-password' },
  address: { status: status.ESME_RBINDFAIL, cause: 'smpp-address-not-listed' },
  off: { status: status.ESME_RBINDFAIL, cause: 'smpp-user-off' },
  suspended: { status: status.ESME_RBINDFAIL, cause: 'suspended' },
  binds: { status: status.ESME_RALYBND, cause: 'smpp-too-many-binds' },
} as const;

type Refusing = keyof typeof causes;
type Admitted = { bindId: number; user: SmppUser; address: string; parts: ServerParts };

export type Door = {
  port: number | null;
  tlsPort: number | null;
  /** A renewed certificate; sessions there are go on. */
  renew(tls: { key: string; cert: string }): void;
  close(graceMs: number): Promise<void>;
};

export async function openDoor(parts: ServerParts, options: DoorOptions): Promise<Door> {
  const guard = new Guard(parts, options.key, options.findLogin ?? loginAt(parts));
  const open = (port: number, tls?: DoorOptions['tls']) =>
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
  const servers: SmppServer<Delivery>[] = [];
  const plain = options.port === null ? null : await open(options.port);
  if (plain) servers.push(plain);
  const secure = options.tlsPort === null || !options.tls ? null : await open(options.tlsPort, options.tls);
  if (secure) servers.push(secure);
  return {
    port: plain?.port ?? null,
    tlsPort: secure?.port ?? null,
    renew: tls => secure?.renew(tls),
    async close(graceMs) {
      await Promise.all(servers.map(one => one.close(graceMs)));
    },
  };
}

function loginAt(parts: ServerParts): FindLogin {
  return async systemId => {
    const user = await findSmppLogin(parts.db, systemId);
    return user && { user, parts };
  };
}

class Guard {
  readonly #parts: ServerParts;
  readonly #key: SecretKey;
  readonly #bans: Bans;
  readonly #slowDown = new SlowDown();
  /** Between the verdict and the session. */
  readonly #admitted = new WeakMap<Bind, Admitted>();
  /** By user: all of its binds here share one. */
  readonly #rates = new Map<string, UserRate>();
  readonly #findLogin: FindLogin;

  constructor(parts: ServerParts, key: SecretKey, findLogin: FindLogin) {
    this.#parts = parts;
    this.#key = key;
    this.#findLogin = findLogin;
    this.#bans = new Bans(parts.db);
  }

  async authorise(bind: Bind, secure: boolean): Promise<number> {
    const address = addressOf(bind.remote);
    if (this.#bans.isKnown(bind.systemId, address)) return this.#slowed('banned', address);
    const found = systemIdForm.test(bind.systemId) ? await this.#findLogin(bind.systemId) : undefined;
    // The same work for a name that nobody has, so that the time taken does not tell.
    const digests = keysOf(this.#key).map(key => digestOf(key, bind.systemId, bind.password));
    if (!found) return this.#refuse(this.#parts, 'unknown', null, address, bind.systemId);
    const { user, parts } = found;
    // First: from elsewhere nobody learns whether a password is right, nor whether there is such a user.
    if (!isInNetworks(user.addresses, address))
      return this.#refuse(parts, 'address', user.accountId, address, bind.systemId);
    const fits = digests.findIndex(one => passwordFits(user, one, now()));
    const judged = await this.#bans.judge(user.systemId, address, fits >= 0);
    if (judged.banned) return this.#slowed('banned', address);
    if (!judged.isRight) return this.#refuse(parts, 'password', user.accountId, address, bind.systemId, judged.began);
    if (!user.enabled) return this.#refuse(parts, 'off', user.accountId, address, bind.systemId);
    if (fits > 0) await renewDigest(parts.db, user.id, digests[fits]!, digests[0]!);
    return this.#place(found, bind, address, secure);
  }

  async #place({ user, parts }: FoundLogin, bind: Bind, address: string, secure: boolean): Promise<number> {
    const { acceptance, live, calls, usage } = parts;
    try {
      await acceptance.account(user.accountId);
    } catch (error) {
      if (!(error instanceof Suspended)) throw error;
      return this.#refuse(parts, 'suspended', user.accountId, address, bind.systemId);
    }
    const bindId = await live.place(user.id, bind.bindType, address, secure);
    if (bindId === null) return this.#refuse(parts, 'binds', user.accountId, address, bind.systemId);
    this.#admitted.set(bind, { bindId, user, address, parts });
    const operation = `bind_${bind.bindType}`;
    usage.addAccepted(user.accountId, operation, address);
    calls.add({ accountId: user.accountId, operation, ms: 0, orderId: null, key: null, address });
    return status.ESME_ROK;
  }

  admit(session: Session<Delivery>, bind: Bind): SessionHandler<Delivery> {
    const { bindId, user, address, parts } = this.#admitted.get(bind)!;
    const rate = this.#rates.get(user.systemId) ?? new UserRate();
    this.#rates.set(user.systemId, rate);
    rate.set(user.rate);
    const customer = new CustomerBind(parts, session, { bindId, user, rate, address, kind: bind.bindType });
    parts.live.add(customer);
    if (bind.bindType !== 'transmitter') parts.deliverer.add(customer);
    parts.log.info({ user: user.systemId, bind: bindId, kind: bind.bindType, address }, 'SMPP bind');
    return customer.handler();
  }

  async #refuse(
    parts: ServerParts,
    why: Refusing,
    accountId: number | null,
    address: string,
    systemId: string,
    began = false,
  ): Promise<number> {
    const { cause } = causes[why];
    warnSeldom(parts.log, { cause, user: systemId.slice(0, 16), address, banned: began }, 'SMPP bind refused');
    if (accountId !== null) {
      const told: ApiRefusal = { accountId, operation: 'bind', code: 401, cause, address, agent: systemId };
      parts.refusals.add(told);
      if (began) parts.refusals.add({ ...told, cause: causes.banned.cause });
    }
    return this.#slowed(why, address);
  }

  /** The answer to a refused bind waits when its address has had many; a good bind from there never does. */
  async #slowed(why: Refusing, address: string): Promise<number> {
    const { cause, status: withStatus } = causes[why];
    smppCounts.bindRefused(cause);
    const waitMs = this.#slowDown.failed(address, 'bind');
    if (waitMs > 0) await setTimeout(waitMs);
    return withStatus;
  }
}

/** `address:port` without the port. */
function addressOf(remote: string): string {
  const address = remote.slice(0, remote.lastIndexOf(':'));
  return canonicalAddress(address) ?? address;
}
