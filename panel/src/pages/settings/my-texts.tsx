// What this person accepted, in which version, when and from where; every version can be read again.
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { t } from '../../text/language.ts';
import { LegalLinks } from '../../ui/legal-text.tsx';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';

type Line = OutputOf<'legal.mine'>['accepted'][number];

export default function MyTextsPage() {
  const list = useList('legal.mine', {
    name: 'texts',
    label: t.legal.mine,
    rows: data => data.accepted,
    rowKey: row => `${row.kind} ${row.version}`,
    columns: acceptedColumns,
    empty: <Empty title={t.legal.nothingAccepted} />,
  });
  return (
    <Page title={t.legal.mine} lead={t.legal.mineLead}>
      <List of={list} />
    </Page>
  );
}

function acceptedColumns(): Column<Line>[] {
  return [
    { id: 'kind', header: t.legal.text, cell: row => t.legal.kinds[row.kind], phone: 'title' },
    { id: 'version', header: t.legal.versionHead, cell: row => t.legal.version(row.version), phone: 'line' },
    { id: 'at', header: t.legal.acceptedAt, cell: row => <Time at={row.acceptedAt} exact />, phone: 'line' },
    { id: 'address', header: t.audit.address, cell: row => <span className="mono">{row.address}</span>, phone: 'line' },
    { id: 'read', header: '', align: 'right', phone: 'state', cell: row => <LegalLinks texts={[row]} /> },
  ];
}
