// Passwords: argon2id, a few at a time, so that a flood of sign-ins cannot use every core and all memory (19 MB each). Networks
// are served in turns, so that a network that guesses delays only itself.
import { hash, verify } from '@node-rs/argon2';
import { networkOf } from '../accounts/address.ts';
import { Denial } from './denial.ts';

const atOnceMax = 3;
const waitingMax = { ofNetwork: 20, all: 200 };
const lengthMin = 10;
const lengthMax = 200;

let running = 0;
type Waiter = { begin(): void; refuse(denial: Denial): void };
/** By network; the first one is served next. */
const waiters = new Map<string, Waiter[]>();
let waiting = 0;

/** For people whose identity is proved. */
export async function hashPassword(password: string): Promise<string> {
  return inTurn('', () => hash(password));
}

let hashOfNobody: Promise<string> | undefined;

/** An unknown user takes the same time: the password is compared with a dummy. */
export async function passwordMatches(stored: string | undefined, password: string, address: string): Promise<boolean> {
  const given = password.slice(0, lengthMax);
  const network = networkOf(address);
  if (stored !== undefined) return inTurn(network, () => verify(stored, given));
  hashOfNobody ??= hash('nobody has this password');
  const nobody = await hashOfNobody;
  await inTurn(network, () => verify(nobody, given));
  return false;
}

/** Requires length instead of special characters; refuses one repeated letter and the e-mail address itself. */
export function requireGoodPassword(password: string, email: string): void {
  const isPoor =
    password.length < lengthMin ||
    password.length > lengthMax ||
    new Set(password).size < 4 ||
    password.toLowerCase() === email ||
    password.toLowerCase() === email.split('@')[0];
  if (isPoor) throw new Denial('weak-password', 'password');
}

async function inTurn<T>(network: string, work: () => Promise<T>): Promise<T> {
  if (running >= atOnceMax) await new Promise<void>((begin, refuse) => enqueue(network, { begin, refuse }));
  else running++;
  try {
    return await work();
  } finally {
    // The slot passes to the next in the queue instead of being released, so `running` never exceeds its limit.
    const next = nextWaiter();
    if (next) next.begin();
    else running--;
  }
}

function enqueue(network: string, waiter: Waiter): void {
  const denial = new Denial('slow-down', undefined, 2_000);
  if ((waiters.get(network)?.length ?? 0) >= waitingMax.ofNetwork) return waiter.refuse(denial);
  if (waiting >= waitingMax.all) takeFrom(largestNetwork(), mine => mine.pop()!).refuse(denial);
  waiters.set(network, [...(waiters.get(network) ?? []), waiter]);
  waiting++;
}

function nextWaiter(): Waiter | undefined {
  const [next] = waiters.keys();
  return next === undefined ? undefined : takeFrom(next, mine => mine.shift()!);
}

/** Takes a waiter of this network and moves the network to the end. */
function takeFrom(network: string, take: (mine: Waiter[]) => Waiter): Waiter {
  const mine = waiters.get(network)!;
  const taken = take(mine);
  waiters.delete(network);
  if (mine.length > 0) waiters.set(network, mine);
  waiting--;
  return taken;
}

function largestNetwork(): string {
  return [...waiters].reduce((most, one) => (one[1].length > most[1].length ? one : most))[0];
}
