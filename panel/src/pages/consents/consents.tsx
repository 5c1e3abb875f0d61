// Consent records: ask for one, see where each stands with the registry, and why some were refused.
import { Button } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { InputOf } from '../../../../src/panel-api/contract/contract.ts';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { daysFilter } from '../../ui/filter-fields.tsx';
import { List } from '../../ui/list.tsx';
import { asNumber, type ListFilter } from '../../ui/list-shape.ts';
import { Empty } from '../../ui/notes.tsx';
import { optionsOf } from '../../ui/options.ts';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { useList } from '../../ui/use-list.ts';
import { BrandLines, ConsentSummary } from './brand-lines.tsx';
import { consentColumns } from './columns.tsx';
import { ConsentAdd } from './consent-add.tsx';
import { ConsentQueryCard } from './query-card.tsx';

const refreshMs = 15_000;

export default function ConsentsPage() {
  const [adding, setAdding] = useState(false);
  const overview = useRead('consent.overview', {}, { refetchMs: refreshMs });
  const brands = overview.data?.brands ?? [];
  const noBrand = overview.data !== undefined && brands.length === 0;
  const why = noBrand ? t.consents.noBrand : null;
  const importButton = why ? (
    <RoleButton need="sender" variant="default" reason={why} leftSection={<IconUpload size={16} />}>
      {t.consents.import}
    </RoleButton>
  ) : (
    <Button component={Link} to={paths.consentImport()} variant="default" leftSection={<IconUpload size={16} />}>
      {t.consents.import}
    </Button>
  );
  const actions = (
    <>
      {importButton}
      <RoleButton need="sender" reason={why} leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
        {t.consents.add}
      </RoleButton>
    </>
  );
  const list = useList('consent.list', {
    name: 'consents',
    label: t.consents.title,
    rows: data => data.rows,
    rowKey: row => String(row.id),
    columns: consentColumns,
    search: { key: 'ara', field: 'recipient', label: t.consents.search },
    filters: consentFilters(brands.map(brand => brand.code)),
    exported: 'consents',
    pages: 'cursor',
    refetchMs: refreshMs,
    empty: noBrand ? (
      <Empty title={t.consents.noBrand}>{t.consents.noBrandBody}</Empty>
    ) : (
      <Empty title={t.consents.empty} action={importButton}>
        {t.consents.emptyBody}
      </Empty>
    ),
  });
  return (
    <Page title={t.consents.title} actions={actions}>
      <ReadState of={overview} height={120} />
      {overview.data && <ConsentSummary counts={overview.data.counts} />}
      {brands.length > 0 && <ConsentQueryCard brands={brands.map(brand => brand.code)} />}
      {overview.data && <BrandLines overview={overview.data} />}
      <List of={list} />
      <ConsentAdd opened={adding} onClose={() => setAdding(false)} brands={brands.map(brand => brand.code)} />
    </Page>
  );
}

function consentFilters(brands: number[]): ListFilter<InputOf<'consent.list'>>[] {
  const codes = brands.map(String).map(code => ({ value: code, label: code }));
  return [
    ...(brands.length > 1
      ? [
          {
            key: 'marka' as const,
            field: 'brand' as const,
            as: asNumber,
            label: t.consents.brand,
            kind: 'select' as const,
            options: codes,
          },
        ]
      : []),
    {
      key: 'tip',
      field: 'recipientType',
      label: t.consents.recipientType,
      kind: 'select',
      options: optionsOf(t.recipientTypes),
    },
    { key: 'kanal', field: 'type', label: t.consents.type, kind: 'select', options: optionsOf(t.consentTypes) },
    { key: 'izin', field: 'status', label: t.consents.status, kind: 'select', options: optionsOf(t.consentStatuses) },
    { key: 'esitleme', field: 'syncState', label: t.consents.sync, kind: 'select', options: optionsOf(t.syncStates) },
    { key: 'giris', field: 'origin', label: t.consents.origin, kind: 'select', options: optionsOf(t.consentOrigins) },
    daysFilter(),
  ];
}
