// The page's side of the worker: one worker for the life of the page, so that a half-made list survives a look at
// another page.
import type { OnShare } from '../progress-post.ts';
import type { RequestName, Requests } from './messages.ts';

type Waiting = { resolve: (output: never) => void; reject: (error: Error) => void; onShare?: OnShare };

let worker: Worker | null = null;
let lastId = 0;
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
    waiting.set(id, { resolve, reject, onShare });
    worker?.postMessage({ id, name, input });
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL('./book.worker.ts', import.meta.url), { type: 'module', name: 'peyk-recipients' });
  started.onmessage = (event: MessageEvent<{ id: number; output?: unknown; error?: string; share?: number }>) => {
    const { id, output, error, share } = event.data;
    const asker = waiting.get(id);
    if (share !== undefined) return asker?.onShare?.(share);
    waiting.delete(id);
    if (error !== undefined) asker?.reject(new Error(error));
    else asker?.resolve(output as never);
  };
  started.onerror = () => {
    for (const asker of waiting.values()) asker.reject(new Error('the worker of the recipients stopped'));
    waiting.clear();
  };
  return started;
}
