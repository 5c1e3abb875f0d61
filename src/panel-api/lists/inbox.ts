// What people wrote back.

import { parseNumber } from '../../phone.ts';
import { foldKeyword } from '../../text/keywords.ts';
import { cursorParts, pageOf } from '../conditions.ts';
import type { Handlers } from '../context.ts';
import { iso, type Members, optionalText, optionalTime } from '../input.ts';
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

export function readInboxFilter(input: Members): InboxAsked {
  const given = optionalText(input, 'number', 60);
  const number = given === undefined ? 0 : parseNumber(given, true);
  const keyword = optionalText(input, 'keyword', 40);
  return {
    ...(number > 0 ? { number } : { digits: given?.replace(/[\s()-]/g, '') }),
    keyword: keyword === undefined ? undefined : foldKeyword(keyword),
    text: optionalText(input, 'text', 100),
    from: optionalTime(input, 'from'),
    to: optionalTime(input, 'to', true),
    before: cursorParts(optionalText(input, 'cursor', 40), 1)?.[0],
  };
}
