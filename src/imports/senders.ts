// Imports sender IDs that another service has approved. The operator is responsible for them; a sender that was rejected here
// stays rejected.
import { decideSender, listSenders, senderProblem } from '../senders/senders.ts';
import { folded } from './headings.ts';
import { kindOf, sorted } from './kinds.ts';

const approvedWords = new Set(['onayli', 'onaylandi', 'onay', 'aktif', 'approved', 'active', 'kullanimda', '']);

export const senderKind = kindOf<'name' | 'state'>({
  fields: {
    name: [
      'gonderici adi',
      'gonderici',
      'gonderen',
      'sms basligi',
      'mesaj basligi',
      'baslik',
      'baslik adi',
      'originator',
      'msgheader',
      'header',
      'sender id',
      'sender',
      'alfanumerik',
      'name',
    ],
    state: ['onay durumu', 'baslik durumu', 'durum', 'durumu', 'state', 'status'],
  },
  fits: cell => senderProblem(cell) === null,
  async take(tx, { accountId }, rows) {
    const known = new Map((await listSenders(tx, accountId)).map(one => [one.name, one.state]));
    const { good, refused } = sorted(rows, ({ name, state, line }) => {
      const problem = senderProblem(name);
      if (problem) return problem;
      if (!approvedWords.has(folded(state))) return `onaylı değil / not approved there: ${state}`;
      return known.get(name) === 'rejected' ? 'burada reddedilmiş / was rejected here' : { name, line };
    });
    const fresh = new Set(good.map(one => one.name).filter(name => known.get(name) !== 'approved'));
    for (const name of fresh) await decideSender(tx, accountId, name, 'approved');
    return { added: fresh.size, known: good.length - fresh.size, refused };
  },
});
