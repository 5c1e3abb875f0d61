// Who did what from where, over all accounts.
import { tableData, useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { AuditTable, auditFilters, useAuditFilter } from '../../ui/audit-table.tsx';
import { ListTools, Pager } from '../../ui/list-tools.tsx';
import { Page } from '../../ui/page.tsx';

export default function StaffAuditPage() {
  const { list, filter } = useAuditFilter();
  const accountId = list.value('hesap') ? Number(list.value('hesap')) || undefined : undefined;
  const read = useRead('staff.audit', { ...filter, accountId, cursor: list.cursor });
  return (
    <Page title={t.nav.staffAudit}>
      <ListTools
        search={{ key: 'kim', label: t.audit.actor }}
        filters={[{ key: 'hesap', label: t.accounts.id, kind: 'text' }, ...auditFilters()]}
      />
      <AuditTable
        data={tableData(read, data => data.rows)}
        filtered={list.filtered}
        onClear={list.clear}
        footer={<Pager next={read.data?.next} />}
        withAccount
      />
    </Page>
  );
}
