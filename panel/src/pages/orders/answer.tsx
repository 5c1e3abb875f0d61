// An order begins with its answer: how many people it reached, and one sentence with the rest; while it runs, how far it is and
// what a cancel would bring back. The text stands beside it as people see it.
import type { ReactNode } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { deliveryRate, duration, number, percent } from '../../format.ts';
import { t } from '../../text/language.ts';
import { dayAndTime, paceWords } from '../../ui/order-words.ts';
import { RateHelp } from '../../ui/rate-help.tsx';
import { finalCount } from '../../ui/segment-bar.tsx';
import { attentionRate } from '../../ui/states.tsx';
import { useLive } from '../../ui/use-live.ts';

type View = OutputOf<'orders.read'>;

export function OrderAnswer({ order }: { order: View }) {
  const live = useLive().data?.running.find(running => running.id === order.id);
  const first = order.textList[0];
  return (
    <div className="answer">
      <div>
        <p className="answer-head">{headline(order, live?.secondsLeft ?? null)}</p>
        <p className="answer-rest">
          {[...sentences(order), order.state === 'sending' && live ? paceWords(live) : ''].filter(Boolean).join(' ')}
        </p>
      </div>
      {first && (
        <div className="bubble quiet-bubble answer-text">
          {first.text}
          {order.texts > 1 && <span className="soft"> {t.order.oneOf(number(order.texts))}</span>}
        </div>
      )}
    </div>
  );
}

function headline(order: View, secondsLeft: number | null): ReactNode {
  const rate = deliveryRate(order.delivered, order.undelivered);
  switch (order.state) {
    case 'scheduled':
      return t.order.headScheduled(dayAndTime(order.sendAt), number(order.total));
    case 'cancelled':
      return t.order.headCancelled(number(order.total));
    case 'failed':
      return t.order.headFailed;
    case 'sending':
      return (
        <>
          {percent(order.total === 0 ? 0 : Math.floor((finalCount(order) / order.total) * 100) / 100)}
          {secondsLeft !== null && <span className="busy"> · {t.order.left(duration(secondsLeft * 1000))}</span>}
        </>
      );
    default:
      return (
        <>
          {t.order.headReached(number(order.delivered))}{' '}
          {rate !== null && (
            <>
              <span className={rate < attentionRate ? 'bad' : 'good'}>{percent(rate)}</span> <RateHelp />
            </>
          )}
        </>
      );
  }
}

function sentences(order: View): string[] {
  const said: string[] = [];
  const { total, filtered, undelivered } = order;
  if (order.state === 'sending' && order.delivered + undelivered > 0)
    said.push(t.order.soFar(number(order.delivered), number(undelivered)));
  else if (filtered > 0 && undelivered > 0)
    said.push(t.order.both(number(total), number(filtered), number(undelivered)));
  else if (filtered > 0) said.push(t.order.onlyFiltered(number(total), number(filtered)));
  else if (undelivered > 0) said.push(t.order.onlyFailed(number(total), number(undelivered)));
  else if (order.state === 'finished') said.push(t.order.everybody(number(total)));
  if (order.cancelledBy) said.push(`${t.order.cancelledBy(order.cancelledBy)}.`);
  if (order.finishedAt && order.state === 'finished')
    said.push(t.order.ended(duration(Date.parse(order.finishedAt) - Date.parse(order.sendAt))));
  if (order.p50Seconds !== null && order.p90Seconds !== null)
    said.push(t.order.curveNote(duration(order.p50Seconds * 1000), duration(order.p90Seconds * 1000)));
  if (order.resent > 0) said.push(t.order.resent(number(order.resent)));
  return said;
}
