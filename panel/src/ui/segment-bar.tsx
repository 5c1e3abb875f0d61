// The progress of an order: five segments in a fixed order that sum to the total. The failed segment is hatched, so that it
// differs by more than its colour.
import type { Counters } from '../../../src/panel-api/orders/contract.ts';
import { number } from '../format.ts';
import { t } from '../text/language.ts';

const segments = [
  { key: 'delivered', css: 'bar-delivered', label: 'delivered' },
  { key: 'undelivered', css: 'bar-failed', label: 'undelivered' },
  { key: 'filtered', css: 'bar-filtered', label: 'filtered' },
  { key: 'withCarrier', css: 'bar-carrier', label: 'with-carrier' },
  { key: 'queued', css: 'bar-queued', label: 'queued' },
] as const;

export const finalCount = (counters: Counters): number => counters.delivered + counters.undelivered + counters.filtered;

export function SegmentBar(props: { counters: Counters; label?: string }) {
  const { counters } = props;
  const parts = segments.filter(segment => counters[segment.key] > 0);
  const words = parts.map(part => `${t.messageStates[part.label]} ${number(counters[part.key])}`).join(', ');
  return (
    <div className="bar" role="img" aria-label={`${props.label ?? ''} ${words} / ${number(counters.total)}`.trim()}>
      {parts.map(part => (
        <span key={part.key} className={part.css} style={{ flex: `${counters[part.key]} 1 0`, minWidth: 2 }} />
      ))}
    </div>
  );
}
