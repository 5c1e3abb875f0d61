// Who did what from where, over all accounts.
import { t } from '../../text/language.ts';
import { auditFilters, auditShape, staffAuditColumns } from '../../ui/audit-list.tsx';
import { List } from '../../ui/list.tsx';
import { asNumber } from '../../ui/list-shape.ts';
import { Page } from '../../ui/page.tsx';
import { useList } from '../../ui/use-list.ts';

export default function StaffAuditPage() {
  const list = useList('staff.audit', {
    ...auditShape(),
    columns: staffAuditColumns,
    filters: [
      { key: 'hesap', field: 'accountId', as: asNumber, label: t.accounts.id, kind: 'text' },
      ...auditFilters(),
    ],
  });
  return (
    <Page title={t.nav.staffAudit}>
      <List of={list} />
    </Page>
  );
}
