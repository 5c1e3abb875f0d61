// The panel's only poll: small, cheap, and enough to keep the numbers of every page up to date.
import { lowBalanceSettings } from '../../accounts/low-balance.ts';
import { noticesFor } from '../../accounts/notices.ts';
import { readBalance } from '../../balance/ledger.ts';
import { listCarriers } from '../../carriers/carriers.ts';
import type { Db } from '../../db/db.ts';
import { laneDepths } from '../../metrics/stored/queue-depth.ts';
import { noticesSeen } from '../../people/memberships.ts';
import type { Session } from '../../people/sessions.ts';
import { readHold } from '../../queue/dispatch-hold.ts';
import { traffic } from '../../reports/traffic.ts';
import { endpointStates, webhookSummary } from '../../webhooks/endpoint-state.ts';
import { askEach, homeDb } from '../call/cells.ts';
import type { Handlers, PanelServices } from '../call/context.ts';
import { refusalCount } from '../developers/refusal-list.ts';
import { shownExports } from '../exports/exports.ts';
import { latestInbound } from '../lists/inbox-list.ts';
import { scheduledCount } from '../orders/order-lines.ts';
import { RecentAnswers } from '../queries/recent-answers.ts';
import { waitingApplications } from '../staff/application-list.ts';
import { statesOver } from '../staff/carrier-states.ts';
import type { Live, NoticeLine } from './contract.ts';
import { runningOrders } from './running.ts';

const dayMs = 86_400_000;
const keepMs = 2_000;
/** A cell that is down must not delay the poll of the others. */
const patienceMs = 3_000;
const useKeepMs = 300_000;
const useDays = 7;
const answers = new RecentAnswers();

export const liveHandlers = {
  async live(call) {
    const { db, now, session } = call;
    return {
      now: now.toISOString(),
      version: call.version,
      ...(session.account ? await accountSigns(db, session.account, session.userId, now) : nothing),
      staff: session.staff ? await answers.get(homeDb(call), 'staff', keepMs, () => staffSigns(call)) : null,
    };
  },

  async 'notices.seen'(call) {
    await noticesSeen(call.db, call.account.id, call.session.userId, call.input.upTo);
    return {};
  },
} satisfies Partial<Handlers>;

type SeenAccount = NonNullable<Session['account']>;
type AccountSigns = Omit<Live, 'now' | 'version' | 'staff'>;

/** For staff without an account, and people who were removed from theirs: the poll continues and returns nothing. */
const nothing: AccountSigns = {
  balance: 0,
  usedPerDay: 0,
  running: [],
  scheduled: 0,
  inboxLatest: 0,
  apiRefusals: 0,
  webhookState: 'none',
  webhookReason: null,
  webhookWaiting: 0,
  lowBalance: null,
  notices: [],
  exports: [],
};

async function accountSigns(db: Db, account: SeenAccount, userId: number, now: Date): Promise<AccountSigns> {
  const { id: accountId, role } = account;
  const webhook = await answers.get(db, `webhook ${accountId}`, keepMs, async () =>
    webhookSummary(await endpointStates(db, accountId)),
  );
  const refusals = await answers.get(db, `refusals ${accountId}`, keepMs, () =>
    refusalCount(db, accountId, new Date(now.getTime() - dayMs)),
  );
  const balance = (await readBalance(db, accountId))!.sms;
  const { lowBalance } = await lowBalanceSettings(db, accountId);
  return {
    balance,
    usedPerDay: await answers.get(db, `use ${accountId}`, useKeepMs, () => usedPerDay(db, accountId, now)),
    lowBalance: lowBalance !== null && balance < lowBalance ? lowBalance : null,
    running: await runningOrders(db, accountId, now),
    scheduled: await scheduledCount(db, accountId),
    inboxLatest: await latestInbound(db, accountId),
    apiRefusals: refusals,
    webhookState: webhook.state,
    notices: await shownNotices(db, accountId, userId, now),
    webhookReason: webhook.reason,
    webhookWaiting: webhook.waiting,
    exports: await shownExports(db, accountId, role, now),
  };
}

/** Credits, on average over the last seven days; used to predict how long the balance lasts. */
async function usedPerDay(db: Db, accountId: number, now: Date): Promise<number> {
  const range = { from: new Date(now.getTime() - useDays * dayMs), to: now };
  const { cuts } = await traffic(db, accountId, range, now, [{ grain: 'all', by: null }]);
  return (cuts[0]?.[0]?.credits ?? 0) / useDays;
}

async function shownNotices(db: Db, accountId: number, userId: number, now: Date): Promise<NoticeLine[]> {
  return (await noticesFor(db, accountId, userId, now)).map(({ id, kind, detail, createdAt, isNew }) => ({
    id,
    kind,
    name: detail.name ?? null,
    reason: detail.reason ?? null,
    at: createdAt.toISOString(),
    isNew,
  }));
}

/** Over all cells, as the staff pages count. */
async function staffSigns(call: PanelServices): Promise<NonNullable<Live['staff']>> {
  const signsIn = async (db: Db) => ({
    lanes: await laneDepths(db),
    applications: await waitingApplications(db),
    carriers: await listCarriers(db),
    isHeld: (await readHold(db)) !== null,
  });
  const { answers: cells, silent } = await askEach(call, signsIn, patienceMs);
  const lanes = cells.flatMap(one => one.lanes);
  const down = statesOver(cells.map(one => one.carriers)).filter(
    one => one.state === 'down' || one.state === 'connecting',
  );
  return {
    carriersDown: down.length,
    downNames: down.map(one => one.name),
    waiting: lanes.reduce((sum, one) => sum + one.due, 0),
    applicationsWaiting: cells.reduce((sum, one) => sum + one.applications, 0),
    oldestWaitingSeconds: Math.max(0, ...lanes.map(one => one.oldestSeconds)),
    held: cells.some(one => one.isHeld),
    cellsSilent: silent,
  };
}
