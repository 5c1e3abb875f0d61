// The order of a run: the files that take longest begin first, so that at the end no core waits for one long file. Vitest
// remembers how long each took, but not in a fresh clone, and it never mixes projects; so the long ones are named here, with
// their seconds on two idle cores. A file that is not named is short.
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const seconds: Record<string, number> = {
  'panel/e2e/every-page.e2e.ts': 120,
  'panel/e2e/console.e2e.ts': 110,
  'panel/e2e/console-settings.e2e.ts': 100,
  'panel/e2e/console-staff.e2e.ts': 100,
  'panel/e2e/console-lists.e2e.ts': 90,
  'test/journeys/moving.test.ts': 70,
  'test/journeys/kill-9.test.ts': 60,
  'test/journeys/packed.test.ts': 40,
  'test/journeys/http-carrier.test.ts': 40,
  'test/journeys/carrier-faults.test.ts': 55,
  'test/journeys/cells.test.ts': 25,
  'test/journeys/rolling-upgrade.test.ts': 45,
  'test/journeys/failover.test.ts': 40,
  'test/journeys/database.test.ts': 40,
  'test/journeys/frozen.test.ts': 35,
  'test/journeys/health.test.ts': 30,
  'test/journeys/carriers.test.ts': 30,
  'test/journeys/fates.test.ts': 25,
  'src/webhooks/deliver.test.ts': 24,
  'test/journeys/smpp-customers.test.ts': 22,
  'test/journeys/lanes.test.ts': 20,
  'test/journeys/schedule-and-cancel.test.ts': 20,
  'src/consent/sync/sync.test.ts': 20,
  'src/smpp-door/door.test.ts': 20,
  'src/dispatch/links/http/presets.test.ts': 20,
  'src/dispatch/dispatcher.test.ts': 18,
  'src/dispatch/links/http/hostile.test.ts': 12,
  'test/journeys/restored.test.ts': 18,
  'test/journeys/backup.test.ts': 18,
  'test/journeys/first-sms.test.ts': 17,
  'test/journeys/skewed-clock.test.ts': 16,
  'src/consent/sync/pull.test.ts': 16,
  'test/journeys/roles.test.ts': 40,
  'test/journeys/receipts.test.ts': 15,
  'test/model/model.test.ts': 8,
  'src/http/mcp.test.ts': 7,
  'packages/client/src/client.test.ts': 6,
  'src/db/embedded/server.test.ts': 13,
  'src/db/session.test.ts': 13,
  'src/dispatch/links/router.test.ts': 12,
  'src/panel-api/staff/carriers.test.ts': 12,
  'src/panel-api/staff/troubles.test.ts': 11,
  'test/journeys/poison.test.ts': 10,
  'test/journeys/pace.test.ts': 10,
  'test/journeys/inbound.test.ts': 10,
  'test/journeys/durability.test.ts': 10,
  'src/panel-api/send/counter.test.ts': 10,
  'src/panel-api/send/drafts.test.ts': 8,
  'src/api/lost-commit.test.ts': 8,
  'src/api/hostile-input.test.ts': 8,
  'src/dispatch/links/slot-locks.test.ts': 8,
  'src/orders/accept-plan.test.ts': 6,
  'src/dispatch/record/receipts.test.ts': 6,
  'src/webhooks/endpoints.test.ts': 5,
};

export const longFiles = Object.keys(seconds);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const of = (one: TestSpecification): number => seconds[relative(this.ctx.config.root, one.moduleId)] ?? 0;
    return (await super.sort(files)).sort((a, b) => of(b) - of(a));
  }
}
