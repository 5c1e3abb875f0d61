// Gathers calls into batches: calls that arrive while a batch is processed share the next one.
type Waiting<In, Out> = { item: In; resolve(value: Out): void; reject(error: unknown): void };

/** `work` returns a result for each item, in their order; at most `atOnce` batches are processed at a time. */
export function batched<In, Out>(
  work: (items: In[]) => Promise<Out[]>,
  { itemsMax, atOnce }: { itemsMax: number; atOnce: number },
): (item: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let running = 0;
  let planned = false;

  const start = async () => {
    planned = false;
    if (running >= atOnce || waiting.length === 0) return;
    const batch = waiting.splice(0, itemsMax);
    running++;
    try {
      const results = await work(batch.map(one => one.item));
      for (const [i, one] of batch.entries()) one.resolve(results[i]!);
    } catch (error) {
      for (const one of batch) one.reject(error);
    }
    running--;
    plan();
  };
  const plan = () => {
    if (planned || waiting.length === 0) return;
    planned = true;
    setImmediate(start);
  };
  return item =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      plan();
    });
}

/**
 * Looks up many keys by one statement. Nothing is cached, so an answer is never older than its look-up. At 32 connections two or three
 * round trips replace 32.
 */
export function coalesce<K, V>(load: (keys: K[]) => Promise<Map<K, V>>): (key: K) => Promise<V | undefined> {
  const look = async (keys: K[]) => {
    const found = await load([...new Set(keys)]);
    return keys.map(key => found.get(key));
  };
  return batched(look, { itemsMax: 500, atOnce: 2 });
}
