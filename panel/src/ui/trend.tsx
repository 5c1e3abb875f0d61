// A chart in two tracks on one axis: bars of the chosen figure with a dotted mark of the period before, and the delivery rate
// below. Plain SVG, so that the overview loads no chart library. Arrow keys move the cursor.
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { number, percent } from '../format.ts';
import { t } from '../text/language.ts';
import { axisLabel, roundTicks } from './axis.ts';
import { ChartMenu } from './chart-menu.tsx';
import { FigureTable } from './figure-table.tsx';
import { useKeys } from './shortcut-rules.ts';

type PartKey = 'delivered' | 'filtered' | 'undelivered' | 'waiting' | 'credits';
export type TrendStep = {
  label: string;
  parts: { key: PartKey; value: number }[];
  before: number;
  rate: number | null;
  isRunning: boolean;
};
type Props = { title: string; steps: TrendStep[]; compare: boolean; beforeLabel: string };

const colours: Record<PartKey, string> = {
  delivered: 'var(--chart-delivered)',
  filtered: 'var(--chart-filtered)',
  undelivered: 'var(--chart-failed)',
  waiting: 'var(--chart-onway)',
  credits: 'var(--chart-delivered)',
};
const nameOf = (key: PartKey): string =>
  key === 'credits' ? t.overview.credits : key === 'waiting' ? t.overview.waiting : t.messageStates[key];

const left = 56;
const right = 16;
const barsTop = 10;
const barsHeight = 146;
const rateTop = 182;
const rateHeight = 42;
const height = 254;
const lineOnly = { top: 12, height: 200 };
const labelWidth = 64;

export function Trend({ title, steps, compare, beforeLabel }: Props) {
  const [at, setAt] = useState<number | null>(null);
  const [asTable, setAsTable] = useState(false);
  useKeys({ t: () => setAsTable(!asTable) });
  const parts = steps[0]?.parts ?? [];
  // The legend explains what is drawn.
  const keys = parts
    .map(part => part.key)
    .filter(key => steps.some(step => step.parts.some(part => part.key === key && part.value > 0)));
  const onKey = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape') setAt(null);
    const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (move === 0) return;
    event.preventDefault();
    setAt(Math.min(steps.length - 1, Math.max(0, (at ?? (move > 0 ? -1 : steps.length)) + move)));
  };
  return (
    <figure className="trend" aria-label={title}>
      <div className="trend-head">
        <figcaption>{title}</figcaption>
        <div className="trend-legend">
          {parts.length > 1 &&
            keys.map(key => (
              <span key={key}>
                <i style={{ background: colours[key] }} />
                {nameOf(key)}
              </span>
            ))}
          {compare && parts.length > 0 && (
            <span>
              <i className="trend-dash" />
              {beforeLabel}
            </span>
          )}
          <ChartMenu
            title={title}
            table={() => tableOf(steps)}
            asTable={asTable}
            onTable={() => setAsTable(!asTable)}
          />
        </div>
      </div>
      {asTable ? (
        <TrendTable steps={steps} title={title} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows move the cursor of the chart
        <section className="trend-plot" tabIndex={0} aria-label={title} onKeyDown={onKey} onBlur={() => setAt(null)}>
          <Plot steps={steps} compare={compare} at={at} onAt={setAt} />
          {at !== null && steps[at] && (
            <Tip step={steps[at]} place={(at + 0.5) / steps.length} compare={compare} beforeLabel={beforeLabel} />
          )}
        </section>
      )}
    </figure>
  );
}

type PlotProps = { steps: TrendStep[]; compare: boolean; at: number | null; onAt: (at: number | null) => void };

function Plot({ steps, compare, at, onAt }: PlotProps) {
  const { ref, width } = useElementSize();
  const hasBars = (steps[0]?.parts.length ?? 0) > 0;
  const sumOf = (step: TrendStep) => step.parts.reduce((sum, part) => sum + part.value, 0);
  const ticks = roundTicks(Math.max(1, ...steps.map(step => Math.max(sumOf(step), compare ? step.before : 0))));
  const top = ticks.at(-1) ?? 1;
  const column = Math.max(1, (width - left - right) / Math.max(1, steps.length));
  const x = (index: number) => left + column * index;
  const y = (value: number) => barsTop + barsHeight * (1 - value / top);
  const bar = Math.min(26, column * 0.54);
  const find = (event: React.PointerEvent<SVGSVGElement>) => {
    const inside = event.clientX - event.currentTarget.getBoundingClientRect().left - left;
    onAt(Math.min(steps.length - 1, Math.max(0, Math.floor(inside / column))));
  };
  const every = Math.max(1, Math.ceil(labelWidth / column));
  return (
    <div ref={ref}>
      {width > 0 && (
        <svg width={width} height={height} onPointerMove={find} onPointerLeave={() => onAt(null)} aria-hidden="true">
          <defs>
            <pattern id="running" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(14)">
              <rect width="3.5" height="7" fill="var(--surface)" fillOpacity="0.55" />
            </pattern>
          </defs>
          {at !== null && (
            <rect x={x(at)} y={barsTop - 6} width={column} height={rateTop + rateHeight - 4} fill="var(--selected)" />
          )}
          {hasBars && (
            <>
              {ticks.map(tick => (
                <g key={tick}>
                  <path d={`M${left} ${y(tick)}H${width - right}`} stroke="var(--chart-grid)" />
                  <text x={left - 10} y={y(tick) + 4} textAnchor="end">
                    {axisLabel(tick)}
                  </text>
                </g>
              ))}
              {steps.map((step, index) => (
                <Column key={step.label} step={step} x={x(index) + (column - bar) / 2} width={bar} y={y} />
              ))}
              {compare &&
                steps.map((step, index) =>
                  step.before > 0 ? (
                    <path
                      key={step.label}
                      d={`M${x(index) + column * 0.14} ${y(step.before)}h${column * 0.72}`}
                      stroke="var(--chart-prev)"
                      strokeWidth="1.5"
                      strokeDasharray="3 2"
                    />
                  ) : null,
                )}
            </>
          )}
          <RateTrack
            steps={steps}
            at={at}
            centre={index => x(index) + column / 2}
            width={width}
            frame={hasBars ? { top: rateTop, height: rateHeight } : lineOnly}
          />
          {steps.map((step, index) =>
            (steps.length - 1 - index) % every === 0 ? (
              <text key={step.label} x={x(index) + column / 2} y={height - 8} textAnchor="middle">
                {step.label}
              </text>
            ) : null,
          )}
        </svg>
      )}
    </div>
  );
}

