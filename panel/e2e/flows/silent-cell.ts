// A cell whose database does not answer: staff read it on every page. That the server names it, and only
// while it is silent, is tested in src/panel-api/call/cells.test.ts.
import { test } from 'vitest';
import type { OutputOf } from '../../../src/panel-api/contract/contract.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { comeBack, makeClockMovable } from '../load-states.ts';
import { staffMember } from '../people.ts';
import { ownWindow } from '../visitor.ts';

test('a cell that does not answer is named above every page of staff until it answers again', async () => {
  const staff = await staffMember(ownWindow);
  await staff.page.addInitScript(makeClockMovable);
  let cellsSilent = [2];
  await staff.page.route('**/panel/api/live', async route => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: OutputOf<'live'> };
    await route.fulfill({ response, json: { ok: true, data: { ...data, staff: { ...data.staff, cellsSilent } } } });
  });
  const silent = tr.shell.cellsSilent('2');
  await staff.open(paths.staffHealth(), tr.health.title);
  await staff.reads(silent);
  await staff.follow(paths.staffStatus());
  await staff.reads(silent);
  await staff.follow(paths.staffQueue());
  cellsSilent = [];
  await comeBack(staff);
  await staff.page.getByText(silent).waitFor({ state: 'detached' });
});
