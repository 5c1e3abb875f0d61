// Retries while the server cannot be reached or is out of service: after pauses that grow from two seconds to half a
// minute, and at once if another call succeeds.
import { useSyncExternalStore } from 'react';
import { Fault, Unreachable } from './api.ts';

const firstPauseMs = 2_000;
const longestPauseMs = 30_000;

/** A failure of the server or the network, as opposed to a refusal, which a retry would repeat. */
export const isOutage = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof Fault && error.error.code === 'unavailable');

export const pauseAfter = (failures: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, failures - 1));

type ReadState = { state: { status: string; error: unknown; errorUpdateCount: number } };

/** Number of failures at the last success: pauses grow from there. */
const calmAt = new WeakMap<object, number>();

/** The pause before a failed read is retried; null: it did not fail, or a retry is useless. */
export function pauseOf(query: ReadState): number | null {
  const { status, error, errorUpdateCount } = query.state;
  if (status === 'success') calmAt.set(query, errorUpdateCount);
  if (status !== 'error' || !isOutage(error)) return null;
  return pauseAfter(errorUpdateCount - (calmAt.get(query) ?? 0));
}

function onNetwork(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** Whether the browser has a network, as it reports itself, before any call has failed. */
export const useOnline = (): boolean => useSyncExternalStore(onNetwork, () => navigator.onLine);

let isLost = false;

/** Code of a page could not be fetched: its placeholder says that it is retried. */
export const noteLostCode = (): void => {
  isLost = true;
};
export const isCodeLost = (): boolean => isLost;

let waiting: Promise<void> | null = null;

/** Resolves when the server answers anything. */
export function serverBack(): Promise<void> {
  waiting ??= (async () => {
    for (let failures = 1; !(await answers()); failures++) await pauseOrOnline(pauseAfter(failures));
    waiting = null;
  })();
  return waiting;
}

/** Retries as long as the network fails, for calls that the server executes once however often they arrive. */
export async function untilAnswered<T>(work: () => Promise<T>, onLost: () => void): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      onLost();
      await serverBack();
    }
  }
}

/** Ends the pause early when the browser has a network again. */
function pauseOrOnline(pauseMs: number): Promise<void> {
  return new Promise(resolve => {
    const go = () => {
      clearTimeout(timer);
      window.removeEventListener('online', go);
      resolve();
    };
    const timer = setTimeout(go, pauseMs);
    window.addEventListener('online', go);
  });
}

const answers = (): Promise<boolean> =>
  fetch('/panel/', { method: 'HEAD', cache: 'no-store' }).then(
    response => response.ok,
    () => false,
  );
