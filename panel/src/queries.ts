// Operations as React Query hooks. Reads keep the rows they had while the next ones load; a change makes everything on
// screen stale, which costs one small read per visible view and saves a table of who depends on whom.
import { keepPreviousData, QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { InputOf, OperationName, OutputOf } from '../../src/panel-api/contract/contract.ts';
import { call, sentenceOf, Unreachable } from './api.ts';
import { forwardAll } from './order-progress.ts';
import { isOutage, pauseOf } from './outage.ts';
import { showFailure, showSuccess } from './ui/toast.tsx';

const triesMax = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Without a network a read fails and says so; paused it would stay on its skeleton.
      networkMode: 'always',
      retry: (failures, error) => error instanceof Unreachable && failures < triesMax,
      // Not by default with networkMode 'always'.
      refetchOnReconnect: true,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// The first answer to something that had failed: the outage is over, and what else failed is read at once instead of
// after its pause. A single operation that goes on failing is not hurried by others that work.
const inOutage = new WeakSet<object>();
queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type !== 'updated') return;
  const { status, error } = query.state;
  if (status === 'error' && isOutage(error)) inOutage.add(query);
  if (status !== 'success' || !inOutage.delete(query)) return;
  void queryClient.refetchQueries({
    type: 'active',
    predicate: one => one.state.status === 'error' && inOutage.has(one),
  });
});

type ReadOptions<T> = {
  enabled?: boolean;
  /** A pace, or how to choose it by what was read last. */
  refetchMs?: number | false | ((data: T | undefined) => number | false);
  keep?: boolean;
};

export function useRead<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  options: ReadOptions<OutputOf<Name>> = {},
) {
  const pace = options.refetchMs ?? false;
  return useQuery<OutputOf<Name>>({
    queryKey: [name, input],
    queryFn: async ({ signal }) => forwardAll(name, await call(name, input, { signal })),
    enabled: options.enabled ?? true,
    refetchInterval: query => pauseOf(query) ?? (typeof pace === 'function' ? pace(query.state.data) : pace),
    placeholderData: options.keep === false ? undefined : keepPreviousData,
  });
}

type ChangeOptions<Name extends OperationName> = {
  done?: string | ((output: OutputOf<Name>) => string);
  /** The caller shows the refusal beside a field. */
  ownErrors?: boolean;
  onDone?: (output: OutputOf<Name>) => void;
};

export function useChange<Name extends OperationName>(name: Name, options: ChangeOptions<Name> = {}) {
  const client = useQueryClient();
  return useMutation<OutputOf<Name>, unknown, InputOf<Name>>({
    mutationFn: input => call(name, input),
    onSuccess: output => {
      void client.invalidateQueries();
      const sentence = typeof options.done === 'function' ? options.done(output) : options.done;
      if (sentence) showSuccess(sentence);
      options.onDone?.(output);
    },
    onError: error => {
      if (!options.ownErrors) showFailure(sentenceOf(error));
    },
  });
}
