// What to do while the server cannot be reached or says that it is out of service: ask again by itself, after pauses that
// grow from two seconds to half a minute, and at once where another call got through.
import { useSyncExternalStore } from 'react';
import { Fault, Unreachable } from './api.ts';

const firstPauseMs = 2_000;
const longestPauseMs = 30_000;

/** The server's own fault or the network's, as opposed to a refusal that would be repeated. */
export const isOutage = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof Fault && error.error.code === 'unavailable');

export const pauseAfter = (failures: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, failures - 1));

type ReadState = { state: { status: string; error: unknown; errorUpdateCount: number } };

/** Failures up to the last answer: pauses grow from there. */
const calmAt = new WeakMap<object, number>();

/** When a failed read is made again; null: it did not fail, or trying again is of no use. */
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

/** Whether the browser has a network at all, as it says itself: known at once, before any call has failed. */
export const useOnline = (): boolean => useSyncExternalStore(onNetwork, () => navigator.onLine);

let isLost = false;

/** Code of a page could not be fetched: what stands in for the page says that it comes by itself. */
export const noteLostCode = (): void => {
  isLost = true;
};
export const isCodeLost = (): boolean => isLost;

let waiting: Promise<void> | null = null;

/** Until the server answers anything at all. */
export function serverBack(): Promise<void> {
  waiting ??= (async () => {
    for (let failures = 1; !(await answers()); failures++) await pauseOrOnline(pauseAfter(failures));
    waiting = null;
  })();
  return waiting;
}

/** Made again as long as the network loses it: for calls that the server does once however often they come. */
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

/** A browser that has its network again does not wait for the end of the pause. */
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
