// The server's copy of the draft, as the worker keeps it up to date: the message whenever it changed, the list once, in
// pieces. One thing at a time; what is overtaken by a newer change stops between two pieces.
import type { Answer, InputOf, OperationName, OutputOf } from '../../../src/panel-api/contract/contract.ts';
import type { DraftHead, SendPreview } from '../../../src/panel-api/send/contract.ts';
import type { OnShare } from '../progress-post.ts';
import type { LocalList } from './messages.ts';

export type Post = <Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  onShare?: OnShare,
) => Promise<Answer<OutputOf<Name>>>;
type Checked = SendPreview & { version: number };
type Kept = { id: number; preview: Answer<Checked> | null };

const pieceRows = 10_000;
const pieceCharacters = 4_000_000;
const cellMax = 1_000;

export class StoredDraft {
  readonly #post: Post;
  #id: number | null = null;
  #saved = '';
  #uploaded = -1;
  #ticket = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(post: Post) {
    this.#post = post;
  }

  /** Stores what changed and, with a list, has it judged. null: overtaken by a newer change. */
  keep(head: DraftHead, list: LocalList | null, onShare: OnShare): Promise<Answer<Kept> | null> {
    this.#ticket += 1;
    const mine = this.#ticket;
    return this.#inTurn(async () => {
      if (mine !== this.#ticket) return null;
      const saved = await this.#save(head, list);
      if (!saved.ok) return saved;
      if (!list) return { ok: true, data: { id: this.#id!, preview: null } };
      const uploaded = await this.#upload(list, onShare, () => mine === this.#ticket);
      if (!uploaded?.ok) return uploaded;
      const preview = await this.#post('drafts.prepare', { id: this.#id! });
      return { ok: true, data: { id: this.#id!, preview } };
    });
  }

  submit(version: number): Promise<Answer<{ orderIds: number[] }>> {
    return this.#inTurn(async () => {
      const sent = await this.#post('drafts.submit', { id: this.#id!, version });
      // Somebody else changed it: what stands here is stored again, whole, and looked at again before it is sent.
      if (!sent.ok && (sent.error.code === 'draft-changed' || sent.error.code === 'list-incomplete')) {
        this.#saved = '';
        this.#uploaded = -1;
      }
      return sent;
    });
  }

  /** The draft as it stands on the server, to go on with it here. */
  async open(id: number, onShare: OnShare): Promise<Answer<OutputOf<'drafts.read'> & { cells: string[][] }>> {
    const read = await this.#post('drafts.read', { id });
    if (!read.ok) return read;
    const cells: string[][] = [];
    for (let no = 0; read.data.isWhole && cells.length < read.data.rows; no += 1) {
      const piece = await this.#post('drafts.rows', { id, no });
      if (!piece.ok) return piece;
      if (!piece.data.rows) break;
      for (const row of piece.data.rows) cells.push(row);
      onShare(cells.length / Math.max(1, read.data.rows));
    }
    return { ok: true, data: { ...read.data, cells } };
  }

  /** What was opened is what this browser now has. */
  adopt(id: number, head: DraftHead, list: LocalList | null): void {
    this.#id = id;
    this.#saved = signOf(head, list);
    this.#uploaded = list ? list.listVersion : -1;
  }

  forget(): void {
    this.#ticket += 1;
    this.#id = null;
    this.#saved = '';
    this.#uploaded = -1;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => {});
    return mine;
  }

  async #save(head: DraftHead, list: LocalList | null): Promise<Answer<unknown>> {
    const sign = signOf(head, list);
    if (this.#id !== null) {
      if (sign === this.#saved) return { ok: true, data: null };
      const shape = list && this.#uploaded === list.listVersion ? list.shape : null;
      const saved = await this.#post('drafts.save', { id: this.#id, head, shape });
      if (saved.ok) this.#saved = sign;
      // Deleted or sent from somewhere else: it goes on as a draft of its own.
      if (saved.ok || saved.error.code !== 'not-found') return saved;
      this.#uploaded = -1;
    }
    const made = await this.#post('drafts.create', { head });
    if (made.ok) {
      this.#id = made.data.id;
      this.#saved = sign;
    }
    return made;
  }

  async #upload(list: LocalList, onShare: OnShare, isWanted: () => boolean): Promise<Answer<unknown> | null> {
    if (this.#uploaded === list.listVersion) return { ok: true, data: null };
    const id = this.#id!;
    const started = await this.#post('drafts.startList', { id, shape: list.shape, rows: list.rows.length });
    if (!started.ok) return started;
    const { listNo } = started.data;
    let sent = 0;
    let no = 0;
    for (const rows of piecesOf(list.rows)) {
      if (!isWanted()) return null;
      const share = (of: number) => onShare((sent + rows.length * of) / list.rows.length);
      const put = await this.#post('drafts.putRows', { id, listNo, no, rows }, share);
      if (!put.ok) return put;
      sent += rows.length;
      no += 1;
    }
    this.#uploaded = list.listVersion;
    return { ok: true, data: null };
  }
}

/** The same for the same content, in whatever order its members come back from the server. */
function signOf(head: DraftHead, list: LocalList | null): string {
  const inOrder = (_key: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify([head, list?.shape ?? null], inOrder);
}

export function* piecesOf(rows: string[][]): Generator<string[][]> {
  let piece: string[][] = [];
  let characters = 0;
  for (const row of rows) {
    const cells = row.map(cell => (cell.length > cellMax ? cell.slice(0, cellMax) : cell));
    piece.push(cells);
    for (const cell of cells) characters += cell.length + 3;
    if (piece.length < pieceRows && characters < pieceCharacters) continue;
    yield piece;
    piece = [];
    characters = 0;
  }
  if (piece.length > 0) yield piece;
}
