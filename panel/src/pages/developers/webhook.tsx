// The addresses that outcomes are posted to: a list, the chosen one with its health, settings and a test that shows the exact
// bytes, deliveries with resend, and how to verify a signature.
import { useCallback, useState } from 'react';
import { verifySnippet } from '../../../../src/api/snippets.ts';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { useList } from '../../ui/use-list.ts';
import { Deliveries } from './deliveries.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookState, webhookLooks } from './webhook-state.tsx';

type Webhooks = OutputOf<'webhook.list'>;
type Webhook = Webhooks['webhooks'][number];
const refreshMs = 5_000;
/** Of the chosen address. */
const addressKey = 'adres';

const chosenOf = (data: Webhooks | undefined, asked: string | undefined): Webhook | undefined =>
  data?.webhooks.find(one => String(one.id) === asked) ?? data?.webhooks[0];

export default function WebhookPage() {
  const [search] = useSearchState();
  const [secret, setSecret] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const asked = search[addressKey];
  const list = useList('webhook.list', {
    name: 'webhooks',
    label: t.webhook.addresses,
    rows: data => data.webhooks,
    rowKey: row => String(row.id),
    columns: useCallback((data?: Webhooks) => webhookColumns(chosenOf(data, asked)?.id), [asked]),
    refetchMs: refreshMs,
    onOpen: row => list.change({ [addressKey]: String(row.id) }),
    empty: <Empty title={t.webhook.none}>{t.webhook.noneBody}</Empty>,
  });
  const { data } = list;
  const chosen = chosenOf(data, asked);
  const full = data && data.webhooks.length >= data.max ? t.webhook.full(data.max) : null;
  const add = (
    <RoleButton need="owner" reason={full} onClick={() => setAdding(true)}>
      {t.webhook.add}
    </RoleButton>
  );
  return (
    <Page title={t.webhook.title} lead={t.webhook.lead} actions={add}>
      <List of={list} />
      {chosen && <WebhookState key={chosen.id} webhook={chosen} onSecret={setSecret} />}
      {chosen && <Deliveries webhook={chosen} />}
      <Card title={t.webhook.verify} hint={t.webhook.verifyLead}>
        <CodeBlock code={verifySnippet} label={t.webhook.verify} />
      </Card>
      {adding && (
        <WebhookForm
          onClose={() => setAdding(false)}
          onAdded={added => {
            setAdding(false);
            setSecret(added.secret);
            list.change({ [addressKey]: String(added.id) });
          }}
        />
      )}
      <SecretDialog
        title={t.webhook.secret}
        body={t.webhook.secretOnce}
        secrets={secret ? [[t.webhook.secret, secret]] : null}
        onClose={() => setSecret(null)}
      />
    </Page>
  );
}

/** The address that is shown below is set in bold. */
function webhookColumns(chosenId: number | undefined): Column<Webhook>[] {
  return [
    {
      id: 'url',
      header: t.webhook.url,
      phone: 'title',
      sort: row => row.url,
      cell: row => (
        <span
          className={`clip mono ${row.id === chosenId ? 'strong' : ''}`}
          style={{ maxWidth: 320 }}
          aria-current={row.id === chosenId ? 'true' : undefined}
          title={row.url}
        >
          {row.url}
        </span>
      ),
    },
    {
      id: 'state',
      header: t.webhook.stateLabel,
      phone: 'state',
      cell: row => <Tone {...webhookLooks[row.state]}>{t.webhook[row.state]}</Tone>,
    },
    {
      id: 'events',
      header: t.webhook.chosen,
      phone: 'line',
      cell: row => row.events.map(one => t.webhook.events[one]).join(', '),
    },
    {
      id: 'waiting',
      header: t.webhook.waiting,
      align: 'right',
      phone: 'line',
      phoneLabel: true,
      sort: row => row.waiting,
      cell: row => number(row.waiting),
    },
    {
      id: 'last',
      header: t.webhook.lastSuccess,
      sort: row => row.lastSuccessAt ?? '',
      cell: row => <Time at={row.lastSuccessAt} />,
      hideable: true,
    },
  ];
}
