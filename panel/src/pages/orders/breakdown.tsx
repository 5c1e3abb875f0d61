// Why messages did not arrive, in words with advice; the same by carrier; and the curve of arrival. Every row filters the
// recipients below.
import { useElementSize } from '@mantine/hooks';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { deliveryRate, number, percent } from '../../format.ts';
import { inOurs, t } from '../../text/language.ts';
import { momentLabel } from '../../ui/axis.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { SegmentBar } from '../../ui/segment-bar.tsx';

type View = OutputOf<'orders.read'>;

export function OrderBreakdown({ order }: { order: View }) {
  return (
    <div className="two-blocks">
      <Reasons order={order} />
      <div className="stack">
        <Carriers order={order} />
        <Curve order={order} />
      </div>
    </div>
  );
}

function Reasons({ order }: { order: View }) {
  const [, change] = useSearchState();
  const most = Math.max(1, ...order.reasons.map(reason => reason.count));
  return (
    <section className="block" aria-label={t.order.whyNot}>
      <h2>{t.order.whyNot}</h2>
      {order.reasons.length === 0 ? (
        <p className="soft">{t.order.noReasons}</p>
      ) : (
        <table className="grid plain-grid">
          <thead>
            <tr>
              <th scope="col">{t.order.reasonColumn}</th>
              <th scope="col" className="wide-only">
                <span className="visually-hidden">{t.orders.progress}</span>
              </th>
              <th scope="col" className="right">
                {t.orders.recipients}
              </th>
            </tr>
          </thead>
          <tbody>
            {order.reasons.map(reason => (
              <tr key={reason.no}>
                <td>
                  <span className="reason">
                    <Glyph name={reason.filtered ? 'filtered' : 'failed'} />
                    <span>
                      {inOurs(reason)}
                      <small>{inOurs(reason.advice)}</small>
                    </span>
                  </span>
                </td>
                <td className="wide-only reason-bar">
                  <svg width="100%" height="8" aria-hidden="true">
                    <rect
                      width={`${(reason.count / most) * 100}%`}
                      height="8"
                      rx="2"
                      fill={reason.filtered ? 'var(--chart-filtered)' : 'var(--chart-failed)'}
                    />
                  </svg>
                </td>
                <td className="right">
                  <button
                    type="button"
                    className="count-link"
                    aria-label={`${inOurs(reason)}: ${number(reason.count)}`}
                    onClick={() => change({ sebep: String(reason.no), operator: null, durum: null, sekme: null })}
                  >
                    {number(reason.count)}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Carriers({ order }: { order: View }) {
  const [, change] = useSearchState();
  if (order.operators.length === 0) return null;
  return (
    <section className="block" aria-label={t.order.byOperator}>
      <h2>{t.order.byOperator}</h2>
      <table className="grid plain-grid">
        <thead>
          <tr>
            <th scope="col">{t.order.operator}</th>
            <th scope="col" className="right">
              {t.orders.recipients}
            </th>
            <th scope="col" className="wide-only">
              <span className="visually-hidden">{t.orders.progress}</span>
            </th>
            <th scope="col" className="right">
              {t.orders.rate}
            </th>
          </tr>
        </thead>
        <tbody>
          {order.operators.map(row => (
            <tr key={row.operator}>
              <td>
                <button
                  type="button"
                  className="count-link"
                  onClick={() => change({ operator: row.operator, sebep: null, durum: null, sekme: null })}
                >
                  {t.operators[row.operator]}
                </button>
              </td>
              <td className="right">{number(row.total)}</td>
              <td className="bar-cell wide-only">
                <SegmentBar counters={row} label={t.operators[row.operator]} />
              </td>
              <td className="right">
                <b>{percent(deliveryRate(row.delivered, row.undelivered))}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const height = 118;
const left = 44;
const plot = { top: 8, height: 84 };

/** Share of all recipients that had it, over time. */
function Curve({ order }: { order: View }) {
  const { ref, width } = useElementSize();
  if (order.curve.length === 0 || order.total === 0) return null;
  const points = [{ at: order.sendAt, delivered: 0 }, ...order.curve];
  const times = points.map(point => Date.parse(point.at));
  const [begin, end] = [times[0] ?? 0, Math.max(times.at(-1) ?? 0, (times[0] ?? 0) + 1)];
  const x = (at: number) => left + ((at - begin) / (end - begin)) * (width - left - 4);
  const y = (share: number) => plot.top + plot.height * (1 - share);
  const line = points.map((point, i) => `${x(times[i] ?? 0)} ${y(point.delivered / order.total)}`).join('L');
  const label = momentLabel(points.map(point => point.at));
  return (
    <section className="block" aria-label={t.order.curve}>
      <h2>{t.order.curve}</h2>
      <div ref={ref} className="trend-plot">
        {width > 0 && (
          <svg width={width} height={height} role="img" aria-label={t.order.curve}>
            {[1, 0.5, 0].map(mark => (
              <g key={mark}>
                <path d={`M${left} ${y(mark)}H${width}`} stroke="var(--chart-grid)" />
                <text x={left - 8} y={y(mark) + 4} textAnchor="end">
                  {percent(mark)}
                </text>
              </g>
            ))}
            <path d={`M${line}L${x(end)} ${y(0)}L${left} ${y(0)}Z`} fill="var(--chart-delivered)" fillOpacity="0.12" />
            <path d={`M${line}`} fill="none" stroke="var(--chart-delivered)" strokeWidth="1.5" />
            <text x={left} y={height - 4}>
              {label(order.sendAt)}
            </text>
            <text x={width - 2} y={height - 4} textAnchor="end">
              {label(points.at(-1)?.at ?? order.sendAt)}
            </text>
          </svg>
        )}
      </div>
    </section>
  );
}
