// Requests that are not JSON: downloads of lists, uploads and downloads of documents. They pass the same checks as operations.

import { exportContent, findExport } from '../../exports/export-files.ts';
import { documentType, findDocument, type StoredDocument, storeDocument } from '../../senders/documents.ts';
import { now } from '../../time/clock.ts';
import { auditEntry } from '../audit/audit-entry.ts';
import { documentBytesMax, type ExportKind, exportKinds } from '../contract/facts.ts';
import type { Members } from '../contract/input.ts';
import type { UploadedDocument } from '../contract/shapes.ts';
import { type Download, fileNameOf, fileTypes, makeExport, notedFilter } from '../exports/exports.ts';
import { documentKinds } from '../senders/documents-needed.ts';
import { PanelRefusal } from '../words/errors.ts';
import type { PanelRequest } from './call.ts';
import { admit, requireChangeable } from './call.ts';
import { placeOfDocument } from './cells.ts';
import type { AccountCall, PanelServices, PublicCall, UserCall } from './context.ts';

const flags = new Map([
  ['true', true],
  ['false', false],
]);
const wholeNames = new Set(['id', 'orderId', 'brand', 'code', 'reason']);

export async function exportList(
  services: PanelServices,
  kind: string,
  query: Record<string, string>,
  request: PanelRequest,
): Promise<Download> {
  if (!Object.hasOwn(exportKinds, kind)) throw new PanelRefusal('no-such-operation');
  const { format, language, ...filter } = query;
  const call = callOf(services, request);
  const admitted = ownSession((await admit(call, exportKinds[kind as ExportKind])) as AccountCall);
  const download = await makeExport(
    { ...admitted, input: readQuery(filter) },
    kind as ExportKind,
    format === 'xlsx' ? 'xlsx' : 'csv',
    language === 'en' ? 'en' : 'tr',
  );
  await auditEntry(admitted, 'export', { kind, ...notedFilter(filter) });
  return download;
}

/** Serves a finished large download piece by piece, to the account only and to roles that may export such a list. */
export async function fetchExport(services: PanelServices, id: number, request: PanelRequest): Promise<Download> {
  const call = callOf(services, request);
  const { account, db } = ownSession((await admit(call, 'viewer')) as AccountCall);
  const found = await findExport(db, account.id, id);
  if (found?.state !== 'ready' || found.expiresAt! <= call.now) throw new PanelRefusal('not-found');
  const { format, language, filter, createdAt: at } = found;
  const kind = found.kind as ExportKind;
  await admit(call, exportKinds[kind]);
  return {
    fileName: fileNameOf({ kind, format, language, filter, at }),
    type: fileTypes[format],
    body: exportContent(db, account.id, id, call.now),
  };
}

export async function uploadDocument(
  services: PanelServices,
  { fileName, kind }: { fileName: string; kind: string },
  request: PanelRequest,
): Promise<UploadedDocument> {
  const call = ownSession((await admit(callOf(services, request), 'owner')) as AccountCall);
  await requireChangeable(call);
  const content = request.body;
  if (content.length > documentBytesMax) throw new PanelRefusal('document-size');
  const type = documentType(content);
  if (!type) throw new PanelRefusal('document-type');
  const stored = await storeDocument(call.db, call.account.id, {
    name: fileName,
    type,
    content,
    by: call.session.email,
    kind: documentKinds.has(kind) ? kind : null,
  });
  if (!stored) throw new PanelRefusal('too-many-documents');
  return stored;
}

/** For owners of the document's account and for staff. It may be an identity card, so staff in a view-as need a reason. */
export async function downloadDocument(
  services: PanelServices,
  id: number,
  request: PanelRequest,
): Promise<StoredDocument> {
  const asked = callOf(services, request);
  const { session } = (await admit(asked, 'user')) as UserCall;
  if (session.viewing && !session.viewing.revealed) throw new PanelRefusal('reason-needed');
  const ownerOf = session.staff ? null : ((await admit(asked, 'owner')) as AccountCall).account.id;
  const { db = asked.db } = await placeOfDocument(asked, id);
  const found = await findDocument(db, id, ownerOf);
  if (!found) throw new PanelRefusal('not-found');
  return found;
}

/** Staff in a view-as neither download nor upload anything. */
function ownSession(call: AccountCall): AccountCall {
  if (call.session.viewing) throw new PanelRefusal('viewing');
  return call;
}

function callOf(services: PanelServices, request: PanelRequest): PublicCall {
  return { ...services, ...request, now: now(), cookie: {} };
}

/** A query string contains only texts; the filters' readers expect JSON types. */
function readQuery(query: Record<string, string>): Members {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (flags.has(value)) return [name, flags.get(value)];
      return [name, wholeNames.has(name) && /^\d{1,15}$/.test(value) ? Number(value) : value];
    }),
  );
}
