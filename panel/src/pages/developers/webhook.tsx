// Webhooks: the addresses, the chosen one with whether it answers, its test and its deliveries, and how to verify a signature.
import '../../pages.css';
import { Button, Drawer } from '@mantine/core';
import { IconFileCode, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { verifySnippet } from '../../../../src/api/snippets.ts';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Page } from '../../ui/page.tsx';
import { Panes, useWide } from '../../ui/panes.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { openKey, useSearchState } from '../../ui/search-state.ts';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { Deliveries, Delivery } from './deliveries.tsx';
import { WebhookFirst } from './webhook-first.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { useWebhookTest, WebhookState, webhookGlyphs } from './webhook-state.tsx';

type Webhooks = OutputOf<'webhook.list'>;
type Webhook = Webhooks['webhooks'][number];
const refreshMs = 5_000;
/** Search key of the chosen address. */
const addressKey = 'adres';

const chosenOf = (data: Webhooks | undefined, asked: string | undefined): Webhook | undefined =>
  data?.webhooks.find(one => String(one.id) === asked) ?? data?.webhooks[0];

export default function WebhookPage() {
  const [search, change] = useSearchState();
  const [secret, setSecret] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const [verifying, setVerifying] = useState(false);
  const [testId, setTestId] = useState<string | null>(null);
  const read = useRead('webhook.list', {}, { refetchMs: refreshMs });
  const test = useWebhookTest(setTestId);
  const { data } = read;
  const chosen = chosenOf(data, search[addressKey]);
  const full = data && data.webhooks.length >= data.max ? t.webhook.full(data.max) : null;
  const choose = (id: number) => {
    setTestId(null);
    change({ [addressKey]: String(id), [openKey]: null });
  };
  const added = (webhook: OutputOf<'webhook.add'>) => {
    setAdding(false);
    setSecret(webhook.secret);
    choose(webhook.id);
  };
  const actions = chosen && (
    <>
      <Button variant="default" leftSection={<IconFileCode size={16} />} onClick={() => setVerifying(true)}>
        {t.webhook.verify}
      </Button>
      <RoleButton
        need="owner"
        variant="default"
        reason={full}
        leftSection={<IconPlus size={16} />}
        onClick={() => setAdding(true)}
      >
        {t.webhook.add}
      </RoleButton>
    </>
  );
  const wide = useWide('90em') && chosen !== undefined;
  const [first, setFirst] = useState<string | null>(null);
  const asked = search[openKey] ?? null;
  const shown = asked ?? (wide ? first : null);
  const content = (
    <>
      <ReadState of={read} />
      {data && data.webhooks.length > 1 && <AddressChips webhooks={data.webhooks} chosen={chosen} onChoose={choose} />}
      {data && !chosen && (
        <WebhookFirst
          onVerify={() => setVerifying(true)}
          onAdded={webhook => {
            added(webhook);
            test.mutate({ id: webhook.id });
          }}
        />
      )}
      {chosen && (
        <WebhookState
          key={chosen.id}
          webhook={chosen}
          testId={testId}
          isTesting={test.isPending}
          onTest={() => test.mutate({ id: chosen.id })}
          onSecret={setSecret}
        />
      )}
      {chosen && <Deliveries webhook={chosen} shown={wide ? shown : null} onFirst={setFirst} />}
    </>
  );
  return (
    <Page title={t.webhook.title} actions={actions}>
      <Panes
        wide={wide}
        title={t.webhook.event}
        opened={asked !== null}
        onClose={() => change({ [openKey]: null })}
        side={shown === null ? <p className="soft">{t.webhook.empty}</p> : <Delivery key={shown} id={shown} />}
      >
        {content}
      </Panes>
      <Drawer
        opened={verifying}
        onClose={() => setVerifying(false)}
        title={t.webhook.verify}
        closeButtonProps={{ 'aria-label': t.common.close }}
      >
        <p className="second">{t.webhook.verifyLead}</p>
        <CodeBlock code={verifySnippet} label={t.webhook.verify} />
      </Drawer>
      {adding && <WebhookForm onClose={() => setAdding(false)} onAdded={added} />}
      <SecretDialog
        title={t.webhook.secret}
        body={t.webhook.secretOnce}
        secrets={secret ? [[t.webhook.secret, secret]] : null}
        onClose={() => setSecret(null)}
      />
    </Page>
  );
}

type Chips = { webhooks: Webhook[]; chosen: Webhook | undefined; onChoose: (id: number) => void };

function AddressChips({ webhooks, chosen, onChoose }: Chips) {
  return (
    <fieldset className="address-chips" aria-label={t.webhook.addresses}>
      {webhooks.map(one => (
        <button
          key={one.id}
          type="button"
          aria-pressed={one.id === chosen?.id}
          title={one.url}
          onClick={() => onChoose(one.id)}
        >
          <Glyph name={webhookGlyphs[one.state]} />
          <span className="visually-hidden">{t.webhook[one.state]}: </span>
          <span className="clip">{one.url.replace(/^https?:\/\//, '')}</span>
        </button>
      ))}
    </fieldset>
  );
}
