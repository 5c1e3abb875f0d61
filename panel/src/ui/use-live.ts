// The one poll that keeps the console moving: every 2 s while an order runs and the tab is visible, every 20 s
// otherwise, not at all in the background. Polling instead of an open stream, because browsers allow six connections a
// host over HTTP/1.1 and self-hosted servers rarely speak HTTP/2.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { OutputOf } from '../../../src/panel-api/contract.ts';
import { call } from '../api.ts';
import { useMe } from '../session.tsx';
import { showRunning } from './tab-badge.ts';

type Live = OutputOf<'live'>;
type StaffCounts = { carriersDown: number; applicationsWaiting: number };

const busyMs = 2_000;
const idleMs = 20_000;
const backOffMaxMs = 60_000;

export function useLive() {
  const me = useMe();
  const live = useQuery({
    queryKey: ['live'],
    queryFn: ({ signal }) => call('live', {}, { signal }),
    enabled: me.account !== null,
    refetchInterval: query => {
      if (query.state.error) return Math.min(backOffMaxMs, busyMs * 2 ** query.state.errorUpdateCount);
      return (query.state.data?.running.length ?? 0) > 0 ? busyMs : idleMs;
    },
    refetchIntervalInBackground: false,
    retry: false,
  });
  const running = live.data?.running.length ?? 0;
  useEffect(() => showRunning(running), [running]);
  return live;
}

const staffMs = 10_000;

/** What staff without an account of their own need beside the menu; those with one get it from the poll above. */
export function useStaffCounts(live: Live | undefined): StaffCounts | null {
  const me = useMe();
  const alone = me.user.staff && me.account === null;
  const status = useQuery({
    queryKey: ['staff.status', {}],
    queryFn: ({ signal }) => call('staff.status', {}, { signal }),
    enabled: alone,
    refetchInterval: staffMs,
    refetchIntervalInBackground: false,
  });
  if (!alone) return live?.staff ?? null;
  if (!status.data) return null;
  const carriersDown = status.data.carriers.filter(carrier => carrier.state === 'down').length;
  return { carriersDown, applicationsWaiting: status.data.applicationsWaiting };
}
