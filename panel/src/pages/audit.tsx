// Who did what from where, for the owner of the account.
import { tableData, useRead } from '../queries.ts';
import { t } from '../text/language.ts';
import { AuditTable, auditFilters, useAuditFilter } from '../ui/audit-table.tsx';
import { ListTools, Pager } from '../ui/list-tools.tsx';
import { Page } from '../ui/page.tsx';

export default function AuditPage() {
  const { list, filter } = useAuditFilter();
  const read = useRead('audit.list', { ...filter, cursor: list.cursor });
  return (
    <Page title={t.audit.title}>
      <ListTools
        search={{ key: 'kim', label: t.audit.actor }}
        filters={auditFilters()}
        exported={{ kind: 'audit', filter }}
      />
      <AuditTable
        data={tableData(read, data => data.rows)}
        filtered={list.filtered}
        onClear={list.clear}
        footer={<Pager next={read.data?.next} />}
      />
    </Page>
  );
}
