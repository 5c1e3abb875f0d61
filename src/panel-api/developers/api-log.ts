// The API log: refused calls with their true cause and the remedy, successful ones singly and as counts.

import { listUsage } from '../../accounts/api-usage.ts';
import type { Handlers, InputRead } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import { type Column, timeCell } from '../exports/column.ts';
import { cursorParts, pageOf } from '../queries/conditions.ts';
import { callRows } from './call-list.ts';
import type { RefusalGroups, RefusalLine } from './contract.ts';
import { describeRefusal, describeRefusals, fieldErrors } from './refusal-causes.ts';
import { type RefusalRow, type RefusalsAsked, refusalGroups, refusalRows } from './refusal-list.ts';

const pageRows = 50;
const dayMs = 86_400_000;

export const apiLogHandlers = {
  async 'apiLog.list'(call) {
    const found = await refusalRows(call.db, call.account.id, readRefusalFilter(call.input), pageRows + 1);
    return pageOf(found, pageRows, last => String(last.id), showRefusal);
  },

  async 'apiLog.calls'(call) {
    const { input } = call;
    const asked = {
      operation: input.operation,
      address: input.address,
      keyStart: input.keyStart,
      orderId: input.orderId,
      from: input.from,
      to: input.to,
      before: cursorParts(input.cursor, 1)?.[0],
    };
    const found = await callRows(call.db, call.account.id, asked, pageRows + 1);
    return pageOf(
      found,
      pageRows,
      last => String(last.id),
      row => ({ ...row, at: iso(row.at) }),
    );
  },

  async 'apiLog.groups'(call) {
    const days = call.input.days ?? 7;
    const since = new Date(call.now.getTime() - days * dayMs);
    const groups = await refusalGroups(call.db, call.account.id, since);
    const calls = new Map<string, number>();
    for (const one of await listUsage(call.db, call.account.id, since))
      if (one.accepted > 0) calls.set(one.operation, (calls.get(one.operation) ?? 0) + one.accepted);
    return {
      groups: groups.map(showGroup),
      accepted: [...calls].map(([operation, count]) => ({ operation, count })).sort((a, b) => b.count - a.count),
      days,
    };
  },
} satisfies Partial<Handlers>;

export function readRefusalFilter(input: InputRead<'apiLog.list'>): RefusalsAsked {
  return {
    code: input.code,
    cause: input.cause,
    operation: input.operation,
    address: input.address,
    from: input.from,
    to: input.to,
    before: cursorParts(input.cursor, 1)?.[0],
  };
}

export function showRefusal(row: RefusalRow): RefusalLine {
  return {
    ...row,
    at: iso(row.at),
    ...describeRefusal(row.code, row.cause, row.address),
    errors: fieldErrors(row.cause),
  };
}

function showGroup(row: Awaited<ReturnType<typeof refusalGroups>>[number]): RefusalGroups['groups'][number] {
  const addresses = row.addresses ?? [];
  return { ...row, ...describeRefusals(row), addresses, firstAt: iso(row.firstAt), lastAt: iso(row.lastAt) };
}

/** Columns of the list as a file. */
export const refusalFileColumns: Column<RefusalLine>[] = [
  ['Zaman', 'Time', (one, language) => timeCell(one.at, language)],
  ['İşlem', 'Operation', one => one.operation],
  ['Kod', 'Code', one => one.code],
  ['Sebep', 'Cause', (one, language) => one.sentence[language]],
  ['Çözüm', 'Remedy', (one, language) => one.fix[language]],
  ['Adres', 'Address', one => one.address],
  ['İstemci', 'Agent', one => one.agent],
];
