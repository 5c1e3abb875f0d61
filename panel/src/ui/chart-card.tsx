// A card with one chart, or with a sentence when there is no data.
import type { ReactNode } from 'react';
import { t } from '../text/language.ts';
import { Card } from './card.tsx';
import { ChartFrame, type ChartFrameProps } from './chart-frame.tsx';

type Props = Omit<ChartFrameProps, 'label' | 'first'> & {
  title: string;
  /** Label of the lower axis; time by default. */
  first?: string;
  hint?: ReactNode;
  actions?: ReactNode;
  /** Shown instead of an empty chart. */
  nothing?: ReactNode;
};

export function ChartCard({ title, first, hint, actions, nothing, ...chart }: Props) {
  return (
    <Card title={title} hint={hint} actions={actions}>
      {nothing || <ChartFrame label={title} first={first ?? t.common.time} {...chart} />}
    </Card>
  );
}

/** Messages by state, in the colours of the states. */
export const outcomeSeries = () => [
  { name: 'delivered', label: t.messageStates.delivered, color: 'var(--chart-delivered)' },
  { name: 'undelivered', label: t.messageStates.undelivered, color: 'var(--chart-failed)' },
  { name: 'filtered', label: t.messageStates.filtered, color: 'var(--chart-filtered)' },
  { name: 'waiting', label: t.overview.waiting, color: 'var(--chart-onway)' },
];
