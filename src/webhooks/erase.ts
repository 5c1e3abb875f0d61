// Removes a number and its text from the bodies that were posted to customers; the record of the post stays. Pending events are
// left, because they are posted or given up within a day.
import { rows, run, sql } from '../db/db.ts';
import { type Eraser, inKeyOrder } from '../db/erase.ts';
import { isWritten, lastDigits } from '../numbers/written.ts';
import { isSealedText, sealText, shownText } from '../sealing/content.ts';

type Kept = { accountId: number; outboxId: number; subjectId: number; body: string | null; wanted: boolean };

// A sealed body is opened here to be searched; the database itself searches unsealed ones.
const findSql = {
  name: 'webhook erase find',
  text: `select account_id as "accountId", outbox_id as "outboxId", subject_id as "subjectId", wanted,
      case when wanted then body end as body from (
    select *, coalesce(state <> 'pending' and (${isSealedText('body')}
      or strpos(regexp_replace(body, '\\D', '', 'g'), $4) > 0), false) as wanted
    from webhook_deliveries where (account_id, outbox_id, subject_id) > ($1::bigint, $2::bigint, $3::bigint)
    order by account_id, outbox_id, subject_id limit 1000) d order by account_id, outbox_id, subject_id`,
};
const eraseSql = sql('webhook erase')`
  update webhook_deliveries d set body = u.body, answer_body = case when answer_body is null then null else '' end
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) u(account_id, outbox_id, subject_id, body)
  where d.account_id = u.account_id and d.outbox_id = u.outbox_id and d.subject_id = u.subject_id and d.state <> 'pending'`;

const start = { accountId: -(2 ** 53) + 1, outboxId: 0, subjectId: 0 };

export const eraseDeliveries: Eraser = (db, number) =>
  inKeyOrder<Kept>(
    after => {
      const { accountId, outboxId, subjectId } = after ?? start;
      return rows<Kept>(db, findSql, [accountId, outboxId, subjectId, lastDigits(number)]);
    },
    async piece => {
      const erased = piece.flatMap(one => {
        const body = one.wanted ? withoutNumber(shownText(one.body ?? ''), number) : null;
        return body === null ? [] : [{ ...one, body }];
      });
      if (erased.length === 0) return 0;
      return run(db, eraseSql, [
        erased.map(one => one.accountId),
        erased.map(one => one.outboxId),
        erased.map(one => one.subjectId),
        erased.map(one => sealText(one.body)),
      ]);
    },
  );

type Body = { report?: { to: string; body: string }; inbound?: { number: string; text: string } };

/** null: it does not concern the number. */
function withoutNumber(json: string, number: number): string | null {
  const { report, inbound, ...rest } = parsed(json);
  if (report && isWritten(number, report.to))
    return JSON.stringify({ ...rest, report: { ...report, to: '***', body: '' } });
  if (inbound && isWritten(number, inbound.number))
    return JSON.stringify({ ...rest, inbound: { ...inbound, number: '***', text: '' } });
  return null;
}

function parsed(json: string): Body {
  try {
    return JSON.parse(json) as Body;
  } catch {
    return {};
  }
}
