// The reference of this server: the operation table as data for the page that explains it, and the values that make its
// examples work for this account.
import { findActiveKey } from '../../accounts/credentials.ts';
import { codeWords } from '../../api/code-words.ts';
import { closeEnvelope } from '../../api/envelope.ts';
import { exampleAnswers } from '../../api/example-answers.ts';
import { fieldsOf } from '../../api/fields.ts';
import { commonCodes, type Operation, operations } from '../../api/operations.ts';
import { row, sql } from '../../db/db.ts';
import { findUser, mobileText } from '../../people/users.ts';
import { testSender } from '../../senders/senders.ts';
import { statusTexts } from '../../status.ts';
import { homeDb } from '../call/cells.ts';
import type { AccountCall, Handlers } from '../call/context.ts';
import type { Developers } from './contract.ts';

export const developerHandlers = {
  async 'developers.read'(call) {
    const key = call.role === 'viewer' ? null : ((await findActiveKey(call.db, call.account.id)) ?? null);
    return {
      baseUrl: call.baseUrl,
      key,
      sample: await sampleOf(call),
      operations: operations.map(one => ({
        name: one.name,
        path: `/v1/${one.path}/json`,
        aliases: (one.aliases ?? []).map(alias => `/v1/${alias}/json`),
        needs: one.needs,
        fields: fieldsOf(one),
        codes: [...commonCodes, ...one.codes]
          .sort((a, b) => a - b)
          .map(code => ({ code, tr: statusTexts[code], ...codeWords[code] })),
        result: one.result,
        answer: closeEnvelope(200, exampleAnswers[one.name]),
        refusal: exampleRefusal(one),
      })),
    };
  },
} satisfies Partial<Handlers>;

const newestOrder = sql<{ id: number }>('developers newest order')`
  select id from orders where account_id = $1 order by submit_at desc, id desc limit 1`;

async function sampleOf(call: AccountCall): Promise<Developers['sample']> {
  const { db, account, session } = call;
  const user = await findUser(homeDb(call), session.userId);
  return {
    sender: account.senders[0] ?? testSender,
    brand: account.brands[0] ?? null,
    orderId: (await row(db, newestOrder, [account.id]))?.id ?? null,
    mobile: mobileText(user?.mobile ?? null),
  };
}

/** The code's own refusal if it has one; 422 names the field. */
function exampleRefusal(operation: Operation) {
  const code = operation.codes.find(one => one >= 450) ?? operation.codes.find(one => one === 422) ?? 401;
  return closeEnvelope(
    code,
    undefined,
    code === 422 ? { recipient: 'Bu alıcı için izin kaydı bulunamadı.' } : undefined,
  );
}
