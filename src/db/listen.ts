// LISTEN with reconnect. A notification is only a wake-up: the listener reads the tables. `onReconnect` runs after every reconnect, because
// notifications may have been missed.

import type { Log } from '../log.ts';
import { backoffMs } from '../time/backoff.ts';
import { type Connection, openClient } from './db.ts';
import type pg from './driver.ts';

type Listener = { stop(): Promise<void> };

export function listen(
  connection: Connection,
  channel: string,
  log: Log,
  onMessage: (payload: string) => void,
  onReconnect: () => void,
): Listener {
  let client: pg.Client | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;

  const retry = () => {
    if (stopped || timer) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        void open();
      },
      backoffMs(failures++, 100, 2_000),
    );
  };
  const open = async () => {
    let fresh: pg.Client | undefined;
    try {
      fresh = await openClient(connection, { name: `peyk listen ${channel}`, onError: retry });
      fresh.on('end', retry);
      fresh.on('notification', message => onMessage(message.payload ?? ''));
      const { rows } = await fresh.query('select quote_ident(channel($1)) as name', [channel]);
      await fresh.query(`listen ${rows[0].name}`);
      if (stopped) return void (await fresh.end());
      client = fresh;
      failures = 0;
      onReconnect();
    } catch (error) {
      log.warn({ channel, error: (error as Error).message }, 'listen connection failed');
      fresh?.end().catch(() => {});
      retry();
    }
  };
  void open();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
