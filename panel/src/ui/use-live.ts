// The live poll: every 2 s while an order runs or a file is made, every 20 s otherwise, never in a background tab. Polling
// instead of a stream, because browsers allow six connections to a host over HTTP/1.1 and self-hosted servers rarely speak
// HTTP/2.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { OutputOf } from '../../../src/panel-api/contract/contract.ts';
import { call } from '../api.ts';
import { forwardAll } from '../order-progress.ts';
import { showRunning } from './tab-badge.ts';

const busyMs = 2_000;
const idleMs = 20_000;
const backOffMaxMs = 60_000;

export function useLive() {
  const live = useQuery({
    queryKey: ['live'],
    queryFn: async ({ signal }) => forwardAll('live', await call('live', {}, { signal })),
    refetchInterval: query => {
      if (query.state.error) return Math.min(backOffMaxMs, busyMs * 2 ** query.state.errorUpdateCount);
      return isBusy(query.state.data) ? busyMs : idleMs;
    },
    refetchIntervalInBackground: false,
    retry: false,
  });
  const running = live.data?.running.length ?? 0;
  useEffect(() => showRunning(running), [running]);
  return live;
}

function isBusy(live: OutputOf<'live'> | undefined): boolean {
  if (!live) return false;
  return live.running.length > 0 || live.exports.some(file => file.state === 'waiting' || file.state === 'running');
}
