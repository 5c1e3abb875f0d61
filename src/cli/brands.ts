// Commands about brand codes: subscriptions of accounts at the consent registry.
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { addBrand, type Brand, listBrands, removeBrand } from '../consent/brands.ts';
import { existingAccount } from './accounts.ts';
import { type Command, operator, UsageError, wholeNumber } from './command.ts';
import { table } from './table.ts';

const brandCode = (text: string | undefined) => wholeNumber(text, 'the brand code', 1, Number.MAX_SAFE_INTEGER);

export const brandCommands: Command[] = [
  {
    words: 'brand add',
    args: ['ID', 'CODE'],
    flags: { quota: 'consent records per month; default: no limit' },
    help: 'add a registry subscription with this brand code to an account',
    async run({ db, args, flags }) {
      const account = await existingAccount(db, args[0]);
      const code = brandCode(args[1]);
      const quota = flags.quota === undefined ? null : wholeNumber(flags.quota, '--quota', 0, 2_000_000_000);
      const brand = await addBrand(db, account.id, code, quota);
      await recordAuditEntry(db, { accountId: account.id, actor: operator, action: 'brand.add', detail: brand });
      return brand;
    },
  },
  {
    words: 'brand list',
    args: ['ID'],
    help: 'brand codes of an account, including removed ones',
    run: async ({ db, args }) => listBrands(db, (await existingAccount(db, args[0])).id),
    show: (lines: Brand[]) =>
      table(
        ['code', 'state', 'quota per month'],
        lines.map(one => [
          one.code,
          one.active ? 'active' : 'removed',
          one.quota === null ? 'no limit' : String(one.quota),
        ]),
      ),
    empty: 'no brand codes: without one the account has no registry subscription',
  },
  {
    words: 'brand remove',
    args: ['ID', 'CODE'],
    help: 'end the subscription with this brand code; its consents stay',
    async run({ db, args }) {
      const account = await existingAccount(db, args[0]);
      const code = brandCode(args[1]);
      const brand = await removeBrand(db, account.id, code);
      if (!brand) throw new UsageError(`account ${account.id} has no active brand code ${code}`);
      await recordAuditEntry(db, { accountId: account.id, actor: operator, action: 'brand.remove', detail: brand });
      return brand;
    },
  },
];
