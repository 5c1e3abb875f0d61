// A card that holds one chart, named by its title; without figures it says so.
import type { ReactNode } from 'react';
import { t } from '../text/language.ts';
import { Card } from './card.tsx';
import { ChartFrame, type ChartFrameProps } from './chart-frame.tsx';

type Props = Omit<ChartFrameProps, 'label' | 'first'> & {
  title: string;
  /** What the axis below counts; time unless said. */
  first?: string;
  hint?: ReactNode;
  actions?: ReactNode;
  /** In place of a chart that would show nothing. */
  nothing?: ReactNode;
};

export function ChartCard({ title, first, hint, actions, nothing, ...chart }: Props) {
  return (
    <Card title={title} hint={hint} actions={actions}>
      {nothing || <ChartFrame label={title} first={first ?? t.common.time} {...chart} />}
    </Card>
  );
}

/** What became of messages, in the colours of their states. */
export const outcomeSeries = () => [
  { name: 'delivered', label: t.messageStates.delivered, color: 'var(--chart-delivered)' },
  { name: 'undelivered', label: t.messageStates.undelivered, color: 'var(--chart-failed)' },
  { name: 'filtered', label: t.messageStates.filtered, color: 'var(--chart-filtered)' },
  { name: 'waiting', label: t.overview.waiting, color: 'var(--chart-onway)' },
];
