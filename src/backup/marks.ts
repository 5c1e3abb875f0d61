// Marks: the position of a moment in the log. The archiver writes one at each reach, in a file for each hour beside the log, so that
// a restore to a moment fetches no log after that moment.
import { isReach, names, type Reach } from './catalogue.ts';
import { Damaged, getJson, putJson, type Store } from './store.ts';

type Mark = Pick<Reach, 'at' | 'lsn'>;

export class Marks {
  readonly #store: Store;
  readonly #chain: string;
  #hour = '';
  #marks: Mark[] = [];

  constructor(store: Store, chain: string) {
    this.#store = store;
    this.#chain = chain;
  }

  async add({ at, lsn }: Reach): Promise<void> {
    const key = names.marks(this.#chain, at);
    if (key !== this.#hour) this.#marks = (await read(this.#store, key)) ?? [];
    this.#hour = key;
    this.#marks.push({ at, lsn });
    await putJson(this.#store, key, this.#marks);
  }
}

/** The first mark after this moment, or null. */
export async function markAfter(store: Store, chain: string, at: Date): Promise<Mark | null> {
  const from = names.marks(chain, at.toISOString());
  for (const { key } of await store.list(names.allMarks(chain))) {
    if (key < from) continue;
    const found = (await read(store, key))?.find(mark => Date.parse(mark.at) > at.getTime());
    if (found) return found;
  }
  return null;
}

/** The last mark, where reach.json is damaged; or the last one before a position, where the log has a gap. */
export async function lastMark(store: Store, chain: string, before?: (mark: Mark) => boolean): Promise<Mark | null> {
  for (const { key } of (await store.list(names.allMarks(chain))).reverse()) {
    const found = (await read(store, key))?.findLast(mark => before?.(mark) ?? true);
    if (found) return found;
  }
  return null;
}

/** A damaged file only costs time: the log is fetched up to the next mark. */
async function read(store: Store, key: string): Promise<Mark[] | null> {
  try {
    const marks = await getJson<Mark[]>(store, key);
    return Array.isArray(marks) ? marks.filter(isReach) : null;
  } catch (error) {
    if (error instanceof Damaged) return null;
    throw error;
  }
}
