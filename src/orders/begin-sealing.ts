// From now on texts may stand sealed in the database. A node of a release that cannot open them must not be at work then: it would show
// and post them as they stand. Its dispatcher and its webhooks are held back by the database for good (claim_chunks_4, webhook_claim_1);
// who turns sealing on while it runs is told.
import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError } from '../config.ts';
import { type Db, row, rows, run, sql } from '../db/db.ts';

const beganSql = sql('content sealed before')`select 1 from installation where name = 'content-sealed'`;
const beginSql = sql('content sealed')`
  insert into installation (name, value) values ('content-sealed', '') on conflict (name) do nothing`;
const olderSql = sql<{ id: number; node: string; beat: number }>('dispatchers that cannot open')`
  select id, node, beat from dispatchers where not opens`;

const lookEveryMs = 200;

/** `silenceMs`: after which a dispatcher counts as dead. */
export async function beginSealing(db: Db, silenceMs: number): Promise<void> {
  if (await row(db, beganSql)) return;
  const older = await livingOlder(db, silenceMs);
  if (older)
    throw new ConfigError(
      `PEYK_CONTENT=sealed: ${older} runs an older release, which cannot read sealed texts; upgrade all nodes first`,
    );
  await run(db, beginSql);
}

/** The name of one that gives a sign of life; what a node that was killed left behind gives none. */
async function livingOlder(db: Db, silenceMs: number): Promise<string | null> {
  const before = new Map((await rows(db, olderSql)).map(one => [one.id, one.beat]));
  for (let waitedMs = 0; before.size > 0 && waitedMs < silenceMs; waitedMs += lookEveryMs) {
    await pause(lookEveryMs);
    const alive = (await rows(db, olderSql)).find(one => one.beat !== before.get(one.id));
    if (alive) return alive.node;
  }
  return null;
}
