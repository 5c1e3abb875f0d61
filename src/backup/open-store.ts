// Opens the store of the settings. A cell has a folder of its own in it.
import { type Config, ConfigError } from '../settings/config.ts';
import { folderStore } from './folder-store.ts';
import type { Store } from './store.ts';

export async function openStore(config: Config, cell = 0): Promise<Store> {
  const { PEYK_BACKUP: root } = config;
  const target = cell && root ? `${root.replace(/\/$/, '')}/cells/${cell}` : root;
  if (target === '')
    throw new ConfigError('PEYK_BACKUP is not set: it names the folder or the bucket that backups are kept in.');
  if (!target.startsWith('s3://')) return folderStore(target);
  // Imported only here, because its first request loads the whole of fetch.
  const { s3Store } = await import('./s3-store.ts');
  return s3Store({
    url: target,
    endpoint: config.PEYK_BACKUP_S3_ENDPOINT,
    region: config.PEYK_BACKUP_S3_REGION,
    keyId: config.PEYK_BACKUP_S3_KEY_ID,
    secret: config.PEYK_BACKUP_S3_SECRET,
  });
}
