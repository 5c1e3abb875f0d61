// Sending on one page: recipients, message, sender ID and time at the left; at the right, always visible, the phone
// preview and the server's check.
import { Button, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { call } from '../../api.ts';
import { useRead } from '../../queries.ts';
import { useMay } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { type SearchChange, useSearchState } from '../../ui/search-state.ts';
import { clearDraft, freshPreview, isStarted, keepDraft, useDraft } from './draft.ts';
import { Handset } from './handset.tsx';
import { MessageStep } from './message-step.tsx';
import { RecipientsStep, RecipientTabs } from './recipients-step.tsx';
import { SenderStep, WhenStep } from './settings-step.tsx';
import { lackOf, Station } from './stations.tsx';
import { SumPanel } from './sum-panel.tsx';
import { openDraft, useKept } from './use-kept.ts';
import { useMeasured } from './use-measured.ts';
import { useSubmit } from './use-submit.ts';

export default function SendPage() {
  const [search, change] = useSearchState();
  const options = useRead('send.options', {});
  const draft = useDraft();
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
  const discard = async () => {
    const question = { title: t.send.discard, body: t.send.discardBody, action: t.send.discard, danger: true };
    if ((await ask(question)) === null) return;
    if (draft.id !== null) void call('drafts.delete', { id: draft.id }).catch(() => {});
    void clearDraft();
  };
  const clear = isStarted(draft) && (
    <Button variant="default" onClick={() => void discard()}>
      {t.send.discard}
    </Button>
  );
  return (
    <Page title={t.send.title} actions={clear}>
      <ReadState of={options} height={320} />
      {options.data && <Form options={options.data} />}
    </Page>
  );
}

/** On a phone the form and the preview are shown in turns; the price stays visible. */
function Form({ options }: { options: OutputOf<'send.options'> }) {
  const draft = useDraft();
  const maySend = useMay('sender');
  const measured = useMeasured(options.mode);
  const submit = useSubmit(options);
  const narrow = useMediaQuery('(max-width: 47.9em)', false, { getInitialValueInEffect: false });
  const [looks, setLooks] = useState(false);
  const preview = freshPreview(draft);
  return (
    <>
      {!maySend && <Note kind="warn">{t.roles.needs(t.roles.sender)}</Note>}
      {narrow && (
        <SegmentedControl
          fullWidth
          aria-label={t.send.title}
          value={looks ? 'look' : 'write'}
          onChange={value => setLooks(value === 'look')}
          data={[
            { value: 'write', label: t.send.write },
            { value: 'look', label: t.send.look },
          ]}
        />
      )}
      <div className="send">
        <div className="send-rail" hidden={narrow && looks}>
          <Station
            name="alicilar"
            title={t.send.stepRecipients}
            lack={lackOf('alicilar', draft)}
            tools={<RecipientTabs />}
          >
            <RecipientsStep options={options} />
          </Station>
          <Station name="mesaj" title={t.send.stepMessage} lack={lackOf('mesaj', draft)}>
            <MessageStep options={options} measured={measured} />
          </Station>
          <Station name="baslik" title={t.send.stepSender} lack={lackOf('baslik', draft)}>
            <SenderStep options={options} />
          </Station>
          <Station name="zaman" title={t.send.stepWhen} lack={lackOf('zaman', draft)}>
            <WhenStep />
          </Station>
        </div>
        <div className="send-side">
          {(!narrow || looks) && (
            <Handset
              sender={draft.sender}
              template={draft.text}
              options={options}
              worst={preview?.longest ?? measured?.worst}
            />
          )}
          <SumPanel options={options} narrow={narrow} {...submit} />
        </div>
      </div>
    </>
  );
}
/** The draft's id is in the address, so a reload or another machine continues with it. */
function useAddress(inAddress: string | undefined, change: (changes: SearchChange, replace?: boolean) => void) {
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

/** Changes are saved a moment later; closing the tab before that would lose the last one. */
function useBeforeUnload(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [dirty]);
}
