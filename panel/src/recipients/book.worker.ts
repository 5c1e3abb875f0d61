// The worker around the book: reads files, measures texts and talks to the server itself, so that fifty thousand rows
// never pass through the thread that draws the page.
import type { Answer } from '../../../src/panel-api/contract.ts';
import type { SendPreview } from '../../../src/panel-api/contract-send.ts';
import { type OnShare, postWithProgress } from '../progress-post.ts';
import { RecipientBook } from './book.ts';
import { decodeFile } from './decode-file.ts';
import { detectDelimiter, parseDelimited } from './delimited.ts';
import { mergePreviews } from './merge-previews.ts';
import type { DraftHead, Problem, RequestName, Requests, Sent, Summary } from './messages.ts';

const fileBytesMax = 50 * 1024 * 1024;
const book = new RecipientBook();

type Handlers = {
  [Name in RequestName]: (
    input: Requests[Name]['in'],
    onShare: OnShare,
  ) => Promise<Requests[Name]['out']> | Requests[Name]['out'];
};

const handlers: Handlers = {
  file: ({ file, sheet }) => readFile(file, sheet),
  text: ({ text }) => book.loadText(text),
  table: ({ file, rowsMax }) => readTable(file, rowsMax),
  shape: ({ header, numberColumn }) => book.reshape(header, numberColumn),
  clear: () => book.clear(),
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

async function readFile(file: File, sheet: number): Promise<Summary> {
  if (file.size > fileBytesMax) return book.failed('too-large');
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!isZip(bytes)) return isBinary(bytes) ? book.failed('unreadable') : book.loadBytes(bytes);
  try {
    const sheets = await readSheets(file);
    const names = sheets.map(one => one.name);
    return book.loadRows((sheets[sheet] ?? sheets[0])?.rows ?? [], {
      sheets: names,
      sheet,
      encoding: 'XLSX',
      delimiter: null,
      problem: null,
    });
  } catch {
    return book.failed('unreadable');
  }
}

async function readTable(file: File, rowsMax: number): Promise<{ rows: string[][]; problem: Problem | null }> {
  if (file.size > fileBytesMax) return { rows: [], problem: 'too-large' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    if (isZip(bytes)) return { rows: ((await readSheets(file))[0]?.rows ?? []).slice(0, rowsMax), problem: null };
    if (isBinary(bytes)) return { rows: [], problem: 'unreadable' };
    const { text } = decodeFile(bytes);
    return { rows: parseDelimited(text, detectDelimiter(text), rowsMax), problem: null };
  } catch {
    return { rows: [], problem: 'unreadable' };
  }
}

const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

async function readSheets(file: File): Promise<{ name: string; rows: string[][] }[]> {
  const { default: readXlsx } = await import('read-excel-file/web-worker');
  const filled = (row: string[]) => row.some(cell => cell !== '');
  return (await readXlsx(file)).map(one => ({
    name: one.sheet,
    rows: one.data.map(row => row.map(cellText)).filter(filled),
  }));
}

/** Zero bytes in the first kilobyte of something that is not UTF-16: an old .xls, an image, anything but text. */
function isBinary(bytes: Uint8Array): boolean {
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !wide && bytes.subarray(0, 1024).includes(0);
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return String(value).trim();
}

/** The list in pieces of one order each; `onShare` of a piece counts as its part of the whole. */
function* slices(draft: DraftHead, perOrder: number, onShare: OnShare) {
  const pieces = Math.max(1, Math.ceil(book.count / perOrder));
  for (let piece = 0; piece < pieces; piece += 1) {
    const from = piece * perOrder;
    const tell: OnShare = share => onShare((piece + share) / pieces);
    yield { from, tell, body: { ...draft, ...book.slice(draft.text, from, from + perOrder) } };
  }
}

async function prepare(draft: DraftHead, perOrder: number, onShare: OnShare): Promise<Answer<SendPreview>> {
  const previews: { from: number; preview: SendPreview }[] = [];
  for (const { from, body, tell } of slices(draft, perOrder, onShare)) {
    const answer = await post<SendPreview>('send.prepare', body, tell);
    if (!answer.ok) return answer;
    previews.push({ from, preview: answer.data });
  }
  return { ok: true, data: mergePreviews(previews) };
}

async function submit(draft: DraftHead, perOrder: number, key: string, onShare: OnShare): Promise<Sent> {
  const orderIds: number[] = [];
  const orders = Math.ceil(book.count / perOrder);
  for (const { from, body, tell } of slices(draft, perOrder, onShare)) {
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
