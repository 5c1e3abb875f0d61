// The page's side of the worker: one worker for the life of the page, so that a half-made list survives a look at
// another page. A worker that fell silent over a file is ended and the next request starts another: callers that wait
// get an error.
import type { OnShare } from '../progress-post.ts';
import type { RequestName, Requests } from './messages.ts';

type Waiting = {
  resolve: (output: unknown) => void;
  reject: (error: Error) => void;
  onShare?: OnShare;
  /** Seconds without a word; null where the time is the server's. */
  silentFor: number | null;
};

// A piece of a file takes milliseconds. Counted in ticks, so that a laptop that slept is not taken for a broken worker.
const silentSecondsMax = 30;
const tickMs = 1_000;

let worker: Worker | null = null;
let lastId = 0;
let watch: ReturnType<typeof setInterval> | null = null;
const waiting = new Map<number, Waiting>();

export function askBook<Name extends RequestName>(
  name: Name,
  input: Requests[Name]['in'],
  onShare?: OnShare,
): Promise<Requests[Name]['out']> {
  worker ??= startWorker();
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, {
      resolve: output => resolve(output as Requests[Name]['out']),
      reject,
      onShare,
      silentFor: name === 'file' || name === 'table' ? 0 : null,
    });
    watch ??= setInterval(countSilence, tickMs);
    worker?.postMessage({ id, name, input });
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL('./book.worker.ts', import.meta.url), { type: 'module', name: 'peyk-recipients' });
  started.onmessage = (event: MessageEvent<{ id: number; output?: unknown; error?: string; share?: number }>) => {
    const { id, output, error, share } = event.data;
    const asker = waiting.get(id);
    if (share !== undefined) {
      if (asker && asker.silentFor !== null) asker.silentFor = 0;
      asker?.onShare?.(share);
      return;
    }
    forget(id);
    if (error !== undefined) asker?.reject(new Error(error));
    else asker?.resolve(output);
  };
  // Its file may be gone after a new version, or it broke: the next request begins with a new one.
  started.onerror = () => giveUp('the worker of the recipients stopped');
  return started;
}

function countSilence(): void {
  for (const asker of waiting.values()) {
    if (asker.silentFor === null) continue;
    asker.silentFor += 1;
    if (asker.silentFor > silentSecondsMax) return giveUp('the worker of the recipients does not answer');
  }
}

function giveUp(reason: string): void {
  worker?.terminate();
  worker = null;
  const askers = [...waiting.values()];
  for (const id of [...waiting.keys()]) forget(id);
  for (const asker of askers) asker.reject(new Error(reason));
}

function forget(id: number): void {
  waiting.delete(id);
  if (waiting.size > 0 || watch === null) return;
  clearInterval(watch);
  watch = null;
}
