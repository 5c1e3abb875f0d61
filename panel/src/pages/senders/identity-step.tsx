// The identity step of the subscription: redirects to the service, comes back with a one-time token and shows the result.
import { Group, Stack, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { sentenceOf } from '../../api.ts';
import { paths } from '../../paths.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Note } from '../../ui/notes.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { Time } from '../../ui/time.tsx';

type Step = OutputOf<'subscription.read'>['identity'];

export function IdentityCard({ id, step, waits }: { id: number; step: Step; waits: boolean }) {
  const finish = useFinish();
  const begin = useChange('identity.begin', { onDone: ({ url }) => window.location.assign(url) });
  const latest = step.checks.find(one => one.state !== 'begun');
  const isConfirmed = latest?.state === 'confirmed';
  // Decided without an identity check: nothing to show.
  if (!waits && !latest && !finish.error) return null;
  return (
    <Card title={t.identity.title} hint={t.identity.hint[step.method]}>
      <Stack gap="sm">
        {finish.error ? <Note kind="bad">{sentenceOf(finish.error)}</Note> : null}
        {latest && <Outcome check={latest} />}
        {waits && step.method === 'simulator' && !isConfirmed && (
          <Group>
            <RoleButton need="owner" loading={begin.isPending || finish.isPending} onClick={() => begin.mutate({ id })}>
              {latest ? t.identity.again : t.identity.begin}
            </RoleButton>
          </Group>
        )}
      </Stack>
    </Card>
  );
}

export function Outcome({ check }: { check: Step['checks'][number] }) {
  return (
    <Note kind={check.state === 'confirmed' ? 'good' : check.state === 'begun' ? 'info' : 'bad'}>
      {t.identity.states[check.state]}
      {check.detail ? `: ${check.detail}` : ''}
      <Text size="xs" component="div">
        {t.identity.methods[check.method]} · <Time at={check.finishedAt ?? check.begunAt} exact />
        {check.by ? ` · ${check.by}` : ''}
      </Text>
    </Note>
  );
}

/** The token in the URL is used once and then removed from it. */
function useFinish() {
  const { state, code } = useSearch({ strict: false });
  const navigate = useNavigate();
  const finish = useChange('identity.finish', { ownErrors: true });
  const used = useRef(false);
  const { mutate } = finish;
  useEffect(() => {
    if (!state || !code || used.current) return;
    used.current = true;
    mutate({ state, code });
    void navigate({ to: paths.subscription(), search: {}, replace: true });
  }, [state, code, mutate, navigate]);
  return finish;
}
