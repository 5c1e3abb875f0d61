import { test } from 'vitest';
import { draft, numbered, startScene } from './sync-fixture.ts';
test('slow', async () => {
  const scene = await startScene();
  const times = new Map<string, [number, number]>();
  const query = scene.db.query.bind(scene.db) as (q: { name?: string }) => Promise<unknown>;
  (scene.db as unknown as { query: unknown }).query = async (q: { name?: string }, ...rest: unknown[]) => {
    const t = performance.now();
    const r = await (query as (...a: unknown[]) => Promise<unknown>)(q, ...rest);
    const k = q.name ?? String(q);
    const [n, ms] = times.get(k) ?? [0, 0];
    times.set(k, [n + 1, ms + performance.now() - t]);
    return r;
  };
  await scene.register(...Array.from({ length: 5000 }, (_, i) => draft(numbered(i))));
  const t = performance.now();
  await scene.sync();
  console.log(performance.now() - t, [...times].sort((a, b) => b[1][1] - a[1][1]).slice(0, 8));
  await scene.close();
  const s2 = await startScene();
  await s2.register(...Array.from({ length: 5000 }, (_, i) => draft(numbered(i))));
  const r = await s2.db.query(`explain analyze select r.id, r.account_id from consent_records r
    where r.brand = 7001 and r.sync_state = 'queued' and r.sync_after <= now()
      and not exists (select 1 from consent_records e
        where e.brand = r.brand and e.recipient = r.recipient and e.type = r.type and e.recipient_type = r.recipient_type
          and e.sync_state in ('queued', 'sent') and e.id <> r.id
          and (e.sync_state = 'sent' or (e.consent_date, e.id) < (r.consent_date, r.id)))
    order by r.sync_after, r.id limit 1000`);
  console.log(r.rows.map(x => x['QUERY PLAN']).join('\n'));
  await s2.close();
});
