// Orders in progress, with their pace. The pace is the mean since sending began, which needs no further look at messages; the
// browser computes the current one between polls.
import type { Queryable } from '../../db/db.ts';
import { runningRows, showOrder } from '../orders/order-lines.ts';
import { RecentAnswers } from '../queries/recent-answers.ts';
import type { RunningOrder } from './contract.ts';

const keepMs = 1_000;
const answers = new RecentAnswers();

export function runningOrders(db: Queryable, accountId: number, now: Date): Promise<RunningOrder[]> {
  return answers.get(db, `running ${accountId}`, keepMs, async () =>
    (await runningRows(db, accountId)).map(row => {
      const order = showOrder(row);
      const ended = order.delivered + order.undelivered;
      const seconds = (now.getTime() - row.sendAt.getTime()) / 1_000;
      const perSecond = ended > 0 && seconds >= 1 ? ended / seconds : null;
      const left = order.queued + order.withCarrier;
      // Reports arrive when phones are switched on: once nothing is queued, no pace predicts the end.
      const isPaced = perSecond !== null && order.queued > 0;
      return {
        ...order,
        perSecond: isPaced ? perSecond : null,
        secondsLeft: isPaced ? Math.ceil(left / perSecond) : null,
      };
    }),
  );
}
