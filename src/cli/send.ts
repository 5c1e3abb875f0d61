// `peyk send NUMBER TEXT`: one SMS from the terminal, accepted like any other order, and followed until its outcome is
// known.
import { setTimeout as pause } from 'node:timers/promises';
import { acceptOrder } from '../accept/accept.ts';
import { AcceptQueue } from '../accept/accept-queue.ts';
import { type Account, findAccount } from '../accounts/account.ts';
import { jumpIds } from '../db/data-home.ts';
import { type Db, row, sql } from '../db/db.ts';
import { formatNumber } from '../numbers/phone.ts';
import { type Reason, reasons } from '../orders/reasons.ts';
import { demoEmail } from '../people/first-people.ts';
import { listSenders } from '../senders/senders.ts';
import type { Config } from '../settings/config.ts';
import { closeAfterMs } from '../settle/close.ts';
import { Refusal } from '../status.ts';
import { monotonicMs, now } from '../time/clock.ts';
import { existingAccount } from './accounts.ts';
import { type Command, type CommandContext, need, UsageError, wholeNumber } from './command.ts';

const pollMs = 100;
const waitSeconds = 60;
/** Exit codes of an accepted message: 0 delivered. A refusal exits with 1, as with every command. */
const exitCodes = { delivered: 0, undelivered: 2, queued: 3, 'with-carrier': 3 } as const;

type Station = keyof typeof exitCodes;
type Sent = {
  order: string;
  account: string;
  sender: string;
  number: string;
  parts: number;
  credits: number;
  state: Station;
  reason: string | null;
  seconds: number;
};

export const sendCommands: Command[] = [
  {
    words: 'send',
    args: ['NUMBER', 'TEXT'],
    flags: {
      account: 'account that sends; default: the demo account',
      sender: 'sender ID; default: the first approved one, or APITEST',
      wait: `seconds to wait for the outcome, 0 to 86400; default ${waitSeconds}`,
    },
    help: 'send one SMS and follow it until the phone has it; exit code 0 delivered, 1 refused, 2 not delivered, 3 no outcome in time',
    run: send,
    show: showSent,
  },
];

async function send({ db, config, args, flags, say }: CommandContext): Promise<Sent> {
  const number = need(args[0], 'the number');
  const text = need(args[1], 'the text');
  const waitMs = wholeNumber(flags.wait ?? String(waitSeconds), '--wait', 0, 86_400) * 1_000;
  const account = flags.account === undefined ? await demoAccount(db) : await existingAccount(db, flags.account);
  const sender = flags.sender ?? (await usualSender(db, account.id));
  const begin = monotonicMs();
  await jumpIds(db);
  const order = await accept(db, config, account, { number, text, sender });
  let last = (await row(db, messageSql, [account.id, order]))!;
  const seconds = () => Math.round((monotonicMs() - begin) / 100) / 10;
  const print = (what: string) => say?.(`${seconds().toFixed(1).padStart(5)} s  ${what}`);
  print(`accepted      order ${order}, ${last.parts} SMS from ${sender} to ${formatNumber(last.number)}`);
  let state: Station = 'queued';
  let { carrier } = last;
  for (;;) {
    if (last.carrier && last.carrier !== carrier) print(`with carrier  ${last.carrier}`);
    ({ carrier } = last);
    state = stationOf(last);
    if (last.status !== 110 || monotonicMs() - begin >= waitMs) break;
    await pause(pollMs);
    last = (await row(db, messageSql, [account.id, order]))!;
  }
  process.exitCode = exitCodes[state];
  return {
    order: String(order),
    account: String(account.id),
    sender,
    number: formatNumber(last.number),
    parts: last.parts,
    credits: last.status === 112 ? 0 : last.credits,
    state,
    reason: last.status === 112 ? reasons[last.reason].en : null,
    seconds: seconds(),
  };
}

type Message = {
  number: number;
  parts: number;
  credits: number;
  status: number;
  reason: Reason;
  carrier: string | null;
};

// The only message of the order.
const messageSql = sql<Message>('send message')`
  select m.number, t.parts::int, m.credits::int, m.status::int, m.reason::int,
    (select c.name from submits s join carriers c on c.id = s.carrier_id where s.message_id = m.id limit 1) as carrier
  from orders o join messages m on m.account_id = o.account_id and m.id = o.first_message_id
    join order_texts t on t.account_id = o.account_id and t.order_id = o.id
  where o.account_id = $1 and o.id = $2`;

function stationOf({ status, carrier }: Message): Station {
  if (status === 111) return 'delivered';
  if (status === 112) return 'undelivered';
  return carrier ? 'with-carrier' : 'queued';
}

type Wanted = { number: string; text: string; sender: string };

async function accept(db: Db, config: Config, account: Account, { number, text, sender }: Wanted): Promise<number> {
  const closeMs = closeAfterMs(config.PEYK_VALIDITY_SECONDS, config.PEYK_RECEIPT_GRACE_SECONDS);
  const draft = {
    sender,
    texts: [{ text, recipients: [number] }],
    sendAt: null,
    consentCheck: false,
    consentList: null,
    source: 'command line',
    // Sending the same text to the same phone again is intended here.
    distinct: now().toISOString(),
  };
  try {
    return await acceptOrder(new AcceptQueue(db, closeMs), account, draft, null, now());
  } catch (error) {
    throw error instanceof Refusal ? new UsageError(`refused with ${error.code}: ${error.message}`) : error;
  }
}

const demoSql = sql<{ id: number }>('send demo account')`
  select m.account_id as id from users u join memberships m on m.user_id = u.id
  where lower(u.email) = $1 order by m.account_id limit 1`;

async function demoAccount(db: Db): Promise<Account> {
  const found = await row(db, demoSql, [demoEmail]);
  const account = found && (await findAccount(db, found.id));
  if (!account)
    throw new UsageError('there is no demo account here: name an account with --account ID (peyk account list)');
  return account;
}

async function usualSender(db: Db, accountId: number): Promise<string> {
  return (await listSenders(db, accountId)).find(one => one.state === 'approved')?.name ?? 'APITEST';
}

function showSent({ state, reason, seconds, number, order }: Sent): string {
  const at = `${seconds.toFixed(1).padStart(5)} s  `;
  if (state === 'delivered') return `${at}delivered     ${number} has it`;
  if (state === 'undelivered') return `${at}not delivered ${reason}`;
  const where = state === 'queued' ? 'waiting to be sent (is peyk start running?)' : 'with the carrier, no receipt yet';
  return `${at}no outcome    ${where}; order ${order} goes on`;
}
