// The sum beside the form: counts and price from the server, problems, and the send button. The button names its action and is
// never disabled: pressed too early it scrolls to the first incomplete station and says what is missing.
import { Button, Progress } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import type { PanelError } from '../../../../src/panel-api/contract/shapes.ts';
import { dateMinute, hourMinute, number } from '../../format.ts';
import { paths } from '../../paths.ts';
import type { ListPreview } from '../../recipients/messages.ts';
import { useMay, useMe } from '../../session.tsx';
import { inOurs, t } from '../../text/language.ts';
import { announce } from '../../ui/announce.tsx';
import { LoadError, Note } from '../../ui/notes.tsx';
import { dayAndTime } from '../../ui/order-words.ts';
import { RoleButton } from '../../ui/role-button.tsx';
import { shortcutsOn } from '../../ui/shortcut-rules.ts';
import { showFailure } from '../../ui/toast.tsx';
import { useLive } from '../../ui/use-live.ts';
import { type Draft, freshPreview, keepDraft, useDraft } from './draft.ts';
import { goTo, lackOf, type StationName, stationNames } from './stations.tsx';
import type { useSubmit } from './use-submit.ts';

/** `narrow`: on a phone, where the price and the button stay at the bottom. */
type Props = { options: OutputOf<'send.options'>; narrow: boolean } & ReturnType<typeof useSubmit>;

export function SumPanel({ options, narrow, send, sendToMe, busy, testing, tested, offline }: Props) {
  const draft = useDraft();
  // The server's check of an earlier text is outdated, so none of it is shown.
  const preview = freshPreview(draft);
  const maySend = useMay('sender');
  const isAwaited = maySend && !preview && (draft.summary?.count ?? 0) > 0 && !draft.failure;
  const tryAgain = () => keepDraft({ summary: draft.summary && { ...draft.summary } });
  const press = () => {
    if (!isReady(draft, preview)) return;
    if (preview) return void send();
    if (!isAwaited) return tryAgain();
    keepDraft({ isWanted: true });
    announce(t.send.goesWhenChecked);
  };
  useSendKeys(press, () => void sendToMe());
  useWanted(draft, preview !== null, press);
  const live = useLive().data?.balance;
  const balance = live ?? preview?.balance ?? 0;
  const counted = preview && `${t.send.people(number(preview.sendable))}, ${t.common.credits(number(preview.credits))}`;
  useEffect(() => {
    if (counted) announce(counted);
  }, [counted]);
  const button = (
    <RoleButton need="sender" size="lg" fullWidth loading={busy} onClick={press}>
      {isAwaited ? (draft.isWanted ? t.send.goesWhenChecked : t.send.checking) : buttonText(draft, preview)}
    </RoleButton>
  );
  return (
    <>
      <section className="sum" aria-label={t.send.price}>
        {draft.failure && !preview ? <LoadError error={draft.failure} retry={tryAgain} /> : null}
        {preview && <Problems preview={preview} />}
        {offline && <Note kind="warn">{t.send.waitsForNetwork}</Note>}
        <Sum draft={draft} preview={preview} balance={balance} />
        {isAwaited && <Checking share={draft.share} />}
        {!narrow && button}
        <div className="sum-foot">
          <span className="soft">{draft.keptKey === draft.key && draft.id !== null && t.send.kept}</span>
          <RoleButton
            need="sender"
            variant="subtle"
            size="xs"
            loading={testing}
            reason={options.ownMobile ? null : t.send.testNone}
            onClick={() => void sendToMe()}
          >
            {t.send.testSend}
          </RoleButton>
        </div>
        {tested && (
          <Note kind="good">
            {tested.words} {hourMinute(tested.at)}
          </Note>
        )}
      </section>
      {narrow && (
        <div className="send-bar">
          {preview && (
            <div>
              <span>{t.common.credits(number(preview.credits))}</span>
              <span className="soft">{t.send.creditsLeft(number(balance - preview.credits))}</span>
            </div>
          )}
          {button}
        </div>
      )}
    </>
  );
}

function buttonText(draft: Draft, preview: ListPreview | null): string {
  if (!preview) return draft.later ? t.send.submitLaterBlank : t.send.submitBlank;
  const people = number(preview.sendable);
  return draft.later && draft.sendAt ? t.send.submitLater(people, dayAndTime(preview.startAt)) : t.send.submit(people);
}

