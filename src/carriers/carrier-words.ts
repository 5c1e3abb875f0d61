// What carriers say of a message without ending it: "on its way", "accepted", "unknown", words of their own, or nothing. The
// message waits for a final word; what was said is counted by carrier and word, for the operator's eyes, since a carrier whose
// final word we do not know would otherwise only show as messages that nobody reported.
import { type Db, run, sql } from '../db/db.ts';

/** A carrier may invent words without end: beyond this many between two publications they count as one. */
const wordsMax = 50;
const wordsKept = 20;
const idCharactersMax = 64;
export const noWord = '(none)';
export const noId = '(no id)';
const manyWords = '(other words)';

type Told = { times: number; lastId: string };

/** Since it was last published. */
export class CarrierWords {
  readonly told = new Map<string, Told>();

  note(word: string, messageId: string): void {
    const name = this.told.has(word) || this.told.size < wordsMax ? word : manyWords;
    const one = this.told.get(name);
    const lastId = messageId.slice(0, idCharactersMax);
    if (one) Object.assign(one, { times: one.times + 1, lastId });
    else this.told.set(name, { times: 1, lastId });
  }

  /** More may have been said while it was stored. */
  forget(word: string, times: number): void {
    const one = this.told.get(word);
    if (one && one.times > times) one.times -= times;
    else this.told.delete(word);
  }
}

// In the order of the key, so that two dispatchers that publish at once never wait for each other in a circle.
const publishSql = sql('carrier words publish')`
  insert into carrier_words as w (carrier_id, word, times, last_id)
  select carrier, word, sum(times), max(last_id) from unnest($1::integer[], $2::text[], $3::integer[], $4::text[]) as given (carrier, word, times, last_id)
  group by carrier, word order by carrier, word
  on conflict (carrier_id, word) do update set times = w.times + excluded.times, last_id = excluded.last_id, last_at = now()`;
const sweepSql = sql('carrier words sweep')`
  delete from carrier_words w using (
    select carrier_id, word, row_number() over (partition by carrier_id order by last_at desc) as place from carrier_words) r
  where r.place > $1 and r.carrier_id = w.carrier_id and r.word = w.word`;

/** What could not be stored is told with the next round. */
export async function publishWords(db: Db, links: { carrier: { id: number }; words: CarrierWords }[]): Promise<void> {
  const told = links.flatMap(link => [...link.words.told].map(([word, one]) => ({ link, word, ...one })));
  if (told.length === 0) return;
  await run(db, publishSql, [
    told.map(one => one.link.carrier.id),
    told.map(one => one.word),
    told.map(one => one.times),
    told.map(one => one.lastId),
  ]);
  for (const { link, word, times } of told) link.words.forget(word, times);
  await run(db, sweepSql, [wordsKept]);
}
