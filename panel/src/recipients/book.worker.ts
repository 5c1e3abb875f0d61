// The worker around the book: reads files, measures texts and talks to the server itself, so that fifty thousand rows
// never pass through the thread that draws the page.
import type { Answer } from '../../../src/panel-api/contract.ts';
import type { SendPreview } from '../../../src/panel-api/contract-send.ts';
import { type OnShare, postWithProgress } from '../progress-post.ts';
import { readTable, type Table } from '../tables/read-table.ts';
import type { DateForm } from '../tables/shown-cell.ts';
import { RecipientBook } from './book.ts';
import { ImportTable } from './import-table.ts';
import { mergePreviews } from './merge-previews.ts';
import type { DraftHead, ListPreview, RequestName, Requests, Sent } from './messages.ts';

const book = new RecipientBook();
const imported = new ImportTable();
/** One file is read at a time: another one, or typing, ends the reading before it. */
let reading = new AbortController();

type Handlers = {
  [Name in RequestName]: (
    input: Requests[Name]['in'],
    onShare: OnShare,
  ) => Promise<Requests[Name]['out']> | Requests[Name]['out'];
};

const handlers: Handlers = {
  file: async ({ file, sheet }, onShare) => {
    const table = await read(file, sheet, 'shown', onShare);
    // Whatever ended the reading has the list now.
    return table.problem === 'stopped' ? book.summary() : book.loadTable(table);
  },
  text: ({ text }) => {
    reading.abort();
    return book.loadText(text);
  },
  table: async ({ file, sheet, dates }, onShare) => {
    const table = await read(file, sheet, dates, onShare);
    return table.problem === 'stopped' ? imported.view('stopped') : imported.load(table);
  },
  tableShape: ({ header, numberColumn }) => imported.reshape(header, numberColumn),
  tableRows: ({ from, to, columns }) => imported.rows(from, to, columns),
  stop: () => {
    reading.abort();
    return null;
  },
  shape: ({ header, numberColumn }) => book.reshape(header, numberColumn),
  clear: () => {
    reading.abort();
    return book.clear();
  },
  row: ({ at }) => book.row(at),
  measure: ({ template, mode, fallbacks }) => book.measure(template, mode, fallbacks),
  prepare: ({ draft, perOrder }, onShare) => prepare(draft, perOrder, onShare),
  submit: ({ draft, perOrder, key }, onShare) => submit(draft, perOrder, key, onShare),
};

self.onmessage = async (event: MessageEvent<{ id: number; name: RequestName; input: never }>) => {
  const { id, name, input } = event.data;
  try {
    const onShare = (share: number) => self.postMessage({ id, share });
    self.postMessage({ id, output: await handlers[name](input, onShare) });
  } catch (error) {
    self.postMessage({ id, error: String(error) });
  }
};

function read(file: File, sheet: number, dates: DateForm, onShare: OnShare): Promise<Table> {
  reading.abort();
  reading = new AbortController();
  return readTable(file, { sheet, dates, onShare, signal: reading.signal });
}

/** The list in pieces of one order each; `onShare` of a piece counts as its part of the whole. */
function* slices(draft: DraftHead, perOrder: number, onShare: OnShare, isWhole: boolean) {
  const pieces = Math.max(1, Math.ceil(book.count / perOrder));
  for (let piece = 0; piece < pieces; piece += 1) {
    const from = piece * perOrder;
    const to = from + perOrder;
    const rows = isWhole ? book.wholeSlice(draft.text, from, to) : book.slice(draft.text, from, to);
    const tell: OnShare = share => onShare((piece + share) / pieces);
    yield { from, tell, body: { ...draft, ...rows } };
  }
}

async function prepare(draft: DraftHead, perOrder: number, onShare: OnShare): Promise<Answer<ListPreview>> {
  const previews: { from: number; preview: SendPreview }[] = [];
  for (const { from, body, tell } of slices(draft, perOrder, onShare, false)) {
    const answer = await post<SendPreview>('send.prepare', body, tell);
    if (!answer.ok) return answer;
    previews.push({ from, preview: answer.data });
  }
  return { ok: true, data: book.inFile(mergePreviews(previews)) };
}

async function submit(draft: DraftHead, perOrder: number, key: string, onShare: OnShare): Promise<Sent> {
  const orderIds: number[] = [];
  const orders = Math.ceil(book.count / perOrder);
  for (const { from, body, tell } of slices(draft, perOrder, onShare, true)) {
    const idempotencyKey = `${key}-${from / perOrder + 1}`;
    const answer = await post<{ orderId: number }>('send.submit', { ...body, idempotencyKey }, tell);
    if (!answer.ok) return { orderIds, orders, failed: answer };
    orderIds.push(answer.data.orderId);
  }
  return { orderIds, orders, failed: null };
}

const unreachable = { code: 'unreachable', tr: 'Sunucuya ulaşılamıyor.', en: 'The server cannot be reached.' };

async function post<T>(operation: string, body: unknown, onShare: OnShare): Promise<Answer<T>> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await postWithProgress<T>(`/panel/api/${operation}`, headers, JSON.stringify(body), onShare);
  return answer ?? { ok: false, error: unreachable };
}
