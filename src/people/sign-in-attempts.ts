// Limits on guessed passwords: a strict one for a user from one address, a loose one for an address. While a user is
// attacked from many addresses, each further address has one attempt and a pause instead of five; attempts from one
// address never affect another one. A user who has signed in from an address before has the first limit only, so
// failures of others behind the same proxy lock nobody out.
import { networkOf } from '../accounts/address.ts';
import { type Queryable, row, run, sql } from '../db/db.ts';
import { now } from '../time/clock.ts';
import { countAttempt, forget, type Limit, takeBack } from './attempts.ts';
import { Denial } from './denial.ts';

const quarterMs = 15 * 60_000;
const minuteMs = 60_000;
const placeLifeMs = 90 * 24 * 3_600_000;

type SignInAttempt = { pair: Limit; others: Limit[]; address: string };

const placeSql = sql<{ one: number }>('sign-in place find')`
  select 1 as one from sign_in_places p join users u on u.id = p.user_id
  where u.email = $1 and p.address in ($2, $3) and p.last_at > $4`;

/** Counted before the password is checked; refuses if there were too many. */
export async function beginSignIn(
  db: Queryable,
  email: string,
  address: string,
  field = 'password',
): Promise<SignInAttempt> {
  const network = networkOf(address);
  const pair = { name: `pair ${email} ${network}`, most: 5, pauseMaxMs: quarterMs };
  const ofEmail = { name: `email ${email}`, most: 50, pauseMaxMs: minuteMs };
  const isKnown = await isKnownPlace(db, email, address);
  const others = isKnown ? [] : [{ name: `address ${network}`, most: 1_000, pauseMaxMs: minuteMs }];
  const isGuessed = !isKnown && (await countAttempt(db, [ofEmail])) > 0;
  if (isGuessed) pair.most = 1;
  const pauseMs = await countAttempt(db, [pair, ...others]);
  if (pauseMs > 0) throw new Denial('slow-down', field, pauseMs);
  return { pair, others: isKnown || isGuessed ? others : [...others, ofEmail], address };
}

/** Whether the person has signed in from there lately; for IPv6 from its /64, because browsers change the rest every day. */
export async function isKnownPlace(db: Queryable, email: string, address: string): Promise<boolean> {
  const since = new Date(now().getTime() - placeLifeMs);
  // Release 0.3.0 stored complete IPv6 addresses.
  return (await row(db, placeSql, [email, networkOf(address), address, since])) !== undefined;
}

/** The password was correct and the second factor is pending: neither a failure nor a success. */
export function suspendSignIn(db: Queryable, { pair, others }: SignInAttempt): Promise<void> {
  return takeBack(db, [pair, ...others]);
}

const keepPlaceSql = sql('sign-in place keep')`
  insert into sign_in_places (user_id, address, last_at) values ($1, $2, $3)
  on conflict (user_id, address) do update set last_at = $3`;
const oldPlacesSql = sql('sign-in places old')`delete from sign_in_places where user_id = $1 and last_at < $2`;

/**
 * A success clears this user's failures at this address. Of the other limits only this attempt is taken back, or one
 * valid account could cover many guesses.
 */
export async function forgiveSignIn(db: Queryable, attempt: SignInAttempt, userId: number): Promise<void> {
  const time = now();
  await forget(db, attempt.pair);
  await takeBack(db, attempt.others);
  await run(db, keepPlaceSql, [userId, networkOf(attempt.address), time]);
  await run(db, oldPlacesSql, [userId, new Date(time.getTime() - placeLifeMs)]);
}

/**
 * Addresses where the person signed in before have a limit of their own: somebody who knows only the password and
 * guesses the code elsewhere cannot use it up.
 */
async function codeLimit(db: Queryable, email: string, address: string): Promise<Limit> {
  const place = (await isKnownPlace(db, email, address)) ? ` ${networkOf(address)}` : '';
  return { name: `code ${email}${place}`, most: 10, pauseMaxMs: quarterMs };
}

/** After a new password: somebody who guessed the factor with the old one cannot continue. */
export function forgetSecondFactors(db: Queryable, email: string): Promise<void> {
  return forget(db, { name: `code ${email}` });
}

/** Second factors from all addresses: only somebody with the password gets here, so strangers cannot use up the limit. */
export async function beginSecondFactor(db: Queryable, email: string, address: string): Promise<Limit> {
  const limit = await codeLimit(db, email, address);
  const pauseMs = await countAttempt(db, [limit]);
  if (pauseMs > 0) throw new Denial('slow-down', 'code', pauseMs);
  return limit;
}
