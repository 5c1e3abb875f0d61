// Waits for work for a limited time. Work that is late goes on.
export async function inTime<T>(work: Promise<T>, maxMs: number): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>(resolve => {
    timer = setTimeout(() => resolve('late'), maxMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
