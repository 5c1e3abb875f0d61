// The worker around the book: reads files, measures texts and talks to the server itself, so that fifty thousand rows
// never pass through the thread that draws the page.
import type { Answer, InputOf, OperationName, OutputOf } from '../../../src/panel-api/contract/contract.ts';
import type { DraftHead } from '../../../src/panel-api/send/contract.ts';
import { readTable, type Table } from '../../../src/tables/read-table.ts';
import type { DateForm } from '../../../src/tables/shown-cell.ts';
import { type OnShare, postWithProgress } from '../progress-post.ts';
import { RecipientBook } from './book.ts';
import { ImportTable } from './import-table.ts';
import type { RequestName, Requests } from './messages.ts';
import { StoredDraft } from './stored-draft.ts';

const book = new RecipientBook();
const imported = new ImportTable();
const stored = new StoredDraft(post);
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
    // The request that ended the reading has the list now.
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
    stored.forget();
    return book.clear();
  },
  row: ({ at }) => book.row(at),
  next: ({ from, step }) => book.next(from, step),
  measure: ({ template, mode, fallbacks }) => book.measure(template, mode, fallbacks),
  keep: ({ head, fileName }, onShare) => keep(head, fileName, onShare),
  open: ({ id }, onShare) => open(id, onShare),
  submit: ({ version }) => stored.submit(version),
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

/** Kept on the server and, where there are recipients, judged there. */
async function keep(head: DraftHead, fileName: string | null, onShare: OnShare): Promise<Requests['keep']['out']> {
  const list = book.count > 0 ? book.local(fileName) : null;
  const kept = await stored.keep(head, list, onShare);
  if (!kept?.ok) return kept;
  const { id, preview } = kept.data;
  if (!preview?.ok) return { ok: true, data: { id, preview } };
  const { version, ...counted } = preview.data;
  book.passOver(counted.rows);
  return { ok: true, data: { id, preview: { ok: true, data: { ...book.inFile(counted), version } } } };
}

async function open(id: number, onShare: OnShare): Promise<Requests['open']['out']> {
  reading.abort();
  const found = await stored.open(id, onShare);
  if (!found.ok) return found;
  const { head, shape, cells } = found.data;
  const summary = shape ? book.resume(cells, shape) : book.clear();
  stored.adopt(id, head, book.count > 0 ? book.local(shape?.fileName ?? null) : null);
  const typed = shape && shape.fileName === null ? book.typed() : '';
  return { ok: true, data: { head, summary, fileName: shape?.fileName ?? null, typed } };
}

const unreachable = { code: 'unreachable', tr: 'Sunucuya ulaşılamıyor.', en: 'The server cannot be reached.' };

async function post<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  onShare: OnShare = () => {},
): Promise<Answer<OutputOf<Name>>> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(input);
  const answer = await postWithProgress<OutputOf<Name>>(`/panel/api/${name}`, headers, body, onShare);
  return answer ?? { ok: false, error: unreachable };
}
