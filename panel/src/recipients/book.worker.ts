// The worker around the book: reads files, measures texts and talks to the server itself, so that fifty thousand rows
// never pass through the thread that draws the page.
import type { Answer } from '../../../src/panel-api/contract.ts';
import { panelHeader } from '../../../src/panel-api/contract.ts';
import type { SendPreview } from '../../../src/panel-api/contract-messages.ts';
import { RecipientBook } from './book.ts';
import { mergePreviews } from './merge-previews.ts';
import type { DraftHead, RequestName, Requests, Sent, Summary } from './messages.ts';

const fileBytesMax = 50 * 1024 * 1024;
const book = new RecipientBook();

type Handlers = { [Name in RequestName]: (input: Requests[Name]['in']) => Promise<Requests[Name]['out']> | Requests[Name]['out'] };

const handlers: Handlers = {
  file: ({ file, sheet }) => readFile(file, sheet),
  text: ({ text }) => book.loadText(text),
  shape: ({ header, numberColumn }) => book.reshape(header, numberColumn),
  clear: () => book.clear(),
  row: ({ at }) => book.row(at),
  measure: ({ template, mode, fallbacks }) => book.measure(template, mode, fallbacks),
  prepare: ({ draft, perOrder }) => prepare(draft, perOrder),
  submit: ({ draft, perOrder, key }) => submit(draft, perOrder, key),
};

self.onmessage = async (event: MessageEvent<{ id: number; name: RequestName; input: never }>) => {
  const { id, name, input } = event.data;
  try {
    self.postMessage({ id, output: await handlers[name](input) });
  } catch (error) {
    self.postMessage({ id, error: String(error) });
  }
};

async function readFile(file: File, sheet: number): Promise<Summary> {
  if (file.size > fileBytesMax) return book.failed('too-large');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (!isZip) return isBinary(bytes) ? book.failed('unreadable') : book.loadBytes(bytes);
  try {
    const { default: readXlsx } = await import('read-excel-file/web-worker');
    const sheets = await readXlsx(file);
    const chosen = sheets[sheet] ?? sheets[0];
    const rows = (chosen?.data ?? []).map(row => row.map(cellText)).filter(row => row.some(cell => cell !== ''));
    return book.loadRows(rows, { sheets: sheets.map(one => one.sheet), sheet, encoding: 'XLSX', delimiter: null, problem: null });
  } catch {
    return book.failed('unreadable');
  }
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

function* slices(draft: DraftHead, perOrder: number) {
  for (let from = 0; from < Math.max(1, book.count); from += perOrder) {
    yield { from, body: { ...draft, ...book.slice(draft.text, from, from + perOrder) } };
  }
}

async function prepare(draft: DraftHead, perOrder: number): Promise<Answer<SendPreview>> {
  const previews: { from: number; preview: SendPreview }[] = [];
  for (const { from, body } of slices(draft, perOrder)) {
    const answer = await post<SendPreview>('send.prepare', body);
    if (!answer.ok) return answer;
    previews.push({ from, preview: answer.data });
  }
  return { ok: true, data: mergePreviews(previews) };
}

async function submit(draft: DraftHead, perOrder: number, key: string): Promise<Sent> {
  const orderIds: number[] = [];
  const orders = Math.ceil(book.count / perOrder);
  for (const { from, body } of slices(draft, perOrder)) {
    const answer = await post<{ orderId: number }>('send.submit', { ...body, idempotencyKey: `${key}-${from / perOrder + 1}` });
    if (!answer.ok) return { orderIds, orders, failed: answer };
    orderIds.push(answer.data.orderId);
  }
  return { orderIds, orders, failed: null };
}

const unreachable = { code: 'unreachable', tr: 'Sunucuya ulaşılamıyor.', en: 'The server cannot be reached.' };

async function post<T>(operation: string, body: unknown): Promise<Answer<T>> {
  const headers = { 'Content-Type': 'application/json', [panelHeader.name]: panelHeader.value };
  try {
    const response = await fetch(`/panel/api/${operation}`, { method: 'POST', headers, body: JSON.stringify(body), credentials: 'same-origin' });
    return (await response.json()) as Answer<T>;
  } catch {
    return { ok: false, error: unreachable };
  }
}
