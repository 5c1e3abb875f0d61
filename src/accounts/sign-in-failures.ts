// Guessing passwords is slowed three ways, in the database so that it counts for all processes: for one user from one
// address soon and hard, for one address later, for one user from everywhere only a little (at most a minute), so that
// nobody can lock a person out by failing on purpose.
import { now } from '../clock.ts';
import { type Queryable, rows, run, sql } from '../db/db.ts';

type Rule = { kind: 'pair' | 'address' | 'email'; free: number; pauseMaxMs: number };
const rules: Rule[] = [
  { kind: 'pair', free: 5, pauseMaxMs: 15 * 60_000 },
  { kind: 'address', free: 30, pauseMaxMs: 15 * 60_000 },
  { kind: 'email', free: 50, pauseMaxMs: 60_000 },
];
const firstPauseMs = 1_000;
const forgetMs = 3_600_000;
const sweptMax = 1_000;

const findSql = sql<{ name: string; failures: number; lastAt: Date }>('sign-in failures find')`
  select name, failures, last_at as "lastAt" from sign_in_failures where name = any ($1) and last_at > $2`;
const countSql = sql('sign-in failures count')`
  insert into sign_in_failures as f (name, failures, first_at, last_at)
  select name, 1, $2, $2 from unnest($1::text[]) name order by name
  on conflict (name) do update set last_at = excluded.last_at,
    failures = case when f.last_at > $3 then f.failures + 1 else 1 end,
    first_at = case when f.last_at > $3 then f.first_at else excluded.first_at end`;
const forgetSql = sql('sign-in failures forget')`delete from sign_in_failures where name = $1`;
const sweepSql = sql('sign-in failures sweep')`
  delete from sign_in_failures where name in (
    select name from sign_in_failures where last_at < $1 order by last_at limit $2)`;

/** How long this one must still wait before a password is looked at; 0 = not at all. */
export async function signInPauseMs(db: Queryable, email: string, address: string): Promise<number> {
  const time = now().getTime();
  const names = rules.map(rule => nameOf(rule, email, address));
  const found = await rows(db, findSql, [names, new Date(time - forgetMs)]);
  let pauseMs = 0;
  for (const rule of rules) {
    const known = found.find(one => one.name === nameOf(rule, email, address));
    if (!known || known.failures < rule.free) continue;
    const wanted = Math.min(rule.pauseMaxMs, firstPauseMs * 2 ** Math.min(20, known.failures - rule.free));
    pauseMs = Math.max(pauseMs, known.lastAt.getTime() + wanted - time);
  }
  return pauseMs;
}

export async function countSignInFailure(db: Queryable, email: string, address: string): Promise<void> {
  const time = now();
  const before = new Date(time.getTime() - forgetMs);
  await run(db, countSql, [rules.map(rule => nameOf(rule, email, address)), time, before]);
  await run(db, sweepSql, [before, sweptMax]);
}

/** Success forgives this user at this address; the other two counts stay, or one good account would cover many guesses. */
export async function forgiveSignIn(db: Queryable, email: string, address: string): Promise<void> {
  await run(db, forgetSql, [nameOf(rules[0]!, email, address)]);
}

function nameOf(rule: Rule, email: string, address: string): string {
  const subject = { pair: `${email} ${address}`, address, email }[rule.kind];
  return `${rule.kind} ${subject}`.slice(0, 300);
}
