// The store that the settings name.
import type { Config } from '../config.ts';
import { ConfigError } from '../config.ts';
import { folderStore } from './folder-store.ts';
import type { Store } from './store.ts';

export function openStore(config: Config): Store {
  if (config.PEYK_BACKUP === '')
    throw new ConfigError('PEYK_BACKUP is not set: it names the folder that backups are kept in.');
  return folderStore(config.PEYK_BACKUP);
}
