// A cell whose database does not answer for a while: staff read it on every page, and changes for all cells name the cell that
// they missed.
import { expect, test } from 'vitest';
import { openClient } from '../../../src/db/db.ts';
import { testDatabase } from '../../../test/support/database/database.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { program, staffMember } from '../people.ts';

test('a cell that does not answer is named above every page of staff until it answers again', async ({
  onTestFinished,
}) => {
  const database = await testDatabase({ empty: true });
  const { connection } = database;
  const server = await openClient({ ...connection, database: 'postgres' }, { name: 'peyk test', onError: () => {} });
  onTestFinished(() => server.end());
  const { cell } = await program.cli<{ cell: number }>('cell', 'add', database.url, '--weight', '0');
  const staff = await staffMember();
  await staff.open(paths.staffHealth(), tr.health.title);
  await staff.reads(tr.health.cells);
  const silent = tr.shell.cellsSilent(String(cell));
  expect(await staff.page.getByText(silent).count()).toBe(0);

  await server.query(`alter database "${connection.database}" allow_connections false`);
  await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    connection.database,
  ]);
  await staff.reads(silent);
  await staff.open(paths.staffStatus(), tr.staffStatus.title);
  await staff.reads(silent);

  await server.query(`alter database "${connection.database}" allow_connections true`);
  await staff.page.getByText(silent).waitFor({ state: 'detached' });
});
