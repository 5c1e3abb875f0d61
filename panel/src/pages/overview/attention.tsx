// Problems that need an action, each with a link to its page. Without problems nothing is shown.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Attention } from '../../../../src/panel-api/overview/contract.ts';
import { number } from '../../format.ts';
import { paths } from '../../paths.ts';
import { inOurs, t } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';

type Said = { title: string; body?: string; path: string | null; action?: string; kind: 'warn' | 'bad' };

export function AttentionList({ items }: { items: Attention[] }) {
  if (items.length === 0) return null;
  return (
    <section aria-label={t.overview.attention} className="attention">
      {items.map(item => {
        const said = say(item);
        const action = said.path && (
          <Button component={Link} to={said.path} size="xs" variant="default">
            {said.action}
          </Button>
        );
        return (
          <Note key={said.title} kind={said.kind} title={said.title} action={action}>
            {said.body}
          </Note>
        );
      })}
    </section>
  );
}

function say(item: Attention): Said {
  switch (item.kind) {
    case 'api-refusals': {
      const body = item.causes.map(cause => `${number(cause.count)} × ${inOurs(cause).replace(/\.$/, '')}`).join(' · ');
      return {
        title: t.overview.refusals(number(item.count)),
        body,
        path: paths.apiLog(),
        action: t.overview.open.api,
        kind: 'warn',
      };
    }
    case 'webhook': {
      const title = item.state === 'paused' ? t.overview.webhookPaused : t.overview.webhookTrouble;
      const body = [item.reason && inOurs(item.reason), t.overview.webhookWaiting(number(item.waiting))]
        .filter(Boolean)
        .join(' · ');
      return { title, body, path: paths.webhook(), action: t.overview.open.webhook, kind: 'bad' };
    }
    case 'consent-refusals':
      return {
        title: t.overview.consentRefusals(number(item.count)),
        path: paths.consents(),
        action: t.overview.open.consents,
        kind: 'warn',
      };
    case 'low-balance':
      return {
        title: t.overview.lowBalance(number(item.sms)),
        path: paths.balance(),
        action: t.overview.open.balance,
        kind: 'warn',
      };
    case 'sender-rejected':
      return {
        title: t.overview.senderRejected(item.name),
        body: item.reason ?? undefined,
        path: paths.senders(),
        action: t.overview.open.senders,
        kind: 'bad',
      };
    case 'suspended':
      return { title: t.overview.suspended, path: null, kind: 'bad' };
  }
}
