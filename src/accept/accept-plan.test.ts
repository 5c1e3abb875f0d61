// What an order reads when it is accepted must not grow with what is stored, whatever the planner believed when its statements
// were planned: tables begin empty, and are analysed while the first rows of 50,000 are being stored.
import { afterAll, expect, test } from 'vitest';
import { brandCode, freshText, number, numbers, order, sender } from '../../test/support/customers/samples.ts';
import { beliefs } from '../../test/support/database/rows-read.ts';
import { testApp } from '../../test/support/program/app.ts';
import { wait } from '../../test/support/run/wait.ts';

const sends = 80;
// The index made for consents must be higher than the one by account, which the planner would then prefer.
const consents = 20_000;
const listed = 1_500;
const commercial = { iys: '1', iysList: 'BIREYSEL' };

const kinds: Record<string, { members?: object; recipients: number; orders: number }> = {
  'a single send': { recipients: 1, orders: sends },
  'a send to three': { recipients: 3, orders: sends },
  'a commercial send': { members: commercial, recipients: 1, orders: sends },
  'a commercial order of 500': { members: commercial, recipients: 500, orders: 2 },
  'a commercial order of 1,200': { members: commercial, recipients: 1_200, orders: 2 },
};

for (const [belief, believe] of Object.entries(beliefs)) {
  const app = await testApp({ own: true });
  afterAll(() => app.close());
  const account = await app.open({ senders: [sender], brands: [brandCode], sms: 100_000 });
  await consentsAndBlacklist(account.id);
  await app.db.query(believe);

  test.each(Object.entries(kinds))(
    `%s reads by index where ${belief}`,
    async (_kind, { members, recipients, orders }) => {
      const before = await rowsReadSoFar();
      for (let i = 0; i < orders; i++) await account.send(order(members, freshText(), numbers(recipients)));
      const after = await rowsReadSoFar();
      const messages = orders * recipients;
      for (const [table, read] of Object.entries(after))
        expect.soft((read - before[table]!) / messages, table).toBeLessThan(8);
    },
  );

  async function consentsAndBlacklist(accountId: number): Promise<void> {
    const first = Number(`90${number()}`);
    await app.db.query(
      `insert into consent_records (account_id, brand, recipient, recipient_type, type, status, source, consent_date)
       select $1, $2, '+' || $3::bigint + i, 'BIREYSEL', 'MESAJ', 'ONAY', 'HS_WEB', now() from generate_series(0, $4::integer - 1) i`,
      [accountId, brandCode, first, consents],
    );
    await app.db.query(
      `insert into blacklist_entries (account_id, number, source)
       select $1, $2::bigint + i, 'api' from generate_series(1, $3::integer) i`,
      [accountId, first + consents, listed],
    );
  }

  /** By everybody, since a session tells what it read when it ends. */
  async function rowsReadSoFar(): Promise<Record<string, number>> {
    const others = `from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`;
    const ended = async () => (await app.db.query(`select pg_terminate_backend(pid) ${others}`)).rowCount === 0;
    await wait('the other sessions to end', ended);
    // Our own tells within a second: what made the blacklist was counted as what the first order read.
    await app.db.query('select pg_stat_force_next_flush()');
    const { rows } = await app.db.query<{ name: string; read: number }>(
      `select relname as name, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 as read
       from pg_stat_user_tables`,
    );
    return Object.fromEntries(rows.map(one => [one.name, one.read]));
  }
}
