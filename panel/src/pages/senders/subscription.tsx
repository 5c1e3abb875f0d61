// The subscription, applied for once, without which no sender ID can be registered.
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { DocumentLinks } from '../../ui/document-links.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { AddDocuments } from './add-documents.tsx';
import { IdentityCard } from './identity-step.tsx';
import SubscriptionForm from './subscription-form.tsx';

export default function SubscriptionPage() {
  const read = useRead('subscription.read', {});
  const state = read.data?.current?.state;
  return (
    <Page title={t.subscription.title} lead={t.subscription.lead}>
      <ReadState of={read} />
      {state === 'approved' && <Note kind="good">{t.subscription.active}</Note>}
      {state === 'applied' && <Note>{t.subscription.applied}</Note>}
      {state === 'rejected' && (
        <Note kind="bad" title={t.subscription.rejected}>
          {read.data?.current?.reason}
        </Note>
      )}
      {read.data?.current && state !== 'rejected' && (
        <Card>
          <DocumentLinks documents={read.data.current.documents} />
        </Card>
      )}
      {read.data?.current && state !== 'rejected' && (
        <IdentityCard id={read.data.current.id} step={read.data.identity} waits={state === 'applied'} />
      )}
      {read.data?.current && state === 'applied' && <AddDocuments application={read.data.current} />}
      {read.data && (state === undefined || state === 'rejected') && (
        <Card>
          <SubscriptionForm view={read.data} />
        </Card>
      )}
    </Page>
  );
}
