// From an open account to a delivered SMS in two clicks, and the specification's seven steps with their live state.
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed, IconClockHour4 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { LoadError } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { ApiCard } from './api-card.tsx';
import { balanceTryId } from './balance-try.tsx';
import { FirstSms } from './first-sms.tsx';

type Step = OutputOf<'onboarding.read'>['steps'][number];
const refreshMs = 3_000;

export default function StartPage() {
  const read = useRead(
    'onboarding.read',
    {},
    { refetchMs: data => (data?.steps.every(step => step.state === 'done') ? false : refreshMs) },
  );
  const steps = read.data?.steps ?? [];
  const done = steps.filter(step => step.state === 'done').length;
  return (
    <Page title={t.start.title}>
      {read.error ? (
        <LoadError error={read.error} since={read.dataUpdatedAt} retry={() => void read.refetch()} />
      ) : null}
      <div className="two-cards">
        <FirstSms />
        <ApiCard steps={steps} />
      </div>
      <Card title={t.start.stepsTitle} hint={t.start.progress(done)}>
        <Progress value={(done / 7) * 100} size={6} mb="md" color="blue.7" aria-label={t.start.progress(done)} />
        <Stack gap={0} component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
          {steps.map((step, at) => (
            <StepRow key={step.key} step={step} no={at + 1} />
          ))}
        </Stack>
      </Card>
    </Page>
  );
}

const icons = { done: IconCircleCheck, 'your-turn': IconCircleDashed, waiting: IconClockHour4 };
const tones = { done: 'teal', 'your-turn': 'blue', waiting: 'gray' } as const;

function StepRow({ step, no }: { step: Step; no: number }) {
  const about = describe(step.key);
  const Icon = icons[step.state];
  return (
    <Group
      component="li"
      justify="space-between"
      py={10}
      gap="sm"
      className="step-row"
      data-step={step.key}
      data-state={step.state}
    >
      <Group gap="sm" wrap="nowrap" style={{ flex: '1 1 180px' }}>
        <Icon size={20} aria-hidden style={{ flex: 'none' }} />
        <Stack gap={0}>
          <Text fw={600} size="sm">
            {no}. {about.title}
          </Text>
          <Text size="sm" c="dimmed" component="div">
            {step.note ? inOurs(step.note) : about.hint} {step.at && <Time at={step.at} />}
          </Text>
        </Stack>
      </Group>
      <Group gap="xs">
        <Tone tone={tones[step.state]}>{t.start[step.state]}</Tone>
        {step.state === 'your-turn' && about.path && (
          <Button component={Link} to={about.path} size="xs" variant="default">
            {about.action}
          </Button>
        )}
        {step.state === 'your-turn' && step.key === 'balance' && (
          <Button component="a" href={`#${balanceTryId}`} size="xs" variant="default">
            {about.action}
          </Button>
        )}
      </Group>
    </Group>
  );
}

type About = { title: string; hint: string; path: string | null; action: string };

function describe(key: Step['key']): About {
  const table: Record<Step['key'], About> = {
    account: { title: t.start.stepAccount, hint: '', path: null, action: '' },
    subscription: {
      title: t.start.stepSubscription,
      hint: t.start.stepSubscriptionHint,
      path: paths.subscription(),
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
    'first-sms': { title: t.start.stepFirst, hint: '', path: paths.send(), action: t.start.tryIt },
  };
  return table[key];
}
