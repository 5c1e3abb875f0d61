// What a page shows of a read besides its data: its shape before the first answer, then nothing, or the failure with the time of
// the data that stay. Lists have this in their table (data-table.tsx). read-state.test.ts finds reads without it.
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../text/language.ts';
import { LoadError } from './notes.tsx';

type Reading = { data: unknown; error: unknown; isLoading: boolean; dataUpdatedAt: number; refetch: () => unknown };
type Props = {
  of: Reading;
  /** Of the skeleton: about that of what comes. */
  height?: number;
  /** The shape of what comes, if it has more than one part. */
  children?: ReactNode;
};

export function ReadState({ of: read, height = 300, children }: Props) {
  if (read.error) {
    const since = read.data === undefined ? undefined : read.dataUpdatedAt;
    return <LoadError error={read.error} since={since} retry={() => void read.refetch()} />;
  }
  if (!read.isLoading) return null;
  return (
    <div className="late" role="status" aria-busy="true" aria-label={t.load.loading}>
      {children ?? <Skeleton height={height} />}
    </div>
  );
}
