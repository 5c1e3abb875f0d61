// The specification's seven steps with their present state. Steps 4 to 7 do not wait for 2 and 3.
import type { Handlers } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import type { OnboardingStep } from './contract.ts';
import { type OnboardingFacts, onboardingFacts } from './onboarding-read.ts';

const waitNote = { tr: 'Onay genelde 1–2 iş günü sürer.', en: 'Approval usually takes 1 to 2 business days.' };
const rejectedNote = {
  tr: 'Başvuru reddedildi; düzeltip yeniden başvurun.',
  en: 'Rejected; correct it and apply again.',
};

export const onboardingHandlers = {
  async 'onboarding.read'(call) {
    const facts = await onboardingFacts(call.db, call.account.id);
    return { steps: stepsOf(facts) };
  },
} satisfies Partial<Handlers>;

function stepsOf(facts: OnboardingFacts): OnboardingStep[] {
  const done = (key: OnboardingStep['key'], at: Date | null): OnboardingStep =>
    at ? { key, state: 'done', at: iso(at), note: null } : { key, state: 'your-turn', at: null, note: null };
  return [
    done('account', facts.createdAt),
    subscriptionStep(facts),
    facts.senderApproved || !facts.senderApplied
      ? done('sender', facts.senderApproved)
      : { key: 'sender', state: 'waiting', at: iso(facts.senderApplied), note: waitNote },
    facts.apiEnabled ? { key: 'api', state: 'done', at: null, note: null } : done('api', null),
    // A caller has copied the credentials; otherwise a rotation shows that somebody saw the hash.
    done('key', facts.keyIssued ?? facts.firstCall),
    done('balance', facts.firstCall),
    facts.firstDelivered || !facts.firstOrder
      ? done('first-sms', facts.firstDelivered)
      : { key: 'first-sms', state: 'waiting', at: iso(facts.firstOrder), note: null },
  ];
}

function subscriptionStep({ subscription, subscriptionAt }: OnboardingFacts): OnboardingStep {
  const at = iso(subscriptionAt);
  if (subscription === 'approved') return { key: 'subscription', state: 'done', at, note: null };
  if (subscription === 'applied') return { key: 'subscription', state: 'waiting', at, note: waitNote };
  return { key: 'subscription', state: 'your-turn', at, note: subscription === 'rejected' ? rejectedNote : null };
}
