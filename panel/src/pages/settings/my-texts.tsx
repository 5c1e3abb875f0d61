// What this person accepted, in which version, when and from where; every version can be read again.
import { useMemo } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { tableData, useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { LegalLinks } from '../../ui/legal-text.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';

type Line = OutputOf<'legal.mine'>['accepted'][number];

export default function MyTextsPage() {
  const read = useRead('legal.mine', {});
  const columns = useMemo(acceptedColumns, []);
  return (
    <Page title={t.legal.mine} lead={t.legal.mineLead}>
      <DataTable
        name="texts"
        label={t.legal.mine}
        columns={columns}
        data={tableData(read, data => data.accepted)}
        rowKey={row => `${row.kind} ${row.version}`}
        empty={<Empty title={t.legal.nothingAccepted} />}
      />
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
