// The addresses that outcomes are posted to: a list, the chosen one with its health, settings and a test that shows the exact
// bytes, deliveries with resend, and how to verify a signature.
import { useMemo, useState } from 'react';
import { verifySnippet } from '../../../../src/api/snippets.ts';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { number } from '../../format.ts';
import { tableData, useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { Deliveries } from './deliveries.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookState, webhookLooks } from './webhook-state.tsx';

type Webhook = OutputOf<'webhook.list'>['webhooks'][number];
const refreshMs = 5_000;
/** Of the chosen address. */
const addressKey = 'adres';

export default function WebhookPage() {
  const read = useRead('webhook.list', {}, { refetchMs: refreshMs });
  const [search, change] = useSearchState();
  const [secret, setSecret] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const webhooks = read.data?.webhooks ?? [];
  const chosen = webhooks.find(one => String(one.id) === search[addressKey]) ?? webhooks[0];
  const chosenId = chosen?.id;
  const columns = useMemo(() => webhookColumns(chosenId), [chosenId]);
  const full = read.data && webhooks.length >= read.data.max ? t.webhook.full(read.data.max) : null;
  const add = (
    <RoleButton need="owner" reason={full} onClick={() => setAdding(true)}>
      {t.webhook.add}
    </RoleButton>
  );
  return (
    <Page title={t.webhook.title} lead={t.webhook.lead} actions={add}>
      <DataTable
        name="webhooks"
        label={t.webhook.addresses}
        columns={columns}
        data={tableData(read, data => data.webhooks)}
        rowKey={row => String(row.id)}
        onOpen={row => change({ [addressKey]: String(row.id), sayfa: null })}
        empty={<Empty title={t.webhook.none}>{t.webhook.noneBody}</Empty>}
      />
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
            change({ [addressKey]: String(added.id) });
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
          className="clip mono"
          style={{ maxWidth: 320, fontWeight: row.id === chosenId ? 700 : 400 }}
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
