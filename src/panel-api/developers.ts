// The reference of this very server: the operation table itself, as data for the page that explains it.
import { findActiveKey } from '../accounts/credentials.ts';
import { commonCodes, operations } from '../api/operations.ts';
import { statusTexts } from '../status.ts';
import type { Handlers } from './context.ts';

export const developerHandlers = {
  async 'developers.read'(call) {
    const key = call.role === 'viewer' ? null : ((await findActiveKey(call.db, call.account.id)) ?? null);
    return {
      baseUrl: call.baseUrl,
      key,
      operations: operations.map(one => ({
        name: one.name,
        path: `/v1/${one.path}/json`,
        aliases: (one.aliases ?? []).map(alias => `/v1/${alias}/json`),
        needs: one.needs,
        fields: one.fields,
        codes: [...commonCodes, ...one.codes].sort((a, b) => a - b).map(code => ({ code, text: statusTexts[code] })),
        result: one.result,
      })),
    };
  },
} satisfies Partial<Handlers>;
