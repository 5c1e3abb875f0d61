// Delivery by carrier, with the points gained or lost against the period before.
import { Link } from '@tanstack/react-router';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { deliveryRate, number, percent } from '../../format.ts';
import { paths } from '../../paths.ts';
import { t } from '../../text/language.ts';
import { RateHelp } from '../../ui/rate-help.tsx';

export function ByCarrier({ rows }: { rows: OutputOf<'overview.read'>['operators'] }) {
  return (
    <section className="block" aria-label={t.overview.byOperator}>
      <div className="block-head">
        <h2 className="with-help">
          {t.overview.byOperator} <RateHelp />
        </h2>
        <Link to={paths.reports()} search={{ dilim: 'operator' }} className="link">
          {t.overview.report}
        </Link>
      </div>
      {rows.length === 0 ? (
        <p className="soft">{t.overview.noData}</p>
      ) : (
        <table className="grid plain-grid">
          <thead>
            <tr>
              <th scope="col">{t.reports.cuts.operator}</th>
              <th scope="col" className="right">
                {t.overview.messages}
              </th>
              <th scope="col" className="wide-only">
                <span className="visually-hidden">{t.orders.progress}</span>
              </th>
              <th scope="col" className="right">
                {t.overview.rate}
              </th>
              <th scope="col" className="right">
                {t.overview.point}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(row => {
              const rate = deliveryRate(row.delivered, row.undelivered) ?? 0;
              return (
                <tr key={row.operator}>
                  <td>
                    <b>{t.operators[row.operator]}</b>
                  </td>
                  <td className="right">{number(row.delivered + row.undelivered)}</td>
                  <td className="bar-cell wide-only">
                    <div className="bar" aria-hidden>
                      <span className="bar-delivered" style={{ flex: `${row.delivered} 1 0` }} />
                      <span className="bar-failed" style={{ flex: `${row.undelivered} 1 0` }} />
                    </div>
                  </td>
                  <td className="right">
                    <b>{percent(rate)}</b>
                  </td>
                  <td className="right">
                    <Points now={rate} before={row.rateBefore} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Points({ now, before }: { now: number; before: number | null }) {
  if (before === null) return <span className="soft">–</span>;
  const points = Math.round((now - before) * 1000) / 10;
  if (points === 0) return <span className="soft">{number(0)}</span>;
  const words = `${points > 0 ? '▲' : '▼'} ${number(Math.abs(points))}`;
  return <b className={points > 0 ? 'good' : 'bad'}>{words}</b>;
}
