// Where a provider over HTTP is to post receipts and inbound messages. The addresses hold a secret, so they are shown on request.
import { Button, DataList } from '@mantine/core';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Note } from '../../ui/notes.tsx';

export function CarrierAddresses({ name }: { name: string }) {
  const show = useChange('staff.carrierAddresses');
  const { data } = show;
  const lines = data
    ? ([
        [t.carrierDescription.receipts, data.receipts],
        [t.carrierDescription.inbound, data.inbound],
      ] as const)
    : [];
  const isOurs = lines.some(([, url]) => url?.startsWith('/'));
  return (
    <Card title={t.carrierDescription.addresses} hint={t.carrierDescription.addressesHint}>
      {!data && (
        <Button variant="default" loading={show.isPending} onClick={() => show.mutate({ name })}>
          {t.carrierDescription.showAddresses}
        </Button>
      )}
      {isOurs && <Note kind="warn">{t.carrierDescription.noPublicUrl}</Note>}
      {data && (
        <DataList labelWidth={170}>
          {lines.map(([label, url]) => (
            <Fact key={label} label={label}>
              {url === null ? t.carrierDescription.notUsed : <Address label={label} url={url} />}
            </Fact>
          ))}
        </DataList>
      )}
    </Card>
  );
}

function Address({ label, url }: { label: string; url: string }) {
  const whole = url.startsWith('/') ? window.location.origin + url : url;
  return (
    <>
      <span className="mono">{whole}</span> <CopyButton value={whole} label={`${t.copy.label}: ${label}`} />
    </>
  );
}
