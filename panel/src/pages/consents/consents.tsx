// Consent records: ask for one, see where each stands with the registry, and why some were refused.
import { Button } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ConsentList, ConsentType, SyncState } from '../../../../src/panel-api/consent/contract.ts';
import { paths } from '../../paths.ts';
import { tableData, useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { dayEnd, dayStart, daysFilter } from '../../ui/filter-fields.tsx';
import { ListTools, Pager, useList } from '../../ui/list-tools.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { BrandCards } from './brand-cards.tsx';
import { type ConsentLine, consentColumns } from './columns.tsx';
import { ConsentAdd } from './consent-add.tsx';
import { optionsOf } from './parts.tsx';
import { ConsentQueryCard } from './query-card.tsx';

const keys = ['ara', 'marka', 'tip', 'kanal', 'izin', 'esitleme', 'giris', 'bas', 'bit'];

export default function ConsentsPage() {
  const list = useList(keys);
  const [adding, setAdding] = useState(false);
  const overview = useRead('consent.overview', {}, { refetchMs: 15_000 });
  const brands = overview.data?.brands ?? [];
  const filter = {
    recipient: list.value('ara'),
    brand: list.value('marka') ? Number(list.value('marka')) : undefined,
    recipientType: list.value('tip') as ConsentList | undefined,
    type: list.value('kanal') as ConsentType | undefined,
    status: list.value('izin') as 'ONAY' | 'RET' | undefined,
    syncState: list.value('esitleme') as SyncState | undefined,
    origin: list.value('giris') as ConsentLine['origin'] | undefined,
    from: dayStart(list.value('bas')),
    to: dayEnd(list.value('bit')),
  };
  const read = useRead('consent.list', { ...filter, cursor: list.cursor }, { refetchMs: 15_000 });
  const columns = useMemo(consentColumns, []);
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
  return (
    <Page title={t.consents.title} lead={t.consents.lead} actions={actions}>
      {overview.data && <BrandCards overview={overview.data} />}
      {brands.length > 0 && <ConsentQueryCard brands={brands.map(brand => brand.code)} />}
      <ListTools
        search={{ key: 'ara', label: t.consents.search }}
        filters={[
          ...(brands.length > 1
            ? [
                {
                  key: 'marka',
                  label: t.consents.brand,
                  kind: 'select' as const,
                  options: brands.map(({ code }) => ({ value: String(code), label: String(code) })),
                },
              ]
            : []),
          { key: 'tip', label: t.consents.recipientType, kind: 'select', options: optionsOf(t.recipientTypes) },
          { key: 'kanal', label: t.consents.type, kind: 'select', options: optionsOf(t.consentTypes) },
          { key: 'izin', label: t.consents.status, kind: 'select', options: optionsOf(t.consentStatuses) },
          { key: 'esitleme', label: t.consents.sync, kind: 'select', options: optionsOf(t.syncStates) },
          daysFilter(),
        ]}
        exported={{ kind: 'consents', filter }}
      />
      <DataTable
        name="consents"
        label={t.consents.title}
        columns={columns}
        data={tableData(read, data => data.rows)}
        rowKey={row => String(row.id)}
        filtered={list.filtered}
        onClear={list.clear}
        empty={
          noBrand ? (
            <Empty title={t.consents.noBrand}>{t.consents.noBrandBody}</Empty>
          ) : (
            <Empty title={t.consents.empty} action={importButton}>
              {t.consents.emptyBody}
            </Empty>
          )
        }
        footer={<Pager next={read.data?.next} />}
      />
      <ConsentAdd opened={adding} onClose={() => setAdding(false)} brands={brands.map(brand => brand.code)} />
    </Page>
  );
}
