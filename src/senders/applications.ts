// Applications for the subscription and for sender IDs, from submission to decision. A decision on a sender ID changes the
// sender in the same transaction. Refusals are returned as words; the API layer finds the sentence.
import { recordNotice } from '../accounts/notices.ts';
import { type Db, type Queryable, row, rows, run, sql, transaction } from '../db/db.ts';
import { attachDocuments, type DocumentLine, documentsOf } from './documents.ts';
import { decideSender, senderProblem } from './senders.ts';

type ApplicationKind = 'subscription' | 'sender';
type ApplicationState = 'applied' | 'approved' | 'rejected';
export type Application = {
  id: number;
  accountId: number;
  kind: ApplicationKind;
  senderName: string | null;
  state: ApplicationState;
  form: Record<string, string>;
  reason: string | null;
  applicant: string | null;
  createdAt: Date;
  decidedAt: Date | null;
  decidedBy: string | null;
  /** What staff still need, in their words. */
  askedNote: string | null;
  askedAt: Date | null;
  /** When the applicant last added something. */
  answeredAt: Date | null;
  documents: DocumentLine[];
};

export type ApplyProblem =
  | 'sender-form'
  | 'sender-generic'
  | 'sender-exists'
  | 'subscription-missing'
  | 'subscription-exists'
  | 'documents-missing';
type DecideProblem = 'not-found' | 'already-decided' | 'subscription-not-approved';
export type AddProblem = 'not-found' | 'already-decided' | 'documents-missing' | 'too-many-documents';

const senderLengthMin = 3;
const documentsMax = 20;
const listMax = 100;
// Words that identify nobody; the authority's rule, abbreviated.
const genericWords = new Set(
  'INFO BILGI SMS MESAJ MESSAGE KAMPANYA INDIRIM FIRSAT DUYURU REKLAM TEST DENEME BANKA BANK POLIS DEVLET BAKANLIK SERVIS SERVICE ALERT UYARI KARGO'.split(
    ' ',
  ),
);

const columns = `id, account_id as "accountId", kind, sender_name as "senderName", state, form, reason, applicant,
  created_at as "createdAt", decided_at as "decidedAt", decided_by as "decidedBy", asked_note as "askedNote", asked_at as "askedAt",
  answered_at as "answeredAt"`;
const insertSql = sql<{ id: number }>('application insert')`
  insert into applications (account_id, kind, sender_name, form, applicant) values ($1, $2, $3, $4, $5) returning id`;
const lockSql = sql<{ id: number }>('application lock account')`select id from accounts where id = $1 for update`;
const subscriptionSql = sql<{ state: ApplicationState }>('subscription state')`
  select state from applications where account_id = $1 and kind = 'subscription' order by id desc limit 1`;
const senderStateSql = sql<{ state: ApplicationState }>('sender state')`
  select state from senders where account_id = $1 and name = $2`;
const applySenderSql = sql<{ name: string }>('sender apply')`
  with stamped as (update accounts set stamp = stamp + 1 where id = $1)
  insert into senders (account_id, name, state) values ($1, $2, 'applied')
  on conflict (account_id, name) do update set state = 'applied', reason = null, decided_at = null, created_at = now()
  returning name`;

type Draft = { form: Record<string, string>; documents: number[]; applicant: string };

export async function subscriptionState(db: Queryable, accountId: number): Promise<ApplicationState | null> {
  return (await row(db, subscriptionSql, [accountId]))?.state ?? null;
}

export function applyForSubscription(db: Db, accountId: number, draft: Draft): Promise<number | ApplyProblem> {
  return apply(db, accountId, 'subscription', null, draft, async tx => {
    const state = await subscriptionState(tx, accountId);
    return state === 'applied' || state === 'approved' ? 'subscription-exists' : null;
  });
}

export function applyForSender(db: Db, accountId: number, name: string, draft: Draft): Promise<number | ApplyProblem> {
  return apply(db, accountId, 'sender', name, draft, async tx => {
    if (senderProblem(name) || name.length < senderLengthMin) return 'sender-form';
    if (genericWords.has(name.toUpperCase())) return 'sender-generic';
    const subscription = await subscriptionState(tx, accountId);
    if (subscription !== 'applied' && subscription !== 'approved') return 'subscription-missing';
    const known = await row(tx, senderStateSql, [accountId, name]);
    if (known && known.state !== 'rejected') return 'sender-exists';
    await row(tx, applySenderSql, [accountId, name]);
    return null;
  });
}

class Refused extends Error {
  readonly problem: ApplyProblem;
  constructor(problem: ApplyProblem) {
    super(problem);
    this.problem = problem;
  }
}

