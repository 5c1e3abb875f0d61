// Sessions of the panel: a random token in the browser's cookie, of which the database has only the digest. A session
// ends after 12 idle hours, and after 30 days in any case. It is read for each request, so a revoked session ends
// everywhere at once.
import { createHash, randomBytes } from 'node:crypto';
import { type Queryable, row, rows, run, runOf, sql } from '../db/db.ts';
import { now } from '../time/clock.ts';
import type { MemberRole } from './memberships.ts';

const silenceMaxMs = 12 * 3_600_000;
const lifeMaxMs = 30 * 24 * 3_600_000;
// Last-seen times are rounded to the minute: a poll every two seconds must not write every two seconds.
const seenStepMs = 60_000;
const sessionsPerUserMax = 50;
const agentLengthMax = 200;

/** `asker`: identifies a browser that requested a code; '' without one. */
export type Visitor = { address: string; agent: string; asker?: string };

export type Session = {
  id: number;
  userId: number;
  email: string;
  name: string;
  language: 'tr' | 'en';
  staff: boolean;
  hasTotp: boolean;
  /** The person is staff without the required second factor, and has no staff rights until it is set up. */
  lacksSecondFactor: boolean;
  /** null if no account is chosen, or the user no longer belongs to it. */
  account: {
    id: number;
    name: string;
    status: 'active' | 'suspended';
    role: MemberRole;
    panelIps: string[];
  } | null;
  /** Set while staff view the account as its people see it; `account` is then that one. */
  viewing: { revealed: boolean; until: Date } | null;
};

const insertSql = sql<{ id: number }>('session insert')`
  insert into sessions (token_digest, user_id, account_id, address, agent, created_at, seen_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $6, $7) returning id`;
const surplusSql = sql('session surplus')`
  delete from sessions where user_id = $1 and (expires_at < $2 or seen_at < $3 or id not in (
    select id from sessions where user_id = $1 order by seen_at desc, id desc limit $4))`;

export async function openSession(
  db: Queryable,
  userId: number,
  accountId: number | null,
  visitor: Visitor,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const time = now();
  const ends = new Date(time.getTime() + lifeMaxMs);
  const agent = visitor.agent.replace(/[^\x20-\x7e]/g, '?').slice(0, agentLengthMax);
  await run(db, surplusSql, [userId, time, new Date(time.getTime() - silenceMaxMs), sessionsPerUserMax - 1]);
  await row(db, insertSql, [digest(token), userId, accountId, visitor.address, agent, time, ends]);
  return token;
}

/** Removes staff rights where staff need a second factor and have none. */
export function withSecondFactor(session: Session): Session {
  if (!session.staff || session.hasTotp) return session;
  const account = session.viewing ? null : session.account;
  return { ...session, staff: false, lacksSecondFactor: true, account, viewing: null };
}

type Found = Omit<Session, 'account' | 'viewing' | 'lacksSecondFactor'> & {
  seenAt: Date;
  accountId: number | null;
  accountName: string;
  status: 'active' | 'suspended';
  role: MemberRole;
  panelIps: string[];
  viewedId: number | null;
  viewedName: string;
  viewedStatus: 'active' | 'suspended';
  revealed: boolean;
  until: Date;
};

const findSql = sql<Found>('session find')`
  select s.id, s.seen_at as "seenAt", u.id as "userId", u.email, u.name, u.language, u.staff,
    u.totp_secret is not null as "hasTotp", a.id as "accountId", a.name as "accountName", replace(a.status, 'moving', 'active') as status, m.role,
    a.panel_ips as "panelIps", v.id as "viewedId", v.name as "viewedName", v.status as "viewedStatus",
    s.viewing_revealed as revealed, s.viewing_until as until
  from sessions s join users u on u.id = s.user_id
  left join accounts v on v.id = s.viewing_account_id and u.staff and s.viewing_until > $2
  left join memberships m on m.account_id = s.account_id and m.user_id = s.user_id
  left join accounts a on a.id = m.account_id
  where s.token_digest = $1 and s.expires_at > $2 and s.seen_at > $3`;
const seenSql = sql('session seen')`update sessions set seen_at = $2, address = $3 where id = $1`;

export async function findSession(db: Queryable, token: string, address: string): Promise<Session | null> {
  if (!/^[\w-]{43}$/.test(token)) return null;
  const time = now();
  const found = await row(db, findSql, [digest(token), time, new Date(time.getTime() - silenceMaxMs)]);
  if (!found) return null;
  if (time.getTime() - found.seenAt.getTime() > seenStepMs) await run(db, seenSql, [found.id, time, address]);
  const { id, userId, email, name, language, staff, hasTotp } = found;
  return { id, userId, email, name, language, staff, hasTotp, lacksSecondFactor: false, ...lookedAt(found) };
}

/** Staff who view an account read what its owners read, from any address. The caller ensures that nothing is changed. */
function lookedAt(found: Found): Pick<Session, 'account' | 'viewing'> {
  const { viewedId, viewedName, viewedStatus, revealed, until } = found;
  if (viewedId !== null) {
    const account = { id: viewedId, name: viewedName, status: viewedStatus, role: 'owner' as const, panelIps: [] };
    return { account, viewing: { revealed, until } };
  }
  const { accountId, accountName, status, role, panelIps } = found;
  const account = accountId === null ? null : { id: accountId, name: accountName, status, role, panelIps };
  return { account, viewing: null };
}

const chooseSql = sql('session choose account')`
  update sessions set account_id = $2 where id = $1
    and exists (select 1 from memberships m where m.account_id = $2 and m.user_id = sessions.user_id)`;

/** Returns false if the user does not belong to that account. */
export async function chooseAccount(db: Queryable, sessionId: number, accountId: number): Promise<boolean> {
  return (await run(db, chooseSql, [sessionId, accountId])) > 0;
}

const closeTokenSql = sql('session close token')`delete from sessions where token_digest = $1`;
const closeOneSql = sql('session close')`delete from sessions where user_id = $1 and id = $2`;
/** Closes all sessions but the given one (0 = all); returns how many. */
export const closeOtherSessions = runOf<[userId: number, keep: number]>('session close others')`
  delete from sessions where user_id = $1 and id <> $2`;

export async function closeSessionOf(db: Queryable, token: string): Promise<void> {
  await run(db, closeTokenSql, [digest(token)]);
}

export async function closeSession(db: Queryable, userId: number, id: number): Promise<boolean> {
  return (await run(db, closeOneSql, [userId, id])) > 0;
}

type SessionLine = { id: number; address: string; agent: string; createdAt: Date; seenAt: Date };
const listSql = sql<SessionLine>('session list')`
  select id, address, agent, created_at as "createdAt", seen_at as "seenAt" from sessions
  where user_id = $1 and expires_at > $2 and seen_at > $3 order by seen_at desc, id desc limit $4`;

export function listSessions(db: Queryable, userId: number): Promise<SessionLine[]> {
  const time = now();
  return rows(db, listSql, [userId, time, new Date(time.getTime() - silenceMaxMs), sessionsPerUserMax]);
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
