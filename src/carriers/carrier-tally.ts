// Counts, by their text, failures of a carrier's links ("errors") and receipts that did not end a message ("words"),
// for staff: a carrier whose final state we do not recognise would otherwise only show as messages without a report.
import { type Db, run, type Sql, sql } from '../db/db.ts';

/** A carrier may invent any number of texts: between two publications the texts above this number count as one. */
const textsMax = 50;
const textsKept = 20;
const textCharactersMax = 200;
const idCharactersMax = 64;
const otherTexts = '(other words)';
export const noWord = '(none)';
export const noId = '(no id)';

/** What was counted since the last publication. */
export class Tally {
  readonly counts = new Map<string, { times: number; lastId: string }>();

  note(text: string, messageId = ''): void {
    const bounded = text.slice(0, textCharactersMax);
    const name = this.counts.has(bounded) || this.counts.size < textsMax ? bounded : otherTexts;
    const times = (this.counts.get(name)?.times ?? 0) + 1;
    this.counts.set(name, { times, lastId: messageId.slice(0, idCharactersMax) });
  }

  /** More may have been counted while these were stored. */
  forget(text: string, times: number): void {
    const one = this.counts.get(text);
    if (one && one.times > times) one.times -= times;
    else this.counts.delete(text);
  }
}

// In the order of the key, so that two dispatchers that publish at once cannot deadlock.
const publishSql = {
  errors: sql('carrier errors publish')`
    insert into carrier_errors as e (carrier_id, error, times)
    select carrier, text, sum(times) from unnest($1::integer[], $2::text[], $3::integer[], $4::text[]) as given (carrier, text, times, id)
    group by carrier, text order by carrier, text
    on conflict (carrier_id, error) do update set times = e.times + excluded.times, last_at = now()`,
  words: sql('carrier words publish')`
    insert into carrier_words as w (carrier_id, word, times, last_id)
    select carrier, text, sum(times), max(id) from unnest($1::integer[], $2::text[], $3::integer[], $4::text[]) as given (carrier, text, times, id)
    group by carrier, text order by carrier, text
    on conflict (carrier_id, word) do update set times = w.times + excluded.times, last_id = excluded.last_id, last_at = now()`,
};
const sweep = (table: string, text: string): Sql<unknown> => ({
  name: `${table} sweep`,
  text: `delete from ${table} t using (
    select carrier_id, ${text}, row_number() over (partition by carrier_id order by last_at desc) as place from ${table}) r
  where r.place > $1 and r.carrier_id = t.carrier_id and r.${text} = t.${text}`,
});
const sweepSql = { errors: sweep('carrier_errors', 'error'), words: sweep('carrier_words', 'word') };

/** Counts that could not be stored are published in the next round. */
export async function publishTallies<K extends 'errors' | 'words'>(
  db: Db,
  kind: K,
  sources: ({ carrier: { id: number } } & Record<K, Tally>)[],
): Promise<void> {
  const all = sources.flatMap(({ carrier, [kind]: tally }) =>
    [...tally.counts].map(([text, count]) => ({ tally, carrier: carrier.id, text, ...count })),
  );
  if (all.length === 0) return;
  const column = (name: 'carrier' | 'text' | 'times' | 'lastId') => all.map(one => one[name]);
  await run(db, publishSql[kind], [column('carrier'), column('text'), column('times'), column('lastId')]);
  for (const { tally, text, times } of all) tally.forget(text, times);
  await run(db, sweepSql[kind], [textsKept]);
}