async function apply(
  db: Db,
  accountId: number,
  kind: ApplicationKind,
  senderName: string | null,
  { form, documents, applicant }: Draft,
  check: (tx: Queryable) => Promise<ApplyProblem | null>,
): Promise<number | ApplyProblem> {
  if (documents.length === 0 || documents.length > documentsMax) return 'documents-missing';
  try {
    return await transaction(db, async tx => {
      await row(tx, lockSql, [accountId]);
      const problem = await check(tx);
      if (problem) throw new Refused(problem);
      const made = await row(tx, insertSql, [accountId, kind, senderName, JSON.stringify(form), applicant]);
      if (!(await attachDocuments(tx, accountId, documents, made!.id))) throw new Refused('documents-missing');
      return made!.id;
    });
  } catch (error) {
    if (error instanceof Refused) return error.problem;
    throw error;
  }
}

const byIdSql = { name: 'application by id', text: `select ${columns} from applications where id = $1` };
const ofAccountSql = {
  name: 'applications of account',
  text: `select ${columns} from applications where account_id = $1 and ($2::text is null or kind = $2) order by id desc limit ${listMax}`,
};

export async function findApplication(db: Queryable, id: number): Promise<Application | undefined> {
  const found = await row<Omit<Application, 'documents'>>(db, byIdSql, [id]);
  return found && (await withDocuments(db, [found]))[0];
}

export async function applicationsOf(
  db: Queryable,
  accountId: number,
  kind: ApplicationKind | null = null,
): Promise<Application[]> {
  return withDocuments(db, await rows<Omit<Application, 'documents'>>(db, ofAccountSql, [accountId, kind]));
}

async function withDocuments(db: Queryable, found: Omit<Application, 'documents'>[]): Promise<Application[]> {
  const documents = await documentsOf(
    db,
    found.map(one => one.id),
  );
  return found.map(one => ({
    ...one,
    documents: documents
      .filter(document => document.applicationId === one.id)
      .map(({ applicationId: _, ...document }) => document),
  }));
}

const takeSql = sql<{ accountId: number; kind: ApplicationKind; senderName: string | null; state: ApplicationState }>(
  'application take',
)`select account_id as "accountId", kind, sender_name as "senderName", state from applications where id = $1 for update`;
const decideSql = sql<{ id: number }>('application decide')`
  update applications set state = $2, reason = $3, decided_by = $4, decided_at = now() where id = $1 returning id`;

/** null means done. A sender ID is not approved before the subscription. */
export function decideApplication(
  db: Db,
  id: number,
  state: 'approved' | 'rejected',
  reason: string | null,
  by: string,
): Promise<DecideProblem | null> {
  return transaction(db, async tx => {
    const found = await row(tx, takeSql, [id]);
    if (!found) return 'not-found';
    if (found.state !== 'applied') return 'already-decided';
    if (found.kind === 'sender') {
      const subscription = await subscriptionState(tx, found.accountId);
      if (state === 'approved' && subscription !== 'approved') return 'subscription-not-approved';
      await decideSender(tx, found.accountId, found.senderName!, state, reason);
    }
    await row(tx, decideSql, [id, state, reason, by]);
    await recordNotice(tx, found.accountId, `${found.kind}.${state}`, {
      applicationId: id,
      ...(found.senderName ? { name: found.senderName } : {}),
      ...(reason ? { reason } : {}),
    });
    return null;
  });
}

const countSql = sql<{ count: number }>('application documents count')`
  select count(*) as count from documents where application_id = $1`;
const answeredSql = sql('application answered')`
  update applications set answered_at = now() where id = $1 and asked_at is not null`;

/** Adds documents to a pending application; null means done. The lock keeps it from being decided meanwhile. */
export async function addDocuments(
  db: Db,
  accountId: number,
  id: number,
  documents: number[],
): Promise<AddProblem | null> {
  if (documents.length === 0) return 'documents-missing';
  return transaction(db, async tx => {
    const found = await row(tx, takeSql, [id]);
    if (found?.accountId !== accountId) return 'not-found';
    if (found.state !== 'applied') return 'already-decided';
    if ((await row(tx, countSql, [id]))!.count + documents.length > documentsMax) return 'too-many-documents';
    if (!(await attachDocuments(tx, accountId, documents, id))) return 'documents-missing';
    await run(tx, answeredSql, [id]);
    return null;
  });
}

const askSql = sql('application ask')`
  update applications set asked_note = $2, asked_by = $3, asked_at = now(), answered_at = null where id = $1`;

/** Staff ask for missing documents; the applicant reads the note. null means done. */
export function askForDocuments(db: Db, id: number, note: string, by: string): Promise<DecideProblem | null> {
  return transaction(db, async tx => {
    const found = await row(tx, takeSql, [id]);
    if (!found) return 'not-found';
    if (found.state !== 'applied') return 'already-decided';
    await run(tx, askSql, [id, note, by]);
    await recordNotice(tx, found.accountId, 'documents.asked', {
      applicationId: id,
      ...(found.senderName ? { name: found.senderName } : {}),
      reason: note,
    });
    return null;
  });
}
