// The facts behind the seven steps of the specification's onboarding sequence.
import { type Queryable, row, sql } from '../../db/db.ts';

export type OnboardingFacts = {
  createdAt: Date;
  apiEnabled: boolean;
  subscription: string | null;
  subscriptionAt: Date | null;
  senderApproved: Date | null;
  senderApplied: Date | null;
  keyIssued: Date | null;
  firstCall: Date | null;
  firstDelivered: Date | null;
  firstOrder: Date | null;
};

const factsSql = sql<OnboardingFacts>('panel onboarding')`
  select a.created_at as "createdAt", a.api_enabled as "apiEnabled", s.state as subscription,
    coalesce(s.decided_at, s.created_at) as "subscriptionAt",
    (select min(n.decided_at) from senders n where n.account_id = a.id and n.state = 'approved') as "senderApproved",
    (select min(n.created_at) from senders n where n.account_id = a.id and n.state = 'applied') as "senderApplied",
    (select max(e.at) from audit_entries e where e.account_id = a.id and e.action in ('credentials.rotate', 'credentials.create')) as "keyIssued",
    (select min(u.last_at) from api_usage u where u.account_id = a.id) as "firstCall",
    (select o.finished_at from orders o where o.account_id = a.id and o.delivered > 0 order by o.submit_at limit 1) as "firstDelivered",
    (select o.submit_at from orders o where o.account_id = a.id order by o.submit_at limit 1) as "firstOrder"
  from accounts a
  left join lateral (select p.state, p.created_at, p.decided_at from applications p
    where p.account_id = a.id and p.kind = 'subscription' order by p.id desc limit 1) s on true
  where a.id = $1`;

export async function onboardingFacts(db: Queryable, accountId: number): Promise<OnboardingFacts> {
  return (await row(db, factsSql, [accountId]))!;
}
