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
