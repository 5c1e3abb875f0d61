// The newest orders, running ones first, each row a link to its page.
import { Link, useNavigate } from '@tanstack/react-router';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { duration, number } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { startsWords } from '../../ui/order-words.ts';
import { RateCell } from '../../ui/rate-cell.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { SegmentBar } from '../../ui/segment-bar.tsx';
import { type Order, OrderStateBadge } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

type Running = OutputOf<'live'>['running'];
const shownMost = 6;
const refreshMs = 20_000;

export function RecentOrders({ running }: { running: Running }) {
  const list = useRead('orders.list', {}, { refetchMs: refreshMs });
  const navigate = useNavigate();
  const runningIds = new Set(running.map(order => order.id));
  const others = (list.data?.rows ?? []).filter(order => !runningIds.has(order.id));
  const rows: Order[] = [...running, ...others].slice(0, shownMost);
  const left = new Map(running.map(order => [order.id, order]));
  return (
    <section className="block" aria-label={t.overview.recent}>
      <div className="block-head">
        <h2>{t.overview.recent}</h2>
        <Link to={paths.orders()} className="link">
          {t.common.all}
        </Link>
      </div>
      <ReadState of={list} height={180} />
      <table className="grid plain-grid recent">
        <thead>
          <tr>
            <th scope="col">{t.common.state}</th>
            <th scope="col">{t.orders.order}</th>
            <th scope="col" className="right wide-only">
              {t.orders.recipients}
            </th>
            <th scope="col" className="wide-only">
              {t.orders.progress}
            </th>
            <th scope="col" className="right">
              {t.messageStates.delivered}
            </th>
            <th scope="col" className="right">
              {t.orders.when}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(order => (
            <tr
              key={order.id}
              className="opens"
              onClick={() => void navigate({ to: paths.order(String(order.id)) })}
              data-order={order.id}
            >
              <td>
                <OrderStateBadge order={order} />
              </td>
              <td className="grow">
                <Link to={paths.order(String(order.id))} className="plain clip">
                  {order.textStart}
                </Link>
              </td>
              <td className="right wide-only">{number(order.total)}</td>
              <td className="wide-only bar-cell">
                {order.state === 'scheduled' ? (
                  <span className="soft">{startsWords(order.sendAt)}</span>
                ) : (
                  <SegmentBar counters={order} />
                )}
              </td>
              <td className="right">
                <RateCell order={order} />
              </td>
              <td className="right soft">
                <LeftOrTime order={order} running={left.get(order.id)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function LeftOrTime({ order, running }: { order: Order; running: Running[number] | undefined }) {
  if (running?.queued === 0 && running.withCarrier > 0) return <>{t.order.awaiting(number(running.withCarrier))}</>;
  if (running?.secondsLeft != null)
    return <span className="busy">{t.order.left(duration(running.secondsLeft * 1000))}</span>;
  return <Time at={order.submitAt} />;
}
