// One mover at a time for each account: a lock of a session in the home database. The switch is made by the same session, so who
// has lost it (and thinks otherwise) switches nothing.
import { type Connection, openClient, row, sql } from '../../db/db.ts';

const lockSql = sql<{ ours: boolean }>('move lock')`
  select pg_try_advisory_lock(hashtextextended('peyk move ' || $1::text, 0) # lock_salt()) as ours`;

type Client = Awaited<ReturnType<typeof openClient>>;

export type Session = {
  client: Client;
  readonly lost: boolean;
  transaction(work: (client: Client) => Promise<void>): Promise<void>;
  end(): Promise<void>;
};

/** null: somebody else moves it. */
export async function lockMove(home: Connection, account: number): Promise<Session | null> {
  let lost = false;
  const client = await openClient(home, { name: 'peyk move', onError: () => (lost = true) });
  client.once('end', () => (lost = true));
  if (!(await row(client, lockSql, [account]))!.ours) {
    await client.end();
    return null;
  }
  return {
    client,
    get lost() {
      return lost;
    },
    async transaction(work) {
      await client.query('begin');
      try {
        await work(client);
      } catch (error) {
        await client.query('rollback').catch(() => {});
        throw error;
      }
      await client.query('commit');
    },
    end: () => client.end(),
  };
}
