// Messages that people wrote to the account.

import { parseNumber } from '../../numbers/phone.ts';
import { foldKeyword } from '../../text/keywords.ts';
import type { Handlers, InputRead } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import { cursorParts, pageOf } from '../queries/conditions.ts';
import { conversations, type InboxAsked, inboundNumbers, inboxRows } from './inbox-list.ts';

const pageRows = 50;

export const inboxHandlers = {
  async 'inbox.list'(call) {
    const found = await inboxRows(call.db, call.account.id, readInboxFilter(call.input), pageRows + 1);
    const page = pageOf(
      found,
      pageRows,
      last => String(last.id),
      one => ({ ...one, receivedAt: iso(one.receivedAt) }),
    );
    return { ...page, numbers: await inboundNumbers(call.db, call.account.id) };
  },
  async 'inbox.conversations'(call) {
    const found = await conversations(call.db, call.account.id);
    return { rows: found.map(one => ({ ...one, receivedAt: iso(one.receivedAt) })) };
  },
} satisfies Partial<Handlers>;

export function readInboxFilter(input: InputRead<'inbox.list'>): InboxAsked {
  const given = input.number;
  const number = given === undefined ? 0 : parseNumber(given, true);
  const keyword = input.keyword;
  return {
    ...(number > 0 ? { number } : { digits: given?.replace(/[\s()-]/g, '') }),
    keyword: keyword === undefined ? undefined : foldKeyword(keyword),
    text: input.text,
    from: input.from,
    to: input.to,
    before: cursorParts(input.cursor, 1)?.[0],
  };
}
