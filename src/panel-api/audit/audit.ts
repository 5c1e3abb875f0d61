// Who did what from where: for the owner of an account, and for staff over all accounts.

import { listEverywhere } from '../call/cells.ts';
import type { Handlers, InputRead, UserCall } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import { type Column, timeCell } from '../exports/column.ts';
import { cursorParts, pageOf } from '../queries/conditions.ts';
import { staffMark } from './audit-entry.ts';
import { type AuditAsked, type AuditRow, auditRows, auditRowsByTime } from './audit-list.ts';
import { actionName, actorName, detailLine } from './audit-words.ts';
import type { AuditLine } from './contract.ts';

const pageRows = 50;

export const auditHandlers = {
  async 'audit.list'(call) {
    const found = await auditRows(
      call.db,
      { ...readAuditFilter(call.input), accountId: call.account.id },
      pageRows + 1,
    );
    return pageOf(found, pageRows, last => String(last.id), forCustomer);
  },

  async 'staff.audit'(call) {
    const asked = { ...readAuditFilter(call.input), accountId: call.input.accountId };
    if (call.cells?.several) return auditOfAll(call, asked, call.input.cursor);
    return pageOf(await auditRows(call.db, asked, pageRows + 1), pageRows, last => String(last.id), show);
  },
} satisfies Partial<Handlers>;

/** Entries of every cell, in the order of time. */
async function auditOfAll(call: UserCall, asked: AuditAsked, cursor: string | undefined) {
  const parts = cursorParts(cursor, 2);
  const before = parts && { micros: parts[0]!, id: parts[1]! };
  const found = await listEverywhere(call, db => auditRowsByTime(db, asked, before, pageRows + 1));
  found.sort((a, b) => b.micros - a.micros || b.id - a.id);
  return pageOf(
    found,
    pageRows,
    last => `${last.micros}.${last.id}`,
    ({ micros: _, ...one }) => show(one),
  );
}

export function readAuditFilter(input: InputRead<'audit.list'>): AuditAsked {
  return {
    actor: input.actor,
    action: input.action,
    from: input.from,
    to: input.to,
    before: cursorParts(input.cursor, 1)?.[0],
  };
}

function show(row: AuditRow): AuditLine {
  return { ...row, at: iso(row.at), actor: row.actor.replace(staffMark, '') };
}

/** Staff act in the operator's name; customers do not see the person and the address. */
export function forCustomer(row: AuditRow): AuditLine {
  const isStaff = row.actor.startsWith(staffMark) || row.actor.startsWith('operator');
  return { ...show(row), ...(isStaff ? { actor: 'işletmeci', address: null } : {}) };
}

/** Columns of the log as a file. */
export const auditFileColumns: Column<AuditLine>[] = [
  ['Zaman', 'Time', (one, language) => timeCell(one.at, language)],
  ['Kim', 'Who', (one, language) => actorName(one.actor, language)],
  ['İşlem', 'Action', (one, language) => actionName(one.action, language)],
  ['Ayrıntı', 'Detail', (one, language) => detailLine(one.detail, language)],
  ['Adres', 'Address', one => one.address],
];
