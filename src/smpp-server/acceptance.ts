// Makes orders from submits, by the same policy and in the same batches as over HTTP (accept/accept). Each submit is an order of
// its own; parts of a long message are stored until the last one completes it. A refusal never rests on a cached account.
import { randomBytes } from 'node:crypto';
import { acceptOrder } from '../accept/accept.ts';
import type { AcceptQueue } from '../accept/accept-queue.ts';
import type { OrderDraft } from '../accept/draft.ts';
import { readRecipients } from '../accept/recipients.ts';
import { type Account, AccountLeaving, findAccount, OutdatedAccount } from '../accounts/account.ts';
import { type Db, row, sql } from '../db/db.ts';
import type { Log } from '../log.ts';
import { parseNumber } from '../numbers/phone.ts';
import { senderUsable } from '../senders/senders.ts';
import { Refusal, type StatusCode } from '../status.ts';
import { now } from '../time/clock.ts';
import { noteJoined, noteRefused, partsOf, sweepParts, type WholeMessage, wholeMessage } from './parts.ts';
import type { Submit } from './read-submit.ts';
import type { SmppUser } from './users.ts';

/** The settings of a user that apply to its messages. */
export type Sender = Pick<SmppUser, 'id' | 'accountId' | 'consentList' | 'duplicates'>;

/** `messageId` is the answer to the submit. `orderId` is null for a part. */
export type Accepted = { messageId: number; orderId: number | null };

const userSql = sql<Sender>('smpp user of group')`
  select id, account_id as "accountId", consent_list as "consentList", duplicates from smpp_users where id = $1`;
const joinedSql = sql<{ id: number }>('smpp order of group')`
  select id from orders where account_id = $1 and fingerprint = $2 order by id desc limit 1`;

export class Acceptance {
  readonly #db: Db;
  readonly #orders: AcceptQueue;
  readonly #storePart: ReturnType<typeof partsOf>;
  readonly #cached = new Map<number, Account>();
  /** The fingerprint of the next order that may repeat another one; counted up from a random number. */
  #next = randomBytes(8).readBigInt64LE() >> 2n;

  constructor(db: Db, orders: AcceptQueue) {
    this.#db = db;
    this.#orders = orders;
    this.#storePart = partsOf(db);
  }

  async submit(user: Sender, submit: Submit): Promise<Accepted> {
    if (submit.concat) return this.#part(user, submit);
    const name = user.duplicates ? {} : { fingerprint: this.#next++ };
    const id = await this.#order(user, draftOf(user, submit, submit.recipients, name));
    return { messageId: id, orderId: id };
  }

  /** Reads the account; refuses with 401 if it may not send. */
  async account(id: number): Promise<Account> {
    const account = await findAccount(this.#db, id);
    if (account?.isLeaving) throw new AccountLeaving();
    if (account?.status !== 'active' || !account.apiEnabled) throw new Refusal(401, undefined, 'suspended');
    this.#cached.set(id, account);
    return account;
  }

  /** Joins messages whose process died after it stored the last part. */
  async sweep(log: Log): Promise<void> {
    for (const groupId of await sweepParts(this.#db, log)) {
      const whole = await wholeMessage(this.#db, groupId);
      const user = whole && (await row(this.#db, userSql, [whole.userId]));
      if (!whole || !user) await noteRefused(this.#db, groupId, null);
      else await this.#join(user, whole, null).catch(unlessRefused);
    }
  }

  async #part(user: Sender, part: Submit): Promise<Accepted> {
    const account = this.#cached.get(user.accountId) ?? (await this.account(user.accountId));
    const refusal = partRefusal(account, part) && partRefusal(await this.account(user.accountId), part);
    if (refusal) throw new Refusal(refusal);
    const { id, groupId, complete } = await this.#storePart(part);
    const whole = complete ? await wholeMessage(this.#db, groupId) : null;
    if (whole) await this.#join(user, whole, id);
    return { messageId: id, orderId: null };
  }

  async #join(user: Sender, whole: WholeMessage, lastPart: number | null): Promise<void> {
    const draft = draftOf(user, whole, [whole.recipient], { distinct: `smpp group ${whole.groupId}` });
    const before = lastPart === null ? await this.#joinedBefore(user, draft) : null;
    try {
      const orderId = before ?? (await this.#order(user, draft));
      await noteJoined(this.#db, whole.groupId, orderId);
    } catch (error) {
      const same = error instanceof Refusal && error.code === 451 ? await this.#joinedBefore(user, draft) : null;
      if (same === null && error instanceof Refusal) await noteRefused(this.#db, whole.groupId, lastPart);
      if (same === null) throw error;
      await noteJoined(this.#db, whole.groupId, same);
    }
  }

  async #joinedBefore(user: Sender, draft: OrderDraft): Promise<number | null> {
    const { abroad } = await this.account(user.accountId);
    const { fingerprint } = await readRecipients(draft, abroad);
    return (await row(this.#db, joinedSql, [user.accountId, String(fingerprint)]))?.id ?? null;
  }

  async #order(user: Sender, draft: OrderDraft): Promise<number> {
    const accept = (account: Account) => acceptOrder(this.#orders, account, draft, null, now());
    const cached = this.#cached.get(user.accountId);
    try {
      if (cached) return await accept(cached);
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof OutdatedAccount)) throw error;
    }
    return accept(await this.account(user.accountId));
  }
}

function draftOf(
  user: Sender,
  given: Pick<Submit, 'sender' | 'text' | 'sendAt' | 'list' | 'origin'>,
  recipients: string[],
  name: Pick<OrderDraft, 'distinct' | 'fingerprint'>,
): OrderDraft {
  const list = given.list === undefined ? user.consentList : given.list;
  return {
    sender: given.sender,
    texts: [{ text: given.text, recipients }],
    // No character is replaced; the cheapest encoding that holds the text is used.
    mode: 'unicode',
    sendAt: given.sendAt,
    consentCheck: list === 'unclear' ? 'unclear' : list !== null,
    consentList: list === 'unclear' ? null : list,
    source: 'smpp',
    ...name,
    smpp: JSON.stringify(given.origin),
  };
}

/** The code of a fault that all parts of a message share, for which each is refused at once. */
function partRefusal(account: Account, { sender, recipients, sendAt }: Submit): StatusCode | null {
  if (sendAt === 'malformed') return 457;
  if (!senderUsable(account.senders, sender)) return 450;
  return parseNumber(recipients[0], account.abroad) > 0 ? null : 452;
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}
