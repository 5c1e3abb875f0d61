// Divides a send into its orders with their times: all at once (50,000 recipients an order), or a number per hour.
import type { Account } from '../../accounts/account.ts';
import type { DraftHead, ListShape } from '../../drafts/drafts.ts';
import { afterQuiet, batchTimes } from '../../drafts/times.ts';
import { ListWalk, type Slice } from '../../drafts/walk.ts';
import { limits } from '../../limits.ts';
import { sendTime } from './form.ts';

type Batch = { slice: Slice; startAt: Date };
export type Batches = AsyncIterable<Batch>;

export function walkOf(account: Account, head: DraftHead, shape: ListShape, rowCount: number): ListWalk {
  return new ListWalk(head, shape, rowCount, account.abroad, head.perHour ?? limits.recipientsPerOrder);
}

export async function* batchesOf(head: DraftHead, slices: AsyncIterable<Slice>, now: Date): AsyncGenerator<Batch> {
  const wanted = sendTime(head);
  // The order refuses an unreadable time (457); until then it counts as now.
  const start = wanted instanceof Date && wanted > now ? wanted : now;
  const times = batchTimes(start, head.quiet);
  for await (const slice of slices)
    yield { slice, startAt: head.perHour === null ? afterQuiet(start, head.quiet) : times.next().value };
}
