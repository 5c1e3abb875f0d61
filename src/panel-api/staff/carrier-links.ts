// Every link of every carrier as its process last published it, and each carrier's latest errors and words.
import { rowsOf } from '../../db/db.ts';

export type LinkRow = {
  carrierId: number;
  slot: number;
  dispatcher: number;
  state: string;
  since: Date;
  lastError: string | null;
  windowUsed: number;
  pace: number | null;
  submitted: number;
  throttled: number;
  refused: number;
  receipts: number;
  countingSince: Date | null;
  at: Date;
};
export const carrierLinks = rowsOf<LinkRow>('staff carrier links')`
  select carrier_id as "carrierId", slot, dispatcher_id as dispatcher, state, since, last_error as "lastError",
    window_used as "windowUsed", pace, submitted, throttled, refused, receipts, counting_since as "countingSince", at
  from carrier_links where at > now() - interval '15 seconds' order by carrier_id, slot, dispatcher_id limit 1000`;

export type ErrorRow = { carrierId: number; error: string; times: number; firstAt: Date; lastAt: Date };
export const carrierErrors = rowsOf<ErrorRow>('staff carrier errors')`
  select carrier_id as "carrierId", error, times, first_at as "firstAt", last_at as "lastAt"
  from carrier_errors order by last_at desc, error limit 1000`;

export type WordRow = { carrierId: number; word: string; times: number; lastId: string; firstAt: Date; lastAt: Date };
export const carrierWords = rowsOf<WordRow>('staff carrier words')`
  select carrier_id as "carrierId", word, times, last_id as "lastId", first_at as "firstAt", last_at as "lastAt"
  from carrier_words order by last_at desc, word limit 1000`;
