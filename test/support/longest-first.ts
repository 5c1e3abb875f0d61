// The order of a run: the files that take longest begin first, so that at the end no core waits for one long file, and
// browsers, which compute, come between journeys, which wait for half of their time: five browsers at once share two cores, and
// five journeys leave them idle. Vitest remembers how long each took, but not in a fresh clone, and it never mixes projects;
// so the long ones are named here, with their seconds on two idle cores. A file that is not named is short.
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const seconds: Record<string, number> = {
  'panel/e2e/console-staff.e2e.ts': 167,
  'panel/e2e/every-page.e2e.ts': 150,
  'panel/e2e/console-lists.e2e.ts': 123,
  'panel/e2e/console-settings.e2e.ts': 114,
  'panel/e2e/console.e2e.ts': 75,
  'test/journeys/kill-9.test.ts': 51,
  'test/journeys/moving.test.ts': 50,
  'test/journeys/rolling-upgrade.test.ts': 48,
  'test/journeys/carrier-faults.test.ts': 42,
  'test/journeys/roles.test.ts': 31,
  'test/journeys/failover.test.ts': 30,
  'test/journeys/carriers.test.ts': 27,
  'src/webhooks/deliver.test.ts': 25,
  'test/journeys/health.test.ts': 22,
  'test/journeys/first-sms.test.ts': 21,
  'test/journeys/http-carrier.test.ts': 20,
  'test/journeys/schedule-and-cancel.test.ts': 20,
  'src/consent/sync/sync.test.ts': 19,
  'test/journeys/restored.test.ts': 17,
  'test/journeys/packed.test.ts': 16,
  'test/journeys/cells.test.ts': 16,
  'test/journeys/backup.test.ts': 15,
  'src/db/embedded/server.test.ts': 15,
  'test/journeys/database.test.ts': 14,
  'test/journeys/frozen.test.ts': 14,
  'src/http/hostile-bodies.test.ts': 14,
  'src/cells/move/killed.test.ts': 14,
  'src/consent/sync/pull.test.ts': 13,
  'test/journeys/fates.test.ts': 12,
  'test/journeys/lanes.test.ts': 11,
  'src/dispatch/dispatcher.test.ts': 11,
  'test/journeys/smpp-customers.test.ts': 10,
  'test/journeys/poison.test.ts': 9,
  'test/journeys/skewed-clock.test.ts': 8,
  'src/api/hostile-input.test.ts': 8,
  'src/cli/imports.test.ts': 8,
  'src/tables/workbook.test.ts': 8,
  'src/dispatch/links/http/presets.test.ts': 7,
  'test/journeys/receipts.test.ts': 7,
  'src/panel-api/staff/carriers.test.ts': 7,
  'src/dispatch/links/router.test.ts': 7,
  'src/panel-api/send/counter.test.ts': 7,
  'src/panel-api/access.test.ts': 6,
  'src/cells/move/move.test.ts': 6,
  'src/smpp-door/door.test.ts': 5,
  'src/db/session.test.ts': 5,
  'src/panel-api/staff/troubles.test.ts': 5,
  'test/journeys/pace.test.ts': 5,
  'test/model/model.test.ts': 5,
  'src/panel-api/send/drafts.test.ts': 4,
  'src/api/lost-commit.test.ts': 4,
  'src/dispatch/links/slot-locks.test.ts': 4,
  'src/http/mcp.test.ts': 4,
  'src/dispatch/record/receipts.test.ts': 4,
  'src/panel-api/session/session.test.ts': 4,
  'src/cli/commands.test.ts': 4,
  'src/api/hostile-bytes.test.ts': 4,
  'src/panel-api/session/limits.test.ts': 4,
  'src/cli/cells.test.ts': 4,
  'simulators/smsc/phones.test.ts': 4,
};

export const longFiles = Object.keys(seconds);

const browsers = 'panel/e2e/';
/** So many others begin for each browser. */
const besides = 2;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const pathOf = (one: TestSpecification): string => relative(this.ctx.config.root, one.moduleId);
    const of = (one: TestSpecification): number => seconds[pathOf(one)] ?? 0;
    const sorted = (await super.sort(files)).sort((a, b) => of(b) - of(a));
    const [inBrowsers, others] = [true, false].map(wanted =>
      sorted.filter(one => pathOf(one).startsWith(browsers) === wanted),
    ) as [TestSpecification[], TestSpecification[]];
    const mixed = inBrowsers.flatMap((one, i) => [one, ...others.slice(i * besides, (i + 1) * besides)]);
    return [...mixed, ...others.slice(inBrowsers.length * besides)];
  }
}
