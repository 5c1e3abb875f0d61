// An account with a brand over a database and a registry simulator of its own; the file that starts it closes it.
import { type RegistryOptions, startRegistry } from '../../../simulators/registry/server.ts';
import { createScene, quickRegistry, type Scene } from '../../../src/consent/sync/sync-fixture.ts';
import { testDatabase } from '../database/database.ts';

export async function startScene(settings: Partial<RegistryOptions> = {}): Promise<Scene> {
  return createScene(await testDatabase(), await startRegistry({ ...quickRegistry, ...settings }));
}
