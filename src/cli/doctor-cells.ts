// How the doctor looks at cells: does each answer, is its schema ours, and has every carrier a bind for each?
import { hindrancesToLeave } from '../cells/move/checks.ts';
import { cellStates } from '../cells/states.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/db.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import { listCarriers } from '../dispatch/links/carriers.ts';

export async function cellsAtWork({ db, config }: { db: Db; config: Config }) {
  const there = await db.query(`select to_regclass('cells') is not null as there`);
  if (!there.rows[0].there) return { saw: 'another version', wrong: [] };
  const cells = await cellStates(db, await secretKeyOfData(db, config));
  if (cells.length === 0) return { saw: 'none: one database', wrong: [] };
  const ill = cells.filter(one => one.state !== 'ok' && one.state !== 'draining');
  const poor = (await listCarriers(db)).filter(one => !one.paused && one.binds < cells.length);
  const atHome = (await hindrancesToLeave(db))[0];
  return {
    saw: `${cells.length} databases, ${cells.reduce((sum, one) => sum + one.accounts, 0)} accounts${atHome ? `; none can be moved from the home: ${atHome}` : ''}`,
    wrong: [
      ...ill.map(one => `cell ${one.cell} (${one.address}): ${one.state}`),
      ...poor.map(
        one => `carrier ${one.name} has ${one.binds} binds for ${cells.length} cells: some cells cannot use it`,
      ),
    ],
  };
}
