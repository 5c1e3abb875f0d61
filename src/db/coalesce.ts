// Looks many keys up in one statement: calls that arrive while a look-up is under way travel together in the next one.
// Nothing is remembered, so an answer is never older than its question. At 32 connections this turns 32 round trips
// into two or three.
const keysMax = 500;
const runningMax = 2;

type Waiting<K, V> = { key: K; resolve(value: V | undefined): void; reject(error: unknown): void };

export function coalesce<K, V>(load: (keys: K[]) => Promise<Map<K, V>>): (key: K) => Promise<V | undefined> {
  const waiting: Waiting<K, V>[] = [];
  let running = 0;
  let planned = false;

  const start = async () => {
    planned = false;
    if (running >= runningMax || waiting.length === 0) return;
    const batch = waiting.splice(0, keysMax);
    running++;
    try {
      const found = await load([...new Set(batch.map(one => one.key))]);
      for (const one of batch) one.resolve(found.get(one.key));
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
  return key =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      plan();
    });
}