function Column(props: { step: TrendStep; x: number; width: number; y: (value: number) => number }) {
  const { step, x, width, y } = props;
  let below = 0;
  return (
    <g data-testid={step.isRunning ? 'running-step' : undefined}>
      {step.parts.map(({ key, value }) => {
        if (value === 0) return null;
        const from = y(below);
        below += value;
        const box = { x, y: y(below), width, height: Math.max(1, from - y(below) - 0.75) };
        return (
          <g key={key}>
            <rect {...box} fill={colours[key]} />
            {step.isRunning && <rect {...box} fill="url(#running)" />}
          </g>
        );
      })}
    </g>
  );
}

const usualFloor = 0.9;

type RateProps = {
  steps: TrendStep[];
  at: number | null;
  centre: (index: number) => number;
  width: number;
  frame: { top: number; height: number };
};

/** From 90 to 100 %, widened for lower values. The line skips steps without a rate. */
function RateTrack({ steps, at, centre, width, frame }: RateProps) {
  const known = steps.flatMap((step, index) => (step.rate === null ? [] : [{ index, rate: step.rate }]));
  const lowest = Math.min(1, ...known.map(one => one.rate));
  const floor = lowest >= usualFloor ? usualFloor : Math.floor(lowest * 10) / 10;
  const y = (rate: number) => frame.top + frame.height * (1 - (rate - floor) / (1 - floor));
  const line = known.map(({ index, rate }, i) => `${i === 0 ? 'M' : 'L'}${centre(index)} ${y(rate)}`).join('');
  return (
    <g>
      {[1, floor].map(mark => (
        <g key={mark}>
          <path d={`M${left} ${y(mark)}H${width - right}`} stroke="var(--chart-grid)" />
          <text x={left - 10} y={y(mark) + 4} textAnchor="end">
            {percent(mark)}
          </text>
        </g>
      ))}
      <path d={line} fill="none" stroke="var(--ink-2)" strokeWidth="1.5" />
      {known.map(({ index, rate }) =>
        rate < usualFloor || index === at || known.length === 1 ? (
          <circle
            key={index}
            cx={centre(index)}
            cy={y(rate)}
            r="3.5"
            fill={rate < usualFloor ? 'var(--chart-failed)' : 'var(--ink)'}
          />
        ) : null,
      )}
    </g>
  );
}

function Tip(props: { step: TrendStep; place: number; compare: boolean; beforeLabel: string }) {
  const { step, place, compare } = props;
  const style =
    place > 0.5 ? { right: `calc(${(1 - place) * 100}% + 16px)` } : { left: `calc(${place * 100}% + 40px)` };
  return (
    <div className="trend-tip" style={style} role="status">
      <b>{step.isRunning ? `${step.label} (${t.table.running})` : step.label}</b>
      {step.parts.map(part => (
        <span key={part.key} className="trend-line">
          <i style={{ background: colours[part.key] }} />
          {nameOf(part.key)}
          <b>{number(part.value)}</b>
        </span>
      ))}
      {compare && step.parts.length > 0 && (
        <span className="trend-line soft">
          <i className="trend-dash" />
          {props.beforeLabel}
          <b>{number(step.before)}</b>
        </span>
      )}
      <span className="trend-line trend-rate">
        {t.overview.rate}
        <b className={step.rate !== null && step.rate < usualFloor ? 'bad' : undefined}>{percent(step.rate)}</b>
      </span>
    </div>
  );
}

const tableOf = (steps: TrendStep[]): (string | number)[][] => [
  [t.common.time, ...(steps[0]?.parts ?? []).map(part => nameOf(part.key)), t.overview.rate],
  ...steps.map(step => [
    step.isRunning ? `${step.label} (${t.table.running})` : step.label,
    ...step.parts.map(part => part.value),
    percent(step.rate),
  ]),
];

function TrendTable({ steps, title }: { steps: TrendStep[]; title: string }) {
  const [head = [], ...rows] = tableOf(steps);
  return <FigureTable label={title} head={head} rows={rows} format={number} />;
}
