// Cleanups of a test file, registered when a resource is created and run when the file ends (end-of-file.ts), the newest first,
// because it may depend on older ones.
type Cleanup = () => Promise<unknown> | unknown;

const cleanups: Cleanup[] = [];

export function atEndOfFile(cleanup: Cleanup): void {
  cleanups.push(cleanup);
}

export async function clearAway(): Promise<void> {
  const failures: unknown[] = [];
  for (const cleanup of cleanups.splice(0).reverse())
    await Promise.resolve()
      .then(cleanup)
      .catch(cause => failures.push(cause));
  if (failures.length > 0) throw new AggregateError(failures, 'not everything could be cleared away');
}
