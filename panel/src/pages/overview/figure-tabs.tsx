// The figures of the period, each with its change and the value before; they are also the tabs of the chart below.
import type { ReactNode } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { deliveryRate, number, percent } from '../../format.ts';
import { t } from '../../text/language.ts';
import { changeOf, type Shown } from './points.ts';

type Overview = OutputOf<'overview.read'>;
type Figure = { key: Shown; label: string; value: string; change: ReactNode };

export function FigureTabs(props: { data: Overview; shown: Shown; onShow: (key: Shown) => void }) {
  const { data, shown, onShow } = props;
  return (
    <div className="figure-tabs" role="tablist" aria-label={t.overview.chart}>
      {figuresOf(data).map(figure => (
        <button
          type="button"
          role="tab"
          key={figure.key}
          aria-selected={figure.key === shown}
          onClick={() => onShow(figure.key)}
        >
          <span className="figure-name">{figure.label}</span>
          <span className="figure-value">{figure.value}</span>
          <span className="figure-change">{figure.change}</span>
        </button>
      ))}
    </div>
  );
}

function figuresOf({ sums, before }: Overview): Figure[] {
  const rate = deliveryRate(sums.delivered, sums.undelivered);
  const rateBefore = deliveryRate(before.delivered, before.undelivered);
  const points = rate === null || rateBefore === null ? null : Math.round((rate - rateBefore) * 1000) / 10;
  return [
    {
      key: 'total',
      label: t.overview.messages,
      value: number(sums.total),
      change: <Change of={changeOf(sums.total, before.total)} before={number(before.total)} />,
    },
    {
      key: 'rate',
      label: t.overview.rate,
      value: percent(rate),
      change:
        points === null ? (
          <Change of={null} before={percent(rateBefore)} />
        ) : (
          <>
            <Arrow value={points} good="up" words={t.overview.points(number(Math.abs(points)))} />
            {t.overview.was(percent(rateBefore))}
          </>
        ),
    },
    {
      key: 'undelivered',
      label: t.messageStates.undelivered,
      value: number(sums.undelivered),
      change: (
        <Change of={changeOf(sums.undelivered, before.undelivered)} before={number(before.undelivered)} good="down" />
      ),
    },
    {
      key: 'credits',
      label: t.overview.credits,
      value: number(sums.credits),
      change: <Change of={changeOf(sums.credits, before.credits)} before={number(before.credits)} />,
    },
  ];
}

function Change(props: { of: number | null; before: string; good?: 'up' | 'down' }) {
  if (props.of === null) return <>{t.overview.nothingBefore}</>;
  return (
    <>
      <Arrow value={props.of} good={props.good} words={percent(Math.abs(props.of))} />
      {t.overview.was(props.before)}
    </>
  );
}

/** More messages is neither good nor bad; a better rate and fewer failures are good. */
function Arrow(props: { value: number; good?: 'up' | 'down'; words: string }) {
  const { value, good, words } = props;
  if (value === 0) return <span>{`${words} · `}</span>;
  const isGood = good && value > 0 === (good === 'up');
  return (
    <span>
      <b className={good ? (isGood ? 'good' : 'bad') : 'second'}>{`${value > 0 ? '▲' : '▼'} ${words}`}</b>
      {' · '}
    </span>
  );
}
