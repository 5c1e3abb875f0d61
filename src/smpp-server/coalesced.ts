// Work that arrives together is done together, in the order of its arrival: while one batch is under way the next gathers. Unlike
// db/coalesce, which looks keys up, each item has a result of its own, and only one batch is under way.
const batchMax = 200;

type Waiting<In, Out> = { item: In; resolve(value: Out): void; reject(error: unknown): void };

export function coalesced<In, Out>(work: (items: In[]) => Promise<Out[]>): (item: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let busy = false;

  const start = async () => {
    const batch = waiting.splice(0, batchMax);
    try {
      const results = await work(batch.map(one => one.item));
      for (const [i, one] of batch.entries()) one.resolve(results[i]!);
    } catch (error) {
      for (const one of batch) one.reject(error);
    }
    busy = false;
    plan();
  };
  const plan = () => {
    if (busy || waiting.length === 0) return;
    busy = true;
    setImmediate(start);
  };
  return item =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      plan();
    });
}
