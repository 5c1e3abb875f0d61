// Refused API calls grouped by their true cause (the answer on the wire does not say it), with a one-click remedy; successful
// calls beside them.
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { daysFilter } from '../../ui/filter-fields.tsx';
import { FilterTabs } from '../../ui/filter-tabs.tsx';
import { List } from '../../ui/list.tsx';
import { asNumber } from '../../ui/list-shape.ts';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { tabKey, useSearchState } from '../../ui/search-state.ts';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { useList } from '../../ui/use-list.ts';
import { RefusalDrawer } from './refusal-drawer.tsx';
import { RemedyButton } from './remedy-button.tsx';
import { SuccessfulCalls } from './successful-calls.tsx';

type Line = OutputOf<'apiLog.list'>['rows'][number];
type Group = OutputOf<'apiLog.groups'>['groups'][number];
const views = ['sebep', 'tek', 'basarili'];
const refreshMs = 10_000;

export default function ApiLogPage() {
  const [search, change] = useSearchState();
  const view = views.find(one => one === search[tabKey]) ?? 'sebep';
  const go = (to: string | null) => () => change({ [tabKey]: to });
  return (
    <Page title={t.apiLog.title}>
      <FilterTabs
        label={t.apiLog.view}
        tabs={[
          { key: 'sebep', label: t.apiLog.byCause, chosen: view === 'sebep', choose: go(null) },
          { key: 'tek', label: t.apiLog.single, chosen: view === 'tek', choose: go('tek') },
          { key: 'basarili', label: t.apiLog.calls, chosen: view === 'basarili', choose: go('basarili') },
        ]}
      />
      {view === 'sebep' && (
        <ByCause onPick={group => change({ [tabKey]: 'tek', sebep: group.cause, kod: String(group.code) })} />
      )}
      {view === 'tek' && <OneByOne />}
      {view === 'basarili' && <SuccessfulCalls />}
      <p className="kept">{t.apiLog.lead}</p>
    </Page>
  );
}

const nothing = () => <Empty title={t.apiLog.empty}>{t.apiLog.emptyBody}</Empty>;

function ByCause({ onPick }: { onPick: (group: Group) => void }) {
  const list = useList('apiLog.groups', {
    name: 'refusal-groups',
    label: t.apiLog.byCause,
    rows: data => data.groups,
    rowKey: row => `${row.code}${row.cause}`,
    columns: groupColumns,
    refetchMs: refreshMs,
    onOpen: onPick,
    empty: nothing(),
  });
  const accepted = list.data?.accepted ?? [];
  const refused = (list.data?.groups ?? []).reduce((sum, group) => sum + group.count, 0);
  return (
    <>
      {refused > 0 && <p className="answer-head small-head">{t.apiLog.head(list.data?.days ?? 30, number(refused))}</p>}
      <List of={list} />
      {accepted.length > 0 && (
        <Card title={t.apiLog.accepted(list.data?.days ?? 30)} flush>
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
  const groups = useRead('apiLog.groups', {}).data?.groups ?? [];
  const codes = [...new Set(groups.map(group => String(group.code)))];
  const list = useList('apiLog.list', {
    name: 'refusals',
    label: t.apiLog.title,
    rows: data => data.rows,
    rowKey: row => String(row.id),
    columns: refusalColumns,
    search: { key: 'adres', field: 'address', label: t.apiLog.address },
    filters: [
      {
        key: 'kod',
        field: 'code',
        as: asNumber,
        label: t.apiLog.code,
        kind: 'select',
        options: codes.map(value => ({ value, label: value })),
      },
      {
        key: 'sebep',
        field: 'cause',
        label: t.apiLog.cause,
        kind: 'select',
        options: groups.map(group => ({ value: group.cause, label: inOurs(group.sentence) })),
      },
      { key: 'islem', field: 'operation', label: t.apiLog.operation, kind: 'text' },
      daysFilter(),
    ],
    exported: 'refusals',
    pages: 'cursor',
    refetchMs: refreshMs,
    drawer: row => String(row.id),
    empty: nothing(),
  });
  return (
    <>
      <List of={list} />
      <RefusalDrawer line={list.data?.rows.find(row => String(row.id) === list.open)} onClose={list.close} />
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
