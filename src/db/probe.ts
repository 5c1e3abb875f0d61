// A query over a connection of its own, because the pool may have none left, or all may be stuck.

import type { Place } from '../settings/database-places.ts';
import { monotonicMs } from '../time/clock.ts';
import pg from './driver.ts';
import { probeMs } from './statement-limits.ts';

/** A timer that is this late means that our process was paused: the answer may be unread in the socket. */
export const lateMs = 500;

/** `heldUp`: no answer was read, because our process was paused. `refused`: the server answered with an error. */
type Answer<Row> = { row?: Row; refused?: boolean; heldUp?: boolean };

export async function ask<Row>(config: pg.ClientConfig, text: string, place?: Place): Promise<Answer<Row>> {
  const client = new pg.Client({ ...config, application_name: 'peyk probe', connectionTimeoutMillis: 0 });
  if (place) Object.assign(client, place);
  client.on('error', () => {});
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  const due = monotonicMs() + probeMs;
  let heldUp = false;
  const timer = setTimeout(() => {
    heldUp = monotonicMs() - due > lateMs;
    connection.stream.destroy();
  }, probeMs);
  try {
    await client.connect();
    return { row: (await client.query(text)).rows[0] as Row };
  } catch (error) {
    return { heldUp, refused: error instanceof pg.DatabaseError };
  } finally {
    clearTimeout(timer);
    client.end().catch(() => {});
  }
}

/** Why a server refuses our connection or a schema of ours; null: it accepts both. */
export async function troubleAt(config: pg.ClientConfig, place: Place): Promise<string | null> {
  const client = new pg.Client({ ...config, application_name: 'peyk probe', connectionTimeoutMillis: probeMs });
  Object.assign(client, place);
  client.on('error', () => {});
  try {
    await client.connect();
    const asked = `select has_database_privilege(current_database(), 'create') as may, current_user as role`;
    const { may, role } = (await client.query(asked)).rows[0];
    return may ? null : `the role ${role} may not create schemas there: GRANT CREATE ON DATABASE`;
  } catch (error) {
    return (error as Error).message || (error as NodeJS.ErrnoException).code || 'no connection';
  } finally {
    client.end().catch(() => {});
  }
}
