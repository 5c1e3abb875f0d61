// From whom and when it leaves, and whether it is commercial (which means: only to those who consent).
import { NativeSelect, Radio, SegmentedControl, Switch, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { ConsentList } from '../../../../src/panel-api/consent/contract.ts';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { duration, fold, fromTurkeyTime } from '../../format.ts';
import { paths } from '../../paths.ts';
import { t } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';
import { useNow } from '../../ui/time.tsx';
import { keepDraft, useDraft } from './draft.ts';
import { Pace } from './pace.tsx';

const DateTimeField = lazy(() => import('../../ui/date-time-field.tsx'));

export function WhenStep() {
  const draft = useDraft();
  return (
    <>
      <Radio.Group
        value={draft.later ? 'later' : 'now'}
        onChange={value => keepDraft({ later: value === 'later' })}
        aria-label={t.send.when}
      >
        <div className="choices">
          <div className="choice" data-chosen={!draft.later}>
            <Radio value="now" label={t.send.now} />
          </div>
          <div className="choice" data-chosen={draft.later}>
            <Radio value="later" label={t.send.later} />
          </div>
        </div>
      </Radio.Group>
      {draft.later && (
        <Suspense fallback={null}>
          <DateTimeField
            label={t.send.at}
            description={t.send.atHint}
            value={draft.sendAt}
            onChange={sendAt => keepDraft({ sendAt })}
          />
        </Suspense>
      )}
      {draft.later && <WhenNote sendAt={draft.sendAt} />}
      <Pace />
    </>
  );
}

export function SenderStep({ options }: { options: OutputOf<'send.options'> }) {
  const draft = useDraft();
  return (
    <>
      <NativeSelect
        label={t.send.sender}
        description={t.send.senderHint}
        value={draft.sender}
        data={options.senders}
        error={options.senders.length === 0 ? t.send.noSenders : undefined}
        onChange={event => keepDraft({ sender: event.currentTarget.value })}
      />
      <Switch
        label={t.send.commercial}
        description={t.send.commercialHint}
        checked={draft.commercial}
        onChange={event => keepDraft({ commercial: event.currentTarget.checked })}
      />
      {draft.commercial && options.brands.length === 0 && (
        <Note kind="warn">
          {t.send.noBrand}{' '}
          <Link to={paths.consents()} className="link">
            {t.nav.consents}
          </Link>
        </Note>
      )}
      {draft.commercial && (
        <SegmentedControl
          aria-label={t.send.list}
          value={draft.list}
          onChange={list => keepDraft({ list: list as ConsentList })}
          data={[
            { value: 'BIREYSEL', label: t.send.listBireysel },
            { value: 'TACIR', label: t.send.listTacir },
          ]}
          style={{ alignSelf: 'flex-start' }}
        />
      )}
      {draft.commercial && <CommercialAdvice text={draft.text} />}
    </>
  );
}

function WhenNote({ sendAt }: { sendAt: string | null }) {
  const now = useNow(1_000);
  if (!sendAt) return <Text size="sm">{t.send.needTime}</Text>;
  const leftMs = fromTurkeyTime(sendAt).getTime() - now;
  if (leftMs <= 0) return <Note kind="warn">{t.send.past}</Note>;
  return <Text size="sm">{t.send.future(duration(leftMs))}</Text>;
}

/** Advice only: the law requires both, but a program cannot judge where they are in a text. */
function CommercialAdvice({ text }: { text: string }) {
  const folded = fold(text);
  const missing = [
    !/mersis/.test(folded) && !/\b\d{16}\b/.test(text) ? t.send.adviceMersis : null,
    !/\b(ret|iptal|dur|stop)\b/.test(folded) ? t.send.adviceOptOut : null,
  ].filter(sentence => sentence !== null);
  if (missing.length === 0) return null;
  return (
    <Note title={t.send.adviceTitle}>
      {missing.map(sentence => (
        <div key={sentence}>{sentence}</div>
      ))}
    </Note>
  );
}
