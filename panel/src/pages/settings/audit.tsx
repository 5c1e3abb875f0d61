// Who did what from where, for the owner of the account.
import { tableData, useRead } from '../../queries.ts';
import { useMay } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { AuditTable, auditFilters, useAuditFilter } from '../../ui/audit-table.tsx';
import { ListTools, Pager } from '../../ui/list-tools.tsx';
import { Page } from '../../ui/page.tsx';
import { NeedsRole } from '../../ui/role-button.tsx';

export default function AuditPage() {
  const { list, filter } = useAuditFilter();
  const mayOwn = useMay('owner');
  const read = useRead('audit.list', { ...filter, cursor: list.cursor }, { enabled: mayOwn });
  if (!mayOwn)
    return (
      <Page title={t.audit.title}>
        <NeedsRole need="owner" />
      </Page>
    );
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
