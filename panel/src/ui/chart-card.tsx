// A card with one chart.
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
};

export function ChartCard({ title, first, hint, actions, ...chart }: Props) {
  return (
    <Card title={title} hint={hint} actions={actions}>
      <ChartFrame label={title} first={first ?? t.common.time} {...chart} />
    </Card>
  );
}
