// Invitations to an account: a token that the owner passes on, valid for seven days and once. A new person chooses a
// password; a known person must sign in.
import { createHash, randomBytes } from 'node:crypto';
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { type Db, lockBoundedLists, type Queryable, row, rows, run, sql, transaction } from '../db/db.ts';
import type { SecretKey } from '../sealing/secrets.ts';
import { now } from '../time/clock.ts';
import { Denial } from './denial.ts';
import { addMember, listMembers, type MemberRole } from './memberships.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';
import { openSession, type Visitor } from './sessions.ts';
import { requireUser } from './sign-in.ts';
import { createUser, findUserByEmail, readEmail, readMobile, readPersonName } from './users.ts';

const lifeMs = 7 * 24 * 3_600_000;
const openMax = 100;

type Invite = { id: number; email: string; role: MemberRole; createdAt: Date; expiresAt: Date };

const insertSql = sql<Invite>('invite insert')`
  insert into invites (account_id, email, role, token_digest, created_by, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7)
  returning id, email, role, created_at as "createdAt", expires_at as "expiresAt"`;
const listSql = sql<Invite>('invite list')`
  select id, email, role, created_at as "createdAt", expires_at as "expiresAt" from invites
  where account_id = $1 and used_at is null and expires_at > $2 order by id desc limit 100`;

export function invite(
  db: Db,
  accountId: number,
  given: { email: string; role: MemberRole },
  by: string,
): Promise<Invite & { token: string }> {
  const email = readEmail(given.email);
  return transaction(db, async tx => {
    await lockBoundedLists(tx, accountId);
    return inviteIn(tx, accountId, { email, role: given.role }, by);
  });
}

async function inviteIn(
  db: Queryable,
  accountId: number,
  { email, role }: { email: string; role: MemberRole },
  by: string,
): Promise<Invite & { token: string }> {
  if ((await listMembers(db, accountId)).some(one => one.email === email)) throw new Denial('already-member', 'email');
  if ((await listInvites(db, accountId)).length >= openMax) throw new Denial('too-many-users', 'email');
  const token = randomBytes(24).toString('base64url');
  const time = now();
  const ends = new Date(time.getTime() + lifeMs);
  const made = await row(db, insertSql, [accountId, email, role, digest(token), by, time, ends]);
  return { ...made!, token };
}

export function listInvites(db: Queryable, accountId: number): Promise<Invite[]> {
  return rows(db, listSql, [accountId, now()]);
}

const revokeSql = sql<{ email: string }>('invite revoke')`
  delete from invites where account_id = $1 and id = $2 and used_at is null returning email`;

/** Returns the address that was invited. */
export async function revokeInvite(db: Queryable, accountId: number, id: number): Promise<string> {
  const revoked = await row(db, revokeSql, [accountId, id]);
  if (!revoked) throw new Denial('not-found', 'id');
  return revoked.email;
}

type OpenInvite = { id: number; accountId: number; accountName: string; email: string; role: MemberRole };
const findSql = sql<OpenInvite>('invite find')`
  select i.id, i.account_id as "accountId", a.name as "accountName", i.email, i.role
  from invites i join accounts a on a.id = i.account_id
  where i.token_digest = $1 and i.used_at is null and i.expires_at > $2`;
const useSql = sql('invite use')`update invites set used_at = now() where id = $1 and used_at is null`;

export async function findInvite(db: Queryable, token: string): Promise<OpenInvite & { isKnownUser: boolean }> {
  const found = await row(db, findSql, [digest(token), now()]);
  if (!found) throw new Denial('invite-gone', 'token');
  return { ...found, isKnownUser: (await findUserByEmail(db, found.email)) !== undefined };
}

type AcceptInvite = { token: string; password: string; name: string; mobile: string; code?: string };

export async function acceptInvite(
  db: Db,
  key: SecretKey,
  given: AcceptInvite,
  visitor: Visitor,
): Promise<{ token: string; userId: number; accountId: number }> {
  const offer = await findInvite(db, given.token);
  const known = offer.isKnownUser
    ? (await requireUser(db, key, { ...given, email: offer.email }, visitor.address)).id
    : null;
  const fresh = known === null ? await newPerson(given, offer.email) : null;
  return transaction(db, async tx => {
    if ((await run(tx, useSql, [offer.id])) === 0) throw new Denial('invite-gone', 'token');
    const userId = known ?? (await createUser(tx, fresh!));
    await addMember(tx, offer.accountId, userId, offer.role);
    const detail = { role: offer.role };
    const entry = { accountId: offer.accountId, actor: offer.email, address: visitor.address };
    await recordAuditEntry(tx, { ...entry, action: 'user.join', detail });
    const token = await openSession(tx, userId, offer.accountId, visitor);
    return { token, userId, accountId: offer.accountId };
  });
}

async function newPerson(given: AcceptInvite, email: string) {
  requireGoodPassword(given.password, email);
  const name = readPersonName(given.name);
  const mobile = readMobile(given.mobile);
  return { email, name, mobile, language: 'tr' as const, passwordHash: await hashPassword(given.password) };
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
