// Whatever a test file leaves behind is named here when it is made, and cleared away when the file ends (end-of-file.ts):
// the newest first, because it may stand in what is older.
type Deed = () => Promise<unknown> | unknown;

const deeds: Deed[] = [];

export function atEndOfFile(deed: Deed): void {
  deeds.push(deed);
}

export async function clearAway(): Promise<void> {
  const failures: unknown[] = [];
  for (const deed of deeds.splice(0).reverse())
    await Promise.resolve()
      .then(deed)
      .catch(cause => failures.push(cause));
  if (failures.length > 0) throw new AggregateError(failures, 'not everything could be cleared away');
}
