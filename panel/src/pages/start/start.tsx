// First steps: whose turn it is, the seven stations on a rail with the form of one of them in its place, the same from a
// program beside it.
import { Button, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { inOurs, t, withTexts } from '../../text/language.ts';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { type StationLook, StationMark } from '../../ui/station-mark.tsx';
import { Time } from '../../ui/time.tsx';
import { ApiCard } from './api-card.tsx';
import { balanceTryId } from './balance-try.tsx';
import { FirstSms } from './first-sms.tsx';

const SubscriptionForm = lazy(() => withTexts(['account'], () => import('../senders/subscription-form.tsx')));

type Step = OutputOf<'onboarding.read'>['steps'][number];
const refreshMs = 3_000;
/** Steps that can be done at once come before steps that wait for an approval. */
const order: Step['key'][] = ['account', 'first-sms', 'api', 'key', 'balance', 'subscription', 'sender'];

export default function StartPage() {
  const read = useRead(
    'onboarding.read',
    {},
    { refetchMs: data => (data?.steps.every(step => step.state === 'done') ? false : refreshMs) },
  );
  const steps = order.flatMap(key => read.data?.steps.filter(step => step.key === key) ?? []);
  // Stays open when it is done: the way of the first SMS is followed there.
  const [opened, setOpened] = useState<Step['key'] | null>(null);
  const turn = steps.find(step => step.state === 'your-turn')?.key ?? null;
  useEffect(() => setOpened(old => old ?? turn), [turn]);
  return (
    <Page title={t.start.title}>
      <ReadState of={read}>
        <Skeleton height={76} mb="md" />
        <Skeleton height={420} />
      </ReadState>
      <div className="start">
        <div className="stack">
          {read.data && <Turn steps={steps} />}
          <ol className="rail">
            {steps.map(step => (
              <StepRow key={step.key} step={step} isOpen={step.key === opened} onOpen={() => setOpened(step.key)} />
            ))}
          </ol>
        </div>
        <ApiCard steps={steps} />
      </div>
    </Page>
  );
}

/** The sentence on top: what is next, how much is done, how much waits for us. */
function Turn({ steps }: { steps: Step[] }) {
  const next = steps.find(step => step.state === 'your-turn');
  const ours = steps.find(step => step.state === 'waiting');
  const count = (state: Step['state']) => steps.filter(step => step.state === state).length;
  const head = next
    ? t.start.turn(t.start.names[next.key])
    : ours
      ? t.start.ourTurn(t.start.names[ours.key])
      : t.start.allDone;
  return (
    <div>
      <p className="answer-head">{head}</p>
      <p className="answer-rest">{t.start.progress(count('done'), count('waiting'), next !== undefined)}</p>
    </div>
  );
}

const looks: Record<Step['state'], StationLook> = { done: 'holds', 'your-turn': 'open', waiting: 'moving' };

/** Steps that are done on this page. */
const hasForm = (key: Step['key']): boolean => key === 'first-sms' || key === 'subscription';

function StepRow({ step, isOpen, onOpen }: { step: Step; isOpen: boolean; onOpen: () => void }) {
  const about = describe(step.key);
  const isTurn = step.state === 'your-turn';
  const isForm = isOpen && (step.key === 'first-sms' || (step.key === 'subscription' && isTurn));
  return (
    <li
      className={`rail-step ${step.state === 'done' ? 'station-holds' : ''}`}
      data-step={step.key}
      data-state={step.state}
    >
      <StationMark state={isForm && isTurn ? 'inside' : looks[step.state]} />
      <div className="rail-head">
        <div>
          <h2>{about.title}</h2>
          <div className={step.state === 'waiting' ? 'busy' : 'soft'}>
            <span className="visually-hidden">{t.start[step.state]}. </span>
            {step.note ? inOurs(step.note) : step.state !== 'done' && about.hint} {step.at && <Time at={step.at} />}
          </div>
        </div>
        {isTurn && !isForm && hasForm(step.key) && (
          <Button variant="default" onClick={onOpen}>
            {about.action}
          </Button>
        )}
        {isTurn && about.path && !hasForm(step.key) && (
          <Button component={Link} to={about.path} variant="default">
            {about.action}
          </Button>
        )}
        {isTurn && step.key === 'balance' && (
          <Button component="a" href={`#${balanceTryId}`} variant="default">
            {about.action}
          </Button>
        )}
      </div>
      {isForm && (step.key === 'first-sms' ? <FirstSms /> : <Subscription />)}
    </li>
  );
}

function Subscription() {
  const read = useRead('subscription.read', {});
  return (
    <section className="panel-card first-sms" aria-label={t.start.stepSubscription}>
      <ReadState of={read} height={420} />
      {read.data && (
        <Suspense fallback={<Skeleton height={420} className="late" />}>
          <SubscriptionForm view={read.data} />
        </Suspense>
      )}
    </section>
  );
}

type About = { title: string; hint: string; path: string | null; action: string };

function describe(key: Step['key']): About {
  const table: Record<Step['key'], About> = {
    account: { title: t.start.stepAccount, hint: '', path: null, action: '' },
    subscription: {
      title: t.start.stepSubscription,
      hint: t.start.stepSubscriptionHint,
      path: null,
      action: t.start.apply,
    },
    sender: {
      title: t.start.stepSender,
      hint: t.start.stepSenderHint,
      path: paths.senderApply(),
      action: t.start.apply,
    },
    api: { title: t.start.stepApi, hint: '', path: paths.access(), action: t.start.openApi },
    key: { title: t.start.stepKey, hint: '', path: paths.apiAccess(), action: t.start.getKey },
    // Tried on this very page.
    balance: { title: t.start.stepBalance, hint: '', path: null, action: t.start.tryIt },
    'first-sms': { title: t.start.stepFirst, hint: t.start.firstLead, path: null, action: t.start.tryIt },
  };
  return table[key];
}
