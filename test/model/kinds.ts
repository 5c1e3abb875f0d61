// Every kind of step there is.
import fc from 'fast-check';
import type { Kind, Step } from './kind.ts';
import { balance, change, decide, grant, senders, stranger } from './steps/account.ts';
import { close, dispatch, fire, pass, receipt } from './steps/carrier.ts';
import { register, show, subscribe } from './steps/consent.ts';
import { addBlacklist, deleteBlacklist, getBlacklist, getInbox, write } from './steps/lists.ts';
import { bulk, burst } from './steps/many.ts';
import { cancel, report, reports, reschedule } from './steps/orders.ts';
import { send } from './steps/send.ts';

export const kinds: Record<string, Kind> = {
  send,
  cancel,
  report,
  reports,
  reschedule,
  balance,
  senders,
  stranger,
  grant,
  decide,
  change,
  addBlacklist,
  deleteBlacklist,
  getBlacklist,
  write,
  getInbox,
  register,
  show,
  subscribe,
  pass,
  fire,
  dispatch,
  receipt,
  close,
  burst,
  bulk,
};

function stepsOf(chosen: [string, Kind][]): fc.Arbitrary<Step>[] {
  return chosen.flatMap(([name, { given, weight }]) =>
    Array.from({ length: weight }, () => given.map((one): Step => ({ kind: name, given: one }))),
  );
}

/** A step of any kind: as often in the list as it is to be chosen, because commands are chosen evenly. */
export const anySteps = stepsOf(Object.entries(kinds));

const atomic = fc.oneof(...stepsOf(Object.entries(kinds).filter(([, one]) => one.isAtomic)));

/** Steps to be done at the same time; half of them with a twin, since what is done twice collides most. */
export const stepsAtOnce: fc.Arbitrary<Step[]> = fc.oneof(
  fc.array(atomic, { minLength: 2, maxLength: 4 }),
  fc.tuple(atomic, fc.array(atomic, { maxLength: 2 })).map(([one, others]) => [one, one, ...others]),
);

const approve: Step = { kind: 'decide', given: { who: 0, name: 'PEYK', state: 'approved' } };
const subscribed: Step = { kind: 'subscribe', given: { who: 0, quota: null } };
const subscribedToo: Step = { kind: 'subscribe', given: { who: 1, quota: 6 } };
const consents: Step = {
  kind: 'register',
  given: {
    who: 0,
    brand: 'own',
    asText: false,
    list: ['5550000001', '5550000002', '5550009002'].map(recipient => ({
      recipient,
      recipientType: 'BIREYSEL',
      type: 'MESAJ',
      status: 'ONAY',
      source: 'HS_WEB',
      age: 1,
    })),
  },
};

/** Where sequences begin: most of the interface needs a sender, and some of it consents. */
export const beginnings: Step[][] = [
  [],
  [approve],
  [approve, subscribed, consents],
  [approve, subscribed, consents, { ...approve, given: { ...approve.given, who: 1 } }, subscribedToo],
];
