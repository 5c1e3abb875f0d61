// Drafts of the send form, kept on the server: list, continue, delete; the list of recipients in pieces; the dry run over all
// of it; and the send, which stores all of its orders or none and repeats its answer.

import { acceptOrders } from '../../accept/accept.ts';
import type { OrderDraft } from '../../accept/draft.ts';
import { recordAuditEntry } from '../../accounts/audit-log.ts';
import { transaction } from '../../db/db.ts';
import {
  createDraft,
  type Draft,
  deleteDraft,
  findDraft,
  type ListShape,
  listDrafts,
  lockDraft,
  markSent,
  saveDraft,
} from '../../drafts/drafts.ts';
import { isListWhole, piecesOf, putPiece, readPiece, startList } from '../../drafts/pieces.ts';
import type { AccountCall, Handlers } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import { PanelRefusal } from '../words/errors.ts';
import { batchesOf, walkOf } from './batches.ts';
import { columnsOfSlice, type SliceColumns, storeSliceColumns } from './columns.ts';
import { orderDraft, readSendHead, sendTime } from './form.ts';
import { previewSend } from './preview.ts';
import { nameEarlierOrder, sourceOf } from './send.ts';

const noList: ListShape = { fileName: null, header: false, numberColumn: 0, names: [] };
const excerptLength = 80;

export const draftHandlers = {
  async 'drafts.list'(call) {
    const lines = await listDrafts(call.db, call.account.id);
    return {
      drafts: lines.map(one => ({
        id: one.id,
        excerpt: one.head.text.slice(0, excerptLength),
        sender: one.head.sender,
        fileName: one.shape.fileName ?? null,
        rows: one.rowCount,
        who: one.email,
        updatedAt: iso(one.updatedAt),
      })),
    };
  },

  async 'drafts.create'(call) {
    const made = await createDraft(call.db, call.account.id, call.session.userId, readSendHead(call.input.head));
    if (!made) throw new PanelRefusal('too-many-drafts');
    return { id: made.id, version: made.version };
  },

  async 'drafts.read'(call) {
    const draft = await found(call);
    const { id: draftId, head, version, rowCount: rows } = draft;
    const shape = draft.listNo > 0 ? shapeOf(draft) : null;
    return {
      id: draftId,
      head,
      shape,
      rows,
      version,
      listNo: draft.listNo,
      isWhole: await isListWhole(call.db, draft),
    };
  },

  async 'drafts.save'(call) {
    const { id, shape = null } = call.input;
    const version = await saveDraft(call.db, call.account.id, id, readSendHead(call.input.head), shape);
    if (version === undefined) throw new PanelRefusal('not-found');
    return { version };
  },

  async 'drafts.startList'(call) {
    const { id, shape, rows } = call.input;
    const started = await transaction(call.db, tx => startList(tx, call.account.id, id, shape, rows));
    if (!started) throw new PanelRefusal('not-found');
    return started;
  },

  async 'drafts.putRows'(call) {
    const { rows, ...at } = call.input;
    const put = await transaction(call.db, tx => putPiece(tx, call.account.id, at, rows));
    if (put !== 'stored') throw new PanelRefusal(put === 'gone' ? 'not-found' : `list-${put}`);
    return {};
  },

  async 'drafts.rows'(call) {
    const { id, no } = call.input;
    return { rows: (await readPiece(call.db, call.account.id, id, no)) ?? null };
  },

  async 'drafts.delete'(call) {
    if (!(await deleteDraft(call.db, call.account.id, call.input.id))) throw new PanelRefusal('not-found');
    return {};
  },

  async 'drafts.prepare'(call) {
    const draft = await found(call);
    if (!(await isListWhole(call.db, draft))) throw new PanelRefusal('list-incomplete');
    const { walk, batches } = walked(call, draft, call.db);
    const preview = await previewSend(call.db, call.account, draft.head, walk, batches, call.now);
    return { ...preview, version: draft.version };
  },

  async 'drafts.submit'(call) {
    const { id: draftId, version } = call.input;
    let repeated: number[] | null = null;
    let current: OrderDraft | null = null;
    let columns: (SliceColumns | null)[] = [];
    const orderIds = await acceptOrders(
      call.orders,
      call.account,
      async function* (tx) {
        const draft = await lockDraft(tx, call.account.id, draftId);
        if (!draft) throw new PanelRefusal('not-found');
        repeated = draft.orderIds;
        if (repeated) throw new AlreadySent();
        columns = [];
        if (draft.version !== version) throw new PanelRefusal('draft-changed');
        if (!(await isListWhole(tx, draft))) throw new PanelRefusal('list-incomplete');
        for await (const { slice, startAt } of walked(call, draft, tx).batches) {
          const wanted = sendTime(draft.head);
          columns.push(await columnsOfSlice(shapeOf(draft), slice, call.account.abroad));
          current = orderDraft(draft.head, slice, wanted === 'malformed' ? wanted : startAt, sourceOf(call));
          yield current;
        }
      },
      call.now,
      async (tx, ids) => {
        await markSent(tx, call.account.id, draftId, ids);
        await storeSliceColumns(tx, call.account.id, ids, columns);
        for (const orderId of ids) await recordAuditEntry(tx, { ...actionOf(call), detail: { orderId } });
      },
    ).catch(async error => {
      if (error instanceof AlreadySent) return repeated!;
      if (current) return await nameEarlierOrder(call, current, error);
      throw error;
    });
    return { orderIds };
  },
} satisfies Partial<Handlers>;

/** The click was repeated: the transaction ends without a change, and the first answer is returned again. */
class AlreadySent extends Error {}

function actionOf(call: AccountCall) {
  return {
    accountId: call.account.id,
    actor: call.session.email,
    action: 'order.send',
    address: call.visitor.address,
  };
}

async function found(call: AccountCall & { input: { id: number } }): Promise<Draft> {
  const draft = await findDraft(call.db, call.account.id, call.input.id);
  if (!draft) throw new PanelRefusal('not-found');
  return draft;
}

function shapeOf(draft: Draft): ListShape {
  return { ...noList, ...draft.shape };
}

function walked(call: AccountCall, draft: Draft, db: Parameters<typeof piecesOf>[0]) {
  const shape = shapeOf(draft);
  const walk = walkOf(call.account, draft.head, shape, draft.rowCount);
  return { walk, batches: batchesOf(draft.head, walk.slices(bodyOf(draft, shape, db)), call.now) };
}

/** The rows without the header. */
async function* bodyOf(draft: Draft, shape: ListShape, db: Parameters<typeof piecesOf>[0]) {
  let isFirst = true;
  for await (const cells of piecesOf(db, draft)) {
    yield isFirst && shape.header ? cells.slice(1) : cells;
    isFirst = false;
  }
}
