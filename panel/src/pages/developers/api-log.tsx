// Refused calls of the API with the cause the wire does not tell, grouped by it, and the one click that mends it; successful
// ones beside them.
import { SegmentedControl } from '@mantine/core';
import { useMemo } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { number } from '../../format.ts';
import { tableData, useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { dayEnd, dayStart, daysFilter } from '../../ui/filter-fields.tsx';
import { ListTools, Pager, useList } from '../../ui/list-tools.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { openKey, tabKey } from '../../ui/search-state.ts';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { RefusalDrawer } from './refusal-drawer.tsx';
import { RemedyButton } from './remedy-button.tsx';
import { SuccessfulCalls } from './successful-calls.tsx';

type Line = OutputOf<'apiLog.list'>['rows'][number];
type Group = OutputOf<'apiLog.groups'>['groups'][number];
const keys = ['kod', 'sebep', 'islem', 'adres', 'bas', 'bit'];
const views = ['sebep', 'tek', 'basarili'];
const refreshMs = 10_000;

export default function ApiLogPage() {
  const list = useList(keys);
  const view = views.find(one => one === list.value(tabKey)) ?? 'sebep';
  const picker = (
    <SegmentedControl
      aria-label={t.apiLog.view}
      value={view}
      onChange={value => list.change({ [tabKey]: value === 'sebep' ? null : value })}
      data={[
        { value: 'sebep', label: t.apiLog.byCause },
        { value: 'tek', label: t.apiLog.single },
        { value: 'basarili', label: t.apiLog.calls },
      ]}
    />
  );
  return (
    <Page title={t.apiLog.title} lead={t.apiLog.lead} actions={picker}>
      {view === 'sebep' && (
        <ByCause onPick={group => list.change({ [tabKey]: 'tek', sebep: group.cause, kod: String(group.code) })} />
      )}
      {view === 'tek' && <OneByOne />}
      {view === 'basarili' && <SuccessfulCalls />}
    </Page>
  );
}

const nothing = () => <Empty title={t.apiLog.empty}>{t.apiLog.emptyBody}</Empty>;

function ByCause({ onPick }: { onPick: (group: Group) => void }) {
  const read = useRead('apiLog.groups', {}, { refetchMs: refreshMs });
  const columns = useMemo(groupColumns, []);
  const accepted = read.data?.accepted ?? [];
  return (
    <>
      <DataTable
        name="refusal-groups"
        label={t.apiLog.byCause}
        columns={columns}
        data={tableData(read, data => data.groups)}
        rowKey={row => `${row.code}${row.cause}`}
        onOpen={onPick}
        empty={nothing()}
      />
      {accepted.length > 0 && (
        <Card title={t.apiLog.accepted(read.data?.days ?? 30)} flush>
          <table className="grid">
            <tbody>
              {accepted.map(row => (
                <tr key={row.operation}>
                  <td className="mono">{row.operation}</td>
                  <td className="right">{number(row.count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
      )}
    </>
  );
}

function groupColumns(): Column<Group>[] {
  return [
    { id: 'code', header: t.apiLog.code, cell: row => <Tone tone="orange">{row.code}</Tone>, phone: 'state' },
    { id: 'cause', header: t.apiLog.cause, cell: row => inOurs(row.sentence), phone: 'title' },
    { id: 'fix', header: t.apiLog.fix, cell: row => inOurs(row.fix), phone: 'line' },
    { id: 'remedy', header: '', cell: row => <RemedyButton remedy={row.remedy} /> },
    {
      id: 'addresses',
      header: t.apiLog.address,
      cell: row => <span className="mono">{row.addresses.slice(0, 3).join(', ')}</span>,
      hideable: true,
    },
    {
      id: 'count',
      header: t.apiLog.count,
      align: 'right',
      cell: row => number(row.count),
      sort: row => row.count,
      phone: 'line',
      phoneLabel: true,
    },
    {
      id: 'last',
      header: t.apiLog.last,
      cell: row => <Time at={row.lastAt} />,
      sort: row => row.lastAt,
      phone: 'line',
    },
  ];
}

function OneByOne() {
  const list = useList(keys);
  const filter = {
    code: list.value('kod') ? Number(list.value('kod')) : undefined,
    cause: list.value('sebep'),
    operation: list.value('islem'),
    address: list.value('adres'),
    from: dayStart(list.value('bas')),
    to: dayEnd(list.value('bit')),
  };
  const read = useRead('apiLog.list', { ...filter, cursor: list.cursor }, { refetchMs: refreshMs });
  const groups = useRead('apiLog.groups', {}).data?.groups ?? [];
  const columns = useMemo(refusalColumns, []);
  const codes = [...new Set(groups.map(group => String(group.code)))];
  return (
    <>
      <ListTools
        search={{ key: 'adres', label: t.apiLog.address }}
        filters={[
          { key: 'kod', label: t.apiLog.code, kind: 'select', options: codes.map(value => ({ value, label: value })) },
          {
            key: 'sebep',
            label: t.apiLog.cause,
            kind: 'select',
            options: groups.map(group => ({ value: group.cause, label: inOurs(group.sentence) })),
          },
          { key: 'islem', label: t.apiLog.operation, kind: 'text' },
          daysFilter(),
        ]}
        exported={{ kind: 'refusals', filter }}
      />
      <DataTable
        name="refusals"
        label={t.apiLog.title}
        columns={columns}
        data={tableData(read, data => data.rows)}
        rowKey={row => String(row.id)}
        onOpen={row => list.change({ [openKey]: String(row.id) })}
        filtered={list.filtered}
        onClear={list.clear}
        empty={nothing()}
        footer={<Pager next={read.data?.next} />}
      />
      <RefusalDrawer
        line={read.data?.rows.find(row => String(row.id) === list.open)}
        onClose={() => list.change({ [openKey]: null })}
      />
    </>
  );
}

function refusalColumns(): Column<Line>[] {
  return [
    { id: 'at', header: t.common.time, cell: row => <Time at={row.at} />, sort: row => row.at, phone: 'line' },
    {
      id: 'operation',
      header: t.apiLog.operation,
      cell: row => <span className="mono">{row.operation}</span>,
      sort: row => row.operation,
      phone: 'line',
    },
    { id: 'code', header: t.apiLog.code, cell: row => <Tone tone="orange">{row.code}</Tone>, phone: 'state' },
    { id: 'cause', header: t.apiLog.cause, cell: row => inOurs(row.sentence), phone: 'title' },
    {
      id: 'address',
      header: t.apiLog.address,
      cell: row => <span className="mono">{row.address ?? '–'}</span>,
      sort: row => row.address ?? '',
    },
    {
      id: 'key',
      header: t.apiLog.key,
      cell: row => <span className="mono">{row.keyStart ? `${row.keyStart}…` : '–'}</span>,
      hideable: true,
    },
    {
      id: 'agent',
      header: t.apiLog.agent,
      cell: row => (
        <span className="clip" style={{ maxWidth: 180 }}>
          {row.agent ?? '–'}
        </span>
      ),
      hideable: true,
    },
  ];
}
