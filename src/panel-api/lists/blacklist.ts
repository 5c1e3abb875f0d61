// The blacklist: list, add one or many, remove with a reason.

import { addManyToBlacklist, removeManyFromBlacklist } from '../../blacklist/bulk.ts';
import { transaction } from '../../db/db.ts';
import { limits } from '../../limits.ts';
import { numberFault } from '../../numbers/number-fault.ts';
import { formatNumber, parseNumber } from '../../numbers/phone.ts';
import { auditEntry } from '../audit/audit-entry.ts';
import type { Handlers, InputRead } from '../call/context.ts';
import { bad, iso } from '../contract/input.ts';
import { type Column, timeCell } from '../exports/column.ts';
import { wordOf } from '../exports/words.ts';
import { cursorParts, pageOf } from '../queries/conditions.ts';
import type { RowSample } from '../send/contract.ts';
import { PanelRefusal } from '../words/errors.ts';
import { type BlacklistAsked, type BlacklistRow, blacklistCount, blacklistRows } from './blacklist-list.ts';

const pageRows = 50;

export const blacklistHandlers = {
  async 'blacklist.list'(call) {
    const found = await blacklistRows(call.db, call.account.id, readBlacklistFilter(call.input), pageRows + 1);
    const page = pageOf(found, pageRows, last => `${last.micros}.${last.number}`, showBlacklisted);
    return { ...page, total: await blacklistCount(call.db, call.account.id) };
  },

  async 'blacklist.add'(call) {
    const given = call.input.numbers;
    if (given.length === 0) throw bad('numbers');
    const invalid: RowSample[] = [];
    const numbers = new Set<number>();
    given.forEach((one, row) => {
      const number = parseNumber(one, call.account.abroad);
      if (number > 0) numbers.add(number);
      else {
        const fault = numberFault(one, call.account.abroad) ?? undefined;
        invalid.push({ row, number: one.slice(0, limits.badNumberLength), fault });
      }
    });
    const isImport = call.input.isImport ?? false;
    const note = call.input.note ?? null;
    const source = isImport ? 'import' : 'panel';
    const added = await addManyToBlacklist(call.db, call.account.id, numbers, source, note);
    if (added > 0)
      await auditEntry(call, 'blacklist.add', { added, ...(numbers.size === 1 ? { number: first(numbers) } : {}) });
    return {
      added,
      existing: numbers.size - added,
      repeated: given.length - invalid.length - numbers.size,
      invalid,
      invalidCount: invalid.length,
    };
  },

  async 'blacklist.remove'(call) {
    const given = call.input.numbers;
    const reason = call.input.reason;
    const numbers = given.map(one => parseNumber(one, true));
    if (numbers.length === 0 || numbers.includes(0)) throw new PanelRefusal('bad-number', { field: 'numbers' });
    const removed = await transaction(call.db, async tx => {
      const count = await removeManyFromBlacklist(tx, call.account.id, numbers);
      if (count === 0) throw new PanelRefusal('not-found', { field: 'numbers' });
      return count;
    });
    await auditEntry(call, 'blacklist.remove', {
      removed,
      reason,
      ...(numbers.length === 1 ? { number: first(new Set(numbers)) } : {}),
    });
    return { removed };
  },
} satisfies Partial<Handlers>;

function first(numbers: Set<number>): string {
  return formatNumber([...numbers][0]!);
}

export function readBlacklistFilter(input: InputRead<'blacklist.list'>): BlacklistAsked {
  const given = input.search;
  const number = given === undefined ? 0 : parseNumber(given, true);
  const before = cursorParts(input.cursor, 2);
  return {
    ...(number > 0 ? { number } : { digits: given?.replace(/[^\d]/g, '') || undefined }),
    source: input.source,
    from: input.from,
    to: input.to,
    ...(before ? { before: { micros: before[0]!, number: before[1]! } } : {}),
  };
}

export function showBlacklisted(one: BlacklistRow) {
  return { number: formatNumber(one.number), source: one.source, note: one.note, addedAt: iso(one.addedAt) };
}

/** Columns of the list as a file. */
export const blacklistFileColumns: Column<ReturnType<typeof showBlacklisted>>[] = [
  ['Numara', 'Number', one => one.number],
  ['Kaynak', 'Source', (one, language) => wordOf(one.source, language)],
  ['Eklenme', 'Added', (one, language) => timeCell(one.addedAt, language)],
  ['Not', 'Note', one => one.note],
];
