// Identity checks of applications: started by the applicant, finished once by the service's verdict or by a note of staff.
import { randomBytes } from 'node:crypto';
import { type Db, type Queryable, row, rowsOf, run, sql, transaction } from '../db/db.ts';
import { sha256 } from '../sealing/digest.ts';
import type { IdentityCheck, IdentityMethod, Verdict } from './identity-check.ts';

type IdentityState = 'begun' | 'confirmed' | 'refused' | 'failed';
export type IdentityLine = {
  id: number;
  method: IdentityMethod;
  state: IdentityState;
  by: string;
  begunAt: Date;
  finishedAt: Date | null;
  detail: string;
};
type IdentityProblem = 'not-found' | 'already-decided' | 'identity-manual' | 'too-many-checks';

const lifeMinutes = 30;
const perApplicationMax = 20;

const takeSql = sql<{ accountId: number; kind: string; state: string }>('identity application')`
  select account_id as "accountId", kind, state from applications where id = $1 for update`;
const countSql = sql<{ count: number }>('identity count')`
  select count(*) as count from identity_checks where application_id = $1 and method <> 'manual'`;
const beginSql = sql('identity begin')`
  insert into identity_checks (application_id, account_id, method, state_digest, nonce, begun_by, expires_at)
  values ($1, $2, $3, $4, $5, $6, now() + make_interval(mins => $7))`;

type Applicant = { accountId: number; applicationId: number; by: string };

/** The next address for the applicant's browser. */
export function beginIdentity(
  db: Db,
  check: IdentityCheck,
  { accountId, applicationId, by }: Applicant,
  returnTo: string,
): Promise<{ url: string } | IdentityProblem> {
  return transaction(db, async tx => {
    const found = await row(tx, takeSql, [applicationId]);
    if (found?.accountId !== accountId || found.kind !== 'subscription') return 'not-found';
    if (found.state !== 'applied') return 'already-decided';
    const [state, nonce] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')];
    const url = check.begin({ state, nonce, returnTo });
    if (url === null) return 'identity-manual';
    if ((await row(tx, countSql, [applicationId]))!.count >= perApplicationMax) return 'too-many-checks';
    await run(tx, beginSql, [applicationId, accountId, check.method, sha256(state), nonce, by, lifeMinutes]);
    return { url };
  });
}

// Marked as used before the service is asked: a state used twice, or by two processes at once, counts once.
const useSql = sql<{ id: number; applicationId: number; nonce: string }>('identity use')`
  update identity_checks set used_at = now()
  where state_digest = $1 and account_id = $2 and begun_by = $3 and used_at is null and expires_at > now()
  returning id, application_id as "applicationId", nonce`;
const finishSql = sql('identity finish')`
  update identity_checks set state = $2, detail = $3, finished_at = now() where id = $1 and state = 'begun'`;

type Return = { accountId: number; by: string; state: string; token: string };

/** The application of the check; null if the state is unknown, used, expired, another applicant's, or got no verdict. */
export async function finishIdentity(db: Db, check: IdentityCheck, given: Return): Promise<number | null> {
  const begun = await row(db, useSql, [sha256(given.state), given.accountId, given.by]);
  if (!begun) return null;
  const verdict = await check.finish(given.token).catch(async error => {
    await run(db, finishSql, [begun.id, 'failed', '']);
    throw error;
  });
  const state = outcomeOf(verdict, begun.nonce);
  await run(db, finishSql, [begun.id, state, state === 'failed' ? '' : verdict!.name]);
  return state === 'failed' ? null : begun.applicationId;
}

function outcomeOf(verdict: Verdict | null, nonce: string): IdentityState {
  if (!verdict || verdict.nonce !== nonce) return 'failed';
  return verdict.confirmed ? 'confirmed' : 'refused';
}

const noteSql = sql('identity note')`
  insert into identity_checks (application_id, account_id, method, state, begun_by, finished_at, detail)
  select id, account_id, 'manual', $2, $3, now(), $4 from applications
  where id = $1 and kind = 'subscription' and state = 'applied'`;

/** The result of a manual check; false if no such subscription is pending. */
export async function noteIdentity(
  db: Queryable,
  applicationId: number,
  outcome: { confirmed: boolean; by: string; note: string },
): Promise<boolean> {
  const { confirmed, by, note } = outcome;
  return (await run(db, noteSql, [applicationId, confirmed ? 'confirmed' : 'refused', by, note])) === 1;
}

export const identityChecksOf = rowsOf<IdentityLine, [applicationId: number]>('identity list')`
  select id, method, state, begun_by as by, begun_at as "begunAt", finished_at as "finishedAt", detail
  from identity_checks where application_id = $1 order by id desc limit 20`;
