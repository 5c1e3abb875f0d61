// Staff viewing an account as its users see it: start, the strip on every page, end.
import { Button, Group } from '@mantine/core';
import { call, sentenceOf } from '../api.ts';
import { hourMinute } from '../format.ts';
import { base, paths } from '../paths.ts';
import { useMe } from '../session.tsx';
import { t } from '../text/language.ts';
import { ask } from './confirm.tsx';
import { Note } from './notes.tsx';
import { showFailure } from './toast.tsx';

/** Renders the whole panel again: nothing of the previous account may stay on screen. */
async function goWith(change: Promise<unknown>, path: string): Promise<void> {
  try {
    await change;
    window.location.assign(`${base}${path}`);
  } catch (error) {
    showFailure(sentenceOf(error));
  }
}

/** Asks for the reason, starts the view and opens a page of the account. */
export async function viewAs(account: { id: number; name: string }, path: string): Promise<void> {
  const question = { title: t.support.beginTitle(account.name), body: t.support.beginBody, action: t.support.begin };
  const reason = await ask({ ...question, reason: t.common.reason });
  if (reason !== null) await goWith(call('staff.viewAs', { id: account.id, reason }), path);
}

export function ViewStrip() {
  const { viewing, account } = useMe();
  if (!viewing || !account) return null;
  const reveal = async () => {
    const question = { title: t.support.revealTitle, body: t.support.revealBody, action: t.support.reveal };
    const reason = await ask({ ...question, reason: t.common.reason });
    if (reason !== null)
      await goWith(call('staff.viewReveal', { reason }), window.location.pathname.slice(base.length));
  };
  const end = () => void goWith(call('staff.viewEnd', {}), paths.staffAccount(String(account.id)));
  const actions = (
    <Group gap="sm">
      {!viewing.revealed && (
        <Button size="xs" variant="default" onClick={() => void reveal()}>
          {t.support.reveal}
        </Button>
      )}
      <Button size="xs" onClick={end}>
        {t.support.end}
      </Button>
    </Group>
  );
  return (
    <Note kind="warn" title={t.support.strip(account.name)} action={actions}>
      {viewing.revealed ? t.support.stripRevealed : t.support.stripMasked}{' '}
      {t.support.until(hourMinute(new Date(viewing.until)))}
    </Note>
  );
}
