// Commands about credit: granting it, taking it back, and the ledger.
import { BelowZero, GrantKeyUsed, grantRecorded } from '../accounts/grant.ts';
import { type LedgerEntry, ledgerPage } from '../balance/ledger.ts';
import { existingAccount } from './accounts.ts';
import { type Command, type CommandContext, operator, UsageError, wholeNumber } from './command.ts';
import { money, table } from './table.ts';

export const creditCommands: Command[] = [
  {
    words: 'credit grant',
    args: ['ID', 'N'],
    flags: {
      reason: 'why, for the ledger',
      amount: 'money to add as well, as a decimal',
      key: 'idempotency key: a repeated grant with this key counts once',
    },
    help: 'add N SMS credits (negative: take back); prints the new balance',
    run: grant,
  },
  {
    words: 'ledger',
    args: ['ID'],
    flags: { before: 'entries before this number', most: 'how many at most, 1 to 1000; default 100' },
    help: 'the latest movements of credit and money, in Turkey’s time',
    async run({ db, args, flags }) {
      const account = await existingAccount(db, args[0]);
      const before = wholeNumber(
        flags.before ?? String(Number.MAX_SAFE_INTEGER),
        '--before',
        1,
        Number.MAX_SAFE_INTEGER,
      );
      return ledgerPage(db, account.id, before, wholeNumber(flags.most ?? '100', '--most', 1, 1_000));
    },
    show: showLedger,
    empty: 'no movements',
  },
];

async function grant({ db, args, flags }: CommandContext): Promise<unknown> {
  const account = await existingAccount(db, args[0]);
  const sms = wholeNumber(args[1], 'the number of credits', -1_000_000_000, 1_000_000_000);
  const amount = flags.amount ?? '0';
  if (!/^-?\d{1,9}(\.\d{1,4})?$/.test(amount)) throw new UsageError(`--amount "${amount}" is not a decimal like 12.50`);
  if (flags.key !== undefined && (flags.key === '' || flags.key.length > 200))
    throw new UsageError('--key must have 1 to 200 characters');
  const balance = await grantRecorded(db, {
    accountId: account.id,
    sms,
    amount,
    reason: flags.reason ?? 'Yükleme',
    actor: operator,
    address: null,
    key: flags.key ?? null,
  }).catch(error => {
    throw error instanceof BelowZero || error instanceof GrantKeyUsed ? new UsageError(error.message) : error;
  });
  return { sms: balance.sms, amount: Number(balance.amount) };
}

const kindTexts: Record<LedgerEntry['kind'], string> = {
  grant: 'grant',
  reserve: 'reserved',
  consume: 'spent',
  release: 'given back',
  correct: 'corrected',
};

function showLedger(entries: LedgerEntry[]): string {
  return table(
    ['no', 'time', 'what', 'SMS', 'reserved', 'money', 'order', 'reason', 'by'],
    entries.map(one => [
      ...[one.id, one.createdAt, whatOf(one), one.sms, one.reserved, money(one.amount), one.orderId],
      ...[one.reason, one.actor],
    ]),
  );
}

/** A negative grant is a correction by the operator. */
function whatOf({ kind, sms, amount }: LedgerEntry): string {
  return kind === 'grant' && (sms < 0 || Number(amount) < 0) ? 'take-back' : kindTexts[kind];
}
