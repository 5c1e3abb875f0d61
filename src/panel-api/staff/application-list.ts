// Applications of all accounts, for staff: the oldest pending first, decided ones newest first.
import { type Queryable, row, rowsOf, sql } from '../../db/db.ts';
import { Conditions } from '../queries/conditions.ts';

type ApplicationRow = {
  id: number;
  accountId: number;
  accountName: string;
  kind: 'subscription' | 'sender';
  state: 'applied' | 'approved' | 'rejected';
  senderName: string | null;
  createdAt: Date;
  micros: number;
  documents: number;
};
type ApplicationsAsked = { state?: string; kind?: string; after: { micros: number; id: number } | null };

// By time, because ids begin with the number of the cell.
const micros = '(extract(epoch from p.created_at) * 1000000)::bigint';

export async function applicationRows(
  db: Queryable,
  asked: ApplicationsAsked,
  most: number,
): Promise<ApplicationRow[]> {
  const isQueue = asked.state === 'applied';
  const filter = new Conditions().add('p.state = ?', asked.state).add('p.kind = ?', asked.kind);
  const { after } = asked;
  if (after)
    filter.plain(`(${micros}, p.id) ${isQueue ? '>' : '<'} (${filter.place(after.micros)}, ${filter.place(after.id)})`);
  const order = isQueue ? 'asc' : 'desc';
  const found = await db.query(
    `select p.id, p.account_id as "accountId", a.name as "accountName", p.kind, p.state, p.sender_name as "senderName",
       p.created_at as "createdAt", ${micros} as micros, (select count(*) from documents d where d.application_id = p.id) as documents
     from applications p join accounts a on a.id = p.account_id ${filter.where}
     order by p.created_at ${order}, p.id ${order} limit ${filter.place(most)}`,
    filter.values,
  );
  return found.rows as ApplicationRow[];
}

const waitingSql = sql<{ count: number }>('panel applications waiting')`
  select count(*) as count from applications p where state = 'applied'`;

export async function waitingApplications(db: Queryable): Promise<number> {
  return (await row(db, waitingSql))!.count;
}

/** Approved sender IDs of other accounts that look similar. */
export const similarSenders = rowsOf<
  { accountId: number; accountName: string; name: string },
  [accountId: number, name: string]
>('panel similar senders')`
  select s.account_id as "accountId", a.name as "accountName", s.name from senders s join accounts a on a.id = s.account_id
  where s.state = 'approved' and s.account_id <> $1
    and (replace(fold_turkish(s.name), ' ', '') = replace(fold_turkish($2), ' ', '')
      or (length($2) >= 4 and (position(fold_turkish($2) in fold_turkish(s.name)) > 0
        or (length(s.name) >= 4 and position(fold_turkish(s.name) in fold_turkish($2)) > 0))))
  order by s.name limit 20`;
