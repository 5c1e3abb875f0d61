// The one poll of the panel: small, cheap, and enough to keep every page's figures moving.
import { readBalance } from '../balance/ledger.ts';
import type { Queryable } from '../db/db.ts';
import { listCarriers } from '../dispatch/carriers.ts';
import { endpointState } from '../webhooks/endpoints.ts';
import type { Handlers } from './context.ts';
import type { Live } from './contract-messages.ts';
import { waitingApplications } from './queries/application-list.ts';
import { latestInbound } from './queries/inbox-list.ts';
import { scheduledCount } from './queries/order-lines.ts';
import { laneDepths } from './queries/queue-depth.ts';
import { refusalCount } from './queries/refusal-list.ts';
import { RecentAnswers } from './recent-answers.ts';
import { runningOrders } from './running.ts';

const dayMs = 86_400_000;
const keepMs = 2_000;
const answers = new RecentAnswers();

export const liveHandlers = {
  async live(call) {
    const { db, account, now } = call;
    const webhook = await answers.get(`webhook ${account.id}`, keepMs, () => endpointState(db, account.id));
    const refusals = await answers.get(`refusals ${account.id}`, keepMs, () =>
      refusalCount(db, account.id, new Date(now.getTime() - dayMs)),
    );
    return {
      now: now.toISOString(),
      version: call.version,
      balance: (await readBalance(db, account.id))!.sms,
      running: await runningOrders(db, account.id, now),
      scheduled: await scheduledCount(db, account.id),
      inboxLatest: await latestInbound(db, account.id),
      apiRefusals: refusals,
      webhookState: !webhook || webhook.url === '' ? 'none' : webhook.state,
      staff: call.session.staff ? await answers.get('staff', keepMs, () => staffSigns(db)) : null,
    };
  },
} satisfies Partial<Handlers>;

export async function staffSigns(db: Queryable): Promise<NonNullable<Live['staff']>> {
  const carriers = await listCarriers(db);
  const lanes = await laneDepths(db);
  return {
    carriersDown: carriers.filter(one => one.state === 'down' || one.state === 'connecting').length,
    applicationsWaiting: await waitingApplications(db),
    oldestWaitingSeconds: Math.max(0, ...lanes.map(one => one.oldestSeconds)),
  };
}
