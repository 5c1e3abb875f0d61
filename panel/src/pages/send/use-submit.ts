// Sends the order, or first a test to one's own phone. Large sends ask for the number of recipients once; a second
// click on the same draft returns the orders of the first.
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import type { PanelError } from '../../../../src/panel-api/contract/shapes.ts';
import { call, randomKey, sentenceOf } from '../../api.ts';
import { number, phone } from '../../format.ts';
import { serverBack, untilAnswered } from '../../outage.ts';
import { paths } from '../../paths.ts';
import { queryClient } from '../../queries.ts';
import { filledRow } from '../../recipients/book.ts';
import { askBook } from '../../recipients/client.ts';
import { useMe } from '../../session.tsx';
import { inOurs, t } from '../../text/language.ts';
import { announce } from '../../ui/announce.tsx';
import { ask } from '../../ui/confirm.tsx';
import { showFailure, showSuccess } from '../../ui/toast.tsx';
import { clearDraft, currentDraft, freshPreview, headOf, keepDraft } from './draft.ts';

const largeSend = 10_000;

export function useSubmit(options: OutputOf<'send.options'>) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [testing, setTesting] = useState(false);
  const [offline, setOffline] = useState(false);
  const [tested, setTested] = useState<{ words: string; at: Date } | null>(null);
  const account = useMe().account?.name ?? '';
  const underWay = useRef(false);

  const send = async () => {
    if (underWay.current || !(await isMeant(account))) return;
    underWay.current = true;
    setBusy(true);
    try {
      const { version } = freshPreview(currentDraft())!;
      let sent = await askBook('submit', { version });
      // Not a problem of the order: asked again once the server answers. The same draft gives the same orders, never two.
      while (!sent.ok && sent.error.code === 'unreachable') {
        setOffline(true);
        await serverBack();
        sent = await askBook('submit', { version });
      }
      void queryClient.invalidateQueries();
      if (!sent.ok) return await refused(sent.error);
      const { orderIds } = sent.data;
      showSuccess(orderIds.length > 1 ? t.send.sentMany(orderIds.length) : t.send.sent(String(orderIds[0])));
      await clearDraft();
      void navigate({ to: orderIds.length > 1 ? paths.orders() : paths.order(String(orderIds[0])) });
    } catch (error) {
      showFailure(sentenceOf(error));
    } finally {
      underWay.current = false;
      keepDraft({ share: null });
      setOffline(false);
      setBusy(false);
    }
  };

  const sendToMe = async () => {
    setTesting(true);
    try {
      const draft = currentDraft();
      const row = await askBook('next', { from: 0, step: 1 });
      const text = filledRow(draft.text, row?.fields ?? {}, draft.fallbacks);
      const head = { ...headOf(draft), text, sendAt: null, commercial: false, list: null, perHour: null, quiet: null };
      // A key for each click: a corrected text is sent again, and a lost answer sends nothing twice.
      const order = { ...head, recipients: [options.ownMobile], idempotencyKey: randomKey() };
      await untilAnswered(
        () => call('send.submit', order),
        () => setOffline(true),
      );
      setTested({ words: t.send.testSent(phone(options.ownMobile)), at: new Date() });
      announce(t.send.testSent(phone(options.ownMobile)));
      void queryClient.invalidateQueries();
    } catch (error) {
      showFailure(sentenceOf(error));
    } finally {
      setOffline(false);
      setTesting(false);
    }
  };

  return { send, sendToMe, busy, testing, tested, offline };
}

async function isMeant(account: string): Promise<boolean> {
  const { later, sendAt } = currentDraft();
  const preview = freshPreview(currentDraft());
  // A schedule without a time must never become an immediate send.
  if (!preview || (later && !sendAt)) return false;
  if (preview.sendable <= largeSend && preview.credits * 2 <= preview.balance) return true;
  const people = number(preview.sendable);
  const question = {
    title: t.send.confirmTitle,
    body: t.send.confirmBody(people, number(preview.credits), account),
    action: t.send.confirmAction,
    mustType: String(preview.sendable),
  };
  return (await ask(question)) !== null;
}

async function refused(error: PanelError): Promise<void> {
  if (error.code === 'signed-out') {
    await call('send.options', {});
    return;
  }
  // Changed elsewhere, or its list is gone: the present content is shown to be checked again.
  const { preview, summary } = currentDraft();
  if (error.code === 'draft-changed' || error.code === 'list-incomplete')
    keepDraft({ summary: summary && { ...summary } });
  // Beside the field it concerns, by the same list that the dry run fills.
  else if (preview)
    keepDraft({
      preview: { ...preview, problems: [error, ...preview.problems.filter(one => one.code !== error.code)] },
    });
  showFailure(inOurs(error));
}