/** False after scrolling to the first thing that is missing. Without a preview nothing is known to be wrong yet. */
function isReady(draft: Draft, preview: ListPreview | null): boolean {
  for (const name of stationNames) {
    const lack = lackOf(name, draft);
    if (lack === null) continue;
    goTo(name);
    announce(lack);
    showFailure(lack);
    return false;
  }
  const problem = preview?.problems[0];
  if (problem) {
    goTo(stationOfField[problem.field ?? ''] ?? 'alicilar');
    announce(inOurs(problem));
    return false;
  }
  return true;
}

/**
 * Send was pressed during the check: it is executed when the check is done; a failed check or leaving the page cancels
 * it.
 */
function useWanted({ isWanted, failure }: Draft, isChecked: boolean, press: () => void): void {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    if (!isWanted || !(isChecked || failure)) return;
    keepDraft({ isWanted: false });
    if (isChecked) latest.current();
  }, [isWanted, isChecked, failure]);
  useEffect(() => () => keepDraft({ isWanted: false }), []);
}

function useSendKeys(send: () => void, test: () => void): void {
  const latest = useRef({ send, test });
  latest.current = { send, test };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'Enter' || !shortcutsOn()) return;
      if (document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      if (event.shiftKey) latest.current.test();
      else latest.current.send();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function Sum({ draft, preview, balance }: { draft: Draft; preview: ListPreview | null; balance: number }) {
  const account = useMe().account?.name ?? '';
  const rows: [name: string, value: string, isStrong?: boolean][] = [[t.send.account, account]];
  if (preview) {
    rows.push([t.send.recipients, t.send.people(number(preview.sendable)), true]);
    if (preview.longest)
      rows.push([t.send.each, t.send.eachParts(number(preview.longest.parts), number(preview.longest.parts))]);
    rows.push([t.send.amount, t.common.credits(number(preview.credits)), true]);
    rows.push([t.send.balanceAfter, `${number(balance)} → ${number(balance - preview.credits)}`]);
    const ends = preview.endsAt ? dateMinute(preview.endsAt) : t.send.endsUnknown;
    rows.push([t.send.startsEnds, `${draft.later ? dayAndTime(preview.startAt) : t.send.now} · ${ends}`]);
    if (preview.orders > 1) rows.push([t.send.ordersMade, number(preview.orders)]);
  }
  return (
    <dl className="sum-rows">
      {rows.map(([name, value, isStrong]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={isStrong ? 'strong' : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Large lists take seconds to check: progress instead of counts of an earlier draft. */
function Checking({ share }: { share: number | null }) {
  const leaving = share !== null && share < 1;
  return (
    <div role="status">
      <span className="soft">{leaving ? t.send.uploading : t.send.checking}</span>
      <Progress value={leaving ? share * 100 : 100} striped={!leaving} aria-label={t.send.checking} />
    </div>
  );
}

const stationOfField: Record<string, StationName> = {
  sender: 'baslik',
  text: 'mesaj',
  recipients: 'alicilar',
  sendAt: 'zaman',
  commercial: 'baslik',
  list: 'baslik',
};

function Problems({ preview }: { preview: ListPreview }) {
  if (preview.problems.length === 0) return null;
  return (
    <section className="stack" aria-label={t.send.problems}>
      {preview.problems.map(problem => (
        <ProblemNote key={problem.code + (problem.field ?? '')} problem={problem} preview={preview} />
      ))}
    </section>
  );
}

function ProblemNote({ problem, preview }: { problem: PanelError; preview: ListPreview }) {
  const station = stationOfField[problem.field ?? ''];
  const fix = station && (
    <Button size="xs" variant="default" onClick={() => goTo(station)}>
      {t.send.fixThere}
    </Button>
  );
  return (
    <Note kind="bad" title={inOurs(problem)} action={fix}>
      {problem.code === '402' && t.send.lacking(number(Math.max(0, -preview.balanceAfter)))}
      {problem.orderId !== undefined && (
        <Link to={paths.order(String(problem.orderId))} className="link">
          {t.send.earlier(String(problem.orderId))}
        </Link>
      )}
    </Note>
  );
}
