// Who did what from where, for the owner of the account.
import { useMay } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { auditColumns, auditFilters, auditShape } from '../../ui/audit-list.tsx';
import { List } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { NeedsRole } from '../../ui/role-button.tsx';
import { useList } from '../../ui/use-list.ts';

export default function AuditPage() {
  const mayOwn = useMay('owner');
  const list = useList('audit.list', {
    ...auditShape(),
    enabled: mayOwn,
    columns: auditColumns,
    filters: auditFilters(),
    exported: 'audit',
  });
  return <Page title={t.audit.title}>{mayOwn ? <List of={list} /> : <NeedsRole need="owner" />}</Page>;
}
