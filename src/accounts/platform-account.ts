// The account that sends the platform's own messages, such as codes for a forgotten password. It is created on first use,
// without API access and members; its credit is topped up as it is used.
import { grantCredit, readBalance } from '../balance/ledger.ts';
import { type Db, row, run, sql, transaction } from '../db/db.ts';
import { type Account, findAccount } from './account.ts';
import { newCredentials } from './credentials.ts';
import { openIn } from './open.ts';

const creditMin = 10;
const creditStep = 1_000;

const findSql = sql<{ value: string }>('platform account find')`
  select value from installation where name = 'platform-account'`;
const claimSql = sql<{ name: string }>('platform account claim')`
  insert into installation (name, value) values ('platform-account', '') on conflict (name) do nothing returning name`;
const storeSql = sql('platform account store')`update installation set value = $1 where name = 'platform-account'`;
const closeApiSql = sql('platform account close')`
  update accounts set stamp = stamp + 1, api_enabled = false where id = $1`;

export async function platformAccount(db: Db): Promise<Account> {
  const known = await row(db, findSql);
  const id = known ? Number(known.value) : await open(db);
  const balance = await readBalance(db, id);
  if (balance!.sms < creditMin) await grantCredit(db, id, creditStep, 'Sistem mesajları', 'peyk');
  return (await findAccount(db, id))!;
}

/** Locks the row of `installation`: a second caller waits for the first and then finds its account. */
async function open(db: Db): Promise<number> {
  return transaction(db, async tx => {
    if (!(await row(tx, claimSql))) return Number((await row(tx, findSql))!.value);
    const { id } = await openIn(tx, 'Peyk', newCredentials());
    await run(tx, closeApiSql, [id]);
    await run(tx, storeSql, [String(id)]);
    return id;
  });
}
