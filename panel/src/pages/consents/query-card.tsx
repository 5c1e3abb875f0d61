// One recipient's consent: what counts now, and everything that led to it.
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ConsentList, ConsentType } from '../../../../src/panel-api/consent/contract.ts';
import { sentenceOf } from '../../api.ts';
import { date } from '../../format.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Empty, Note } from '../../ui/notes.tsx';
import { optionsOf } from '../../ui/options.ts';
import { RowsTable } from '../../ui/rows-table.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { consentColumns } from './columns.tsx';

export function ConsentQueryCard({ brands }: { brands: number[] }) {
  const [search, change] = useSearchState();
  const [brand, setBrand] = useState(String(brands[0] ?? ''));
  const [recipient, setRecipient] = useState(search['sorgu'] ?? '');
  const [recipientType, setRecipientType] = useState<ConsentList>('BIREYSEL');
  const [type, setType] = useState<ConsentType>('MESAJ');
  const asked = search['sorgu'] ?? '';
  const read = useRead(
    'consent.query',
    { brand: Number(brand), recipient: asked, recipientType, type },
    { enabled: asked !== '', keep: false },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change({ sorgu: recipient.trim() }, true);
  };
  return (
    <Card title={t.consents.query}>
      <Stack gap="sm">
        <form onSubmit={submit}>
          <Group align="flex-end" gap="sm">
            {brands.length > 1 && (
              <NativeSelect
                label={t.consents.brand}
                value={brand}
                data={brands.map(String)}
                onChange={event => setBrand(event.currentTarget.value)}
              />
            )}
            <TextInput
              label={t.consents.recipient}
              value={recipient}
              onChange={event => setRecipient(event.currentTarget.value)}
              style={{ flex: '1 1 200px' }}
            />
            <NativeSelect
              label={t.consents.recipientType}
              value={recipientType}
              data={optionsOf(t.recipientTypes)}
              onChange={event => setRecipientType(event.currentTarget.value as ConsentList)}
            />
            <NativeSelect
              label={t.consents.type}
              value={type}
              data={optionsOf(t.consentTypes)}
              onChange={event => setType(event.currentTarget.value as ConsentType)}
            />
            <Button type="submit" variant="default">
              {t.consents.queryAction}
            </Button>
          </Group>
        </form>
        {read.error ? <Note kind="bad">{sentenceOf(read.error)}</Note> : null}
        {read.data && (
          <>
            <Text fw="var(--fw-strong)">
              {read.data.current
                ? t.consents.current(t.consentStatuses[read.data.current.status], date(read.data.current.consentDate))
                : t.consents.noRecord}
            </Text>
            {read.data.history.length > 0 && (
              <RowsTable
                label={t.consents.history}
                columns={consentColumns}
                rows={read.data.history}
                rowKey={row => String(row.id)}
                empty={<Empty title={t.consents.noRecord} />}
              />
            )}
          </>
        )}
      </Stack>
    </Card>
  );
}
