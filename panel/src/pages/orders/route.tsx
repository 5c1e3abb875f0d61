// The route of an order: accepted, passed to the carrier, reached the phone, as one band that narrows, with branches for what
// was filtered and what failed. Heights are true to scale; a branch is never thinner than 5 px. What still runs is hatched and
// leans, what has ended is closed by a standing edge. On a phone the same steps are bars below each other.
import { useElementSize, useMediaQuery } from '@mantine/hooks';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number, timeOfDay } from '../../format.ts';
import { t } from '../../text/language.ts';

type View = OutputOf<'orders.read'>;

const full = 48;
const top = 4;
const height = 104;
const thinnest = 5;
const thickest = 16;
const lean = Math.tan((14 * Math.PI) / 180);
const cuts = [0.228, 0.497] as const;

export function Route({ order }: { order: View }) {
  const phone = useMediaQuery('(max-width: 47.9em)', false, { getInitialValueInEffect: false });
  const passed = order.delivered + order.undelivered + order.withCarrier;
  return (
    <section className="route" aria-label={t.order.route}>
      {phone ? <Bars order={order} passed={passed} /> : <Across order={order} passed={passed} />}
    </section>
  );
}

type Step = { name: string; count: number; look: string; branch?: boolean };

function Bars({ order, passed }: { order: View; passed: number }) {
  const words = t.messageStates;
  const steps: Step[] = [
    { name: t.order.accepted, count: order.total, look: 'route-accepted' },
    { name: words.filtered, count: order.filtered, look: 'bar-filtered', branch: true },
    { name: words.queued, count: order.queued, look: 'bar-queued', branch: true },
    { name: t.order.passed, count: passed, look: 'route-passed' },
    { name: words.undelivered, count: order.undelivered, look: 'bar-failed', branch: true },
    { name: words['with-carrier'], count: order.withCarrier, look: 'bar-carrier', branch: true },
    { name: t.order.reached, count: order.delivered, look: 'route-reached' },
  ];
  return (
    <ul className="route-bars">
      {steps
        .filter(step => !step.branch || step.count > 0)
        .map(({ name, count, look, branch }) => (
          <li key={name} data-branch={branch}>
            <span>
              {name} <b>{number(count)}</b>
            </span>
            {count > 0 && (
              <i
                className={look}
                data-stands={look === 'route-reached' && order.state !== 'sending'}
                style={{ width: `${(100 * count) / order.total}%` }}
              />
            )}
          </li>
        ))}
    </ul>
  );
}

function Across({ order, passed }: { order: View; passed: number }) {
  const { ref, width } = useElementSize();
  return (
    <>
      <div className="route-labels">
        <Label name={t.order.accepted} value={order.total} note={timeOfDay(order.submitAt)} />
        <Label name={t.order.passed} value={passed} note={timeOfDay(order.sendAt)} />
        <Label
          name={t.order.reached}
          value={order.delivered}
          good
          note={order.finishedAt ? timeOfDay(order.finishedAt) : undefined}
        />
        {order.state === 'sending' && (
          <span className="route-open">
            {order.queued > 0 && t.order.inQueue(number(order.queued))}
            {order.withCarrier > 0 && <b className="busy">{t.order.onWay(number(order.withCarrier))}</b>}
          </span>
        )}
      </div>
      <div ref={ref} className="route-band">
        {width > 0 && <Band order={order} passed={passed} width={width} />}
        {order.filtered > 0 && (
          <span className="route-branch" style={{ left: `calc(${cuts[0] * 100}% + min(136px, 22%))` }}>
            <b>{number(order.filtered)}</b> {t.order.filteredFree}
          </span>
        )}
        {order.undelivered > 0 && (
          <span className="route-branch" style={{ left: `calc(${cuts[1] * 100}% + min(136px, 22%))` }}>
            <b className="bad">{number(order.undelivered)}</b> {t.order.failedBack}
          </span>
        )}
      </div>
    </>
  );
}

function Label(props: { name: string; value: number; note?: string; good?: boolean }) {
  return (
    <span>
      <span className="route-name">{props.name}</span>
      <b className={props.good ? 'good' : undefined}>{number(props.value)}</b>
      {props.note && <small>{props.note}</small>}
    </span>
  );
}

function Band({ order, passed, width }: { order: View; passed: number; width: number }) {
  const share = (count: number) => (order.total === 0 ? 0 : count / order.total);
  const isOpen = order.state === 'sending';
  const high = (count: number) => (count === 0 ? 0 : Math.max(thinnest, full * share(count)));
  const second = isOpen ? full * (1 - share(order.filtered)) : high(passed);
  const third = isOpen ? second * (1 - share(order.undelivered)) : high(order.delivered);
  const [x1, x2] = [width * cuts[0], width * cuts[1]];
  const rest = order.delivered + order.withCarrier + order.queued;
  const reachedEnd = isOpen && rest > 0 ? x2 + (width - x2) * (order.delivered / rest) : width - 3;
  const wayEnd = isOpen && rest > 0 ? reachedEnd + (width - x2) * (order.withCarrier / rest) : reachedEnd;
  return (
    <svg width={width} height={height} aria-hidden="true">
      <defs>
        <pattern id="on-way" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(14)">
          <rect width="8" height="8" fill="var(--busy-tint)" />
          <rect width="4" height="8" fill="var(--chart-onway)" />
        </pattern>
      </defs>
      <path d={leaning(0, x1, full, false)} fill="var(--route-1)" />
      {second > 0 && <path d={leaning(x1 + 4, x2, second, true)} fill="var(--route-2)" />}
      {third > 0 && reachedEnd - x2 > 14 && (
        <path d={leaning(x2 + 4, reachedEnd, third, true, isOpen)} fill="var(--route-3)" />
      )}
      {isOpen && order.withCarrier > 0 && wayEnd - reachedEnd > 2 && (
        <path d={leaning(reachedEnd + 4, wayEnd, third, true)} fill="url(#on-way)" />
      )}
      {isOpen && order.queued > 0 && <path d={leaning(wayEnd + 4, width, third, true, false)} fill="var(--route-1)" />}
      {!isOpen && third > 0 && (
        <path d={`M${width - 1.5} ${top - 4}v${third + 8}`} stroke="var(--route-3)" strokeWidth="3" />
      )}
      {order.filtered > 0 && (
        <path d={branch(x1, top + second, width)} {...stroke(share(order.filtered))} stroke="var(--chart-filtered)" />
      )}
      {order.undelivered > 0 && (
        <path d={branch(x2, top + third, width)} {...stroke(share(order.undelivered))} stroke="var(--chart-failed)" />
      )}
    </svg>
  );
}

/** A piece of the band whose ends lean, or stand where `end` is false. */
function leaning(from: number, to: number, tall: number, isLeaningStart: boolean, isLeaningEnd = true): string {
  const start = isLeaningStart ? tall * lean : 0;
  const end = isLeaningEnd ? tall * lean : 0;
  return `M${from} ${top}H${to}L${to - end} ${top + tall}H${from - start}Z`;
}

const stroke = (share: number) => ({
  fill: 'none',
  strokeWidth: Math.min(thickest, Math.max(thinnest, full * share)),
});

function branch(x: number, y: number, width: number): string {
  const long = Math.min(70, width * 0.09);
  return `M${x - 8} ${y + 5}H${x + long * 0.7}C${x + long * 1.2} ${y + 5} ${x + long * 1.3} ${y + 28} ${x + long * 1.6} ${y + 38}`;
}
