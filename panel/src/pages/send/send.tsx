// Sending in four screens: who, what, when and how, and the server's own account of it before anything leaves.
import { Button, Group, Skeleton, Stack, Stepper } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { call } from '../../api.ts';
import { useRead } from '../../queries.ts';
import { useMay } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { LoadError, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { clearDraft, isStarted, keepDraft, useDraft } from './draft.ts';
import { MessageStep } from './message-step.tsx';
import { RecipientsStep } from './recipients-step.tsx';
import { ReviewStep } from './review-step.tsx';
import { SettingsStep } from './settings-step.tsx';
import { type StepName, steps } from './steps.ts';
import { openDraft, useKept } from './use-kept.ts';

export default function SendPage() {
  const [search, change] = useSearchState();
  const options = useRead('send.options', {});
  const draft = useDraft();
  const narrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const maySend = useMay('sender');
  useKept(maySend && options.data !== undefined);
  useAddress(search['taslak'], change);
  useBeforeUnload(isStarted(draft) && draft.keptKey !== draft.key);
  const firstSender = options.data?.senders[0];
  useEffect(() => {
    if (draft.sender === '' && firstSender) keepDraft({ sender: firstSender });
  }, [draft.sender, firstSender]);
  const prefilled = search['numara'];
  useEffect(() => {
    if (!prefilled) return;
    keepDraft({ typed: prefilled, tab: 'type', fileName: null });
    // Taken over once: emptying the field must not fill it again.
    change({ numara: null }, true);
  }, [prefilled, change]);
  const at = Math.max(0, steps.indexOf(search['adim'] as StepName));
  const go = (step: StepName) => change({ adim: step });
  const discard = async () => {
    const question = { title: t.send.discard, body: t.send.discardBody, action: t.send.discard, danger: true };
    if ((await ask(question)) === null) return;
    if (draft.id !== null) void call('drafts.delete', { id: draft.id }).catch(() => {});
    void clearDraft();
  };
  const clear = isStarted(draft) && (
    <Button variant="subtle" color="gray" onClick={() => void discard()}>
      {t.send.discard}
    </Button>
  );
  if (!options.data) {
    return (
      <Page title={t.send.title}>
        {options.error ? (
          <LoadError error={options.error} retry={() => void options.refetch()} />
        ) : (
          <Skeleton height={320} />
        )}
      </Page>
    );
  }
  const labels = [t.send.stepRecipients, t.send.stepMessage, t.send.stepSettings, t.send.stepReview];
  return (
    <Page title={t.send.title} actions={clear}>
      <Stack gap="lg">
        {!maySend && <Note kind="warn">{t.roles.needs(t.roles.sender)}</Note>}
        <Stepper active={at} onStepClick={step => go(steps[step] ?? 'alicilar')} size="xs" iconSize={26}>
          {labels.map((label, step) => (
            <Stepper.Step
              key={label}
              label={narrow && step !== at ? undefined : label}
              aria-label={narrow && step !== at ? `${step + 1} ${label}` : undefined}
            />
          ))}
        </Stepper>
        {at === 0 && <RecipientsStep options={options.data} />}
        {at === 1 && <MessageStep options={options.data} />}
        {at === 2 && <SettingsStep options={options.data} />}
        {at === 3 && <ReviewStep options={options.data} onFix={go} />}
        {at < 3 && (
          <Group justify="space-between" className="sticky-actions">
            {at > 0 ? (
              <Button variant="default" onClick={() => go(steps[at - 1] ?? 'alicilar')}>
                {t.common.back}
              </Button>
            ) : (
              <span />
            )}
            <Button onClick={() => go(steps[at + 1] ?? 'ozet')}>
              {[t.send.toMessage, t.send.toSettings, t.send.toReview][at]}
            </Button>
          </Group>
        )}
      </Stack>
    </Page>
  );
}

/** The draft stands in the address: a reload, or the address on another machine, goes on with it. */
function useAddress(
  inAddress: string | undefined,
  change: (changes: Record<string, string | null>, replace?: boolean) => void,
) {
  const draft = useDraft();
  const [opened, setOpened] = useState<string | null>(null);
  useEffect(() => {
    const wanted = Number(inAddress);
    if (!inAddress || opened === inAddress || draft.id === wanted) return;
    setOpened(inAddress);
    if (!isStarted(draft)) void openDraft(wanted).then(found => !found && change({ taslak: null }, true));
  }, [inAddress, opened, draft, change]);
  const id = draft.id === null ? null : String(draft.id);
  useEffect(() => {
    if (id !== null && id !== inAddress) {
      setOpened(id);
      change({ taslak: id }, true);
    }
  }, [id, inAddress, change]);
}

/** The server has it a moment after the last change; closing the tab before that would lose the change. */
function useBeforeUnload(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [dirty]);
}
