// Who may do what in which account. An account keeps at least one owner.
import { type Db, lockBoundedLists, row, rows, rowsOf, run, runOf, sql, type Tx, transaction } from '../db/db.ts';
import { Denial } from './denial.ts';

export type MemberRole = 'owner' | 'sender' | 'viewer';
export type Membership = { accountId: number; accountName: string; role: MemberRole; panelIps: string[] };

const membersMax = 100;

export const membershipsOf = rowsOf<Membership, [userId: number]>('memberships of user')`
  select m.account_id as "accountId", a.name as "accountName", m.role, a.panel_ips as "panelIps"
  from memberships m join accounts a on a.id = m.account_id where m.user_id = $1 order by m.created_at, m.account_id`;

export type MemberLine = {
  userId: number;
  email: string;
  name: string;
  role: MemberRole;
  hasTotp: boolean;
  addedAt: Date;
  lastSeenAt: Date | null;
};

export const listMembers = rowsOf<MemberLine, [accountId: number]>('members of account')`
  select u.id as "userId", u.email, u.name, m.role, u.totp_secret is not null as "hasTotp", m.created_at as "addedAt",
    (select max(s.seen_at) from sessions s where s.user_id = u.id) as "lastSeenAt"
  from memberships m join users u on u.id = m.user_id where m.account_id = $1 order by m.created_at, u.id`;

const addSql = sql<{ added: boolean }>('membership add')`
  insert into memberships (account_id, user_id, role)
  select $1, $2, $3 where (select count(*) from memberships where account_id = $1) < $4
  on conflict (account_id, user_id) do nothing returning true as added`;
const isMemberSql = sql<{ one: number }>('membership find')`
  select 1 as one from memberships where account_id = $1 and user_id = $2`;

export async function addMember(tx: Tx, accountId: number, userId: number, role: MemberRole): Promise<void> {
  await lockBoundedLists(tx, accountId);
  if (await row(tx, addSql, [accountId, userId, role, membersMax])) return;
  throw new Denial((await row(tx, isMemberSql, [accountId, userId])) ? 'already-member' : 'too-many-users', 'email');
}

const lockSql = sql<{ userId: number; role: MemberRole }>('memberships lock')`
  select user_id as "userId", role from memberships where account_id = $1 order by user_id for update`;
const roleSql = sql('membership role')`update memberships set role = $3 where account_id = $1 and user_id = $2`;
const removeSql = sql('membership remove')`delete from memberships where account_id = $1 and user_id = $2`;
const leaveSql = sql('membership leave sessions')`
  update sessions set account_id = null where account_id = $1 and user_id = $2`;

/** `role` null removes the user from the account. */
export function changeMember(db: Db, accountId: number, userId: number, role: MemberRole | null): Promise<void> {
  return transaction(db, async tx => {
    const members = await rows(tx, lockSql, [accountId]);
    if (!members.some(one => one.userId === userId)) throw new Denial('not-found', 'userId');
    const ownersLeft = members.filter(one => one.role === 'owner' && one.userId !== userId).length;
    if (ownersLeft === 0 && role !== 'owner') throw new Denial('last-owner', 'role');
    if (role) await run(tx, roleSql, [accountId, userId, role]);
    else {
      await run(tx, removeSql, [accountId, userId]);
      await run(tx, leaveSql, [accountId, userId]);
    }
  });
}

/** The member has seen the notices up to this one. */
export const noticesSeen = runOf<[accountId: number, userId: number, upTo: number]>('notices seen')`
  update memberships m set notices_seen = $3 where account_id = $1 and user_id = $2 and notices_seen < $3
    and exists (select 1 from account_notices n where n.id = $3 and n.account_id = $1)`;
