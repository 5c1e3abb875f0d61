// Carriers: state, speed, window use and last error at a glance; pause and resume from the row.
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { dateMinute, number, percent } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table-column.ts';
import { useList } from '../../ui/use-list.ts';
import { errorSentence } from './carrier-error-words.ts';
import { type Speed, speedOf, totals, windowShare } from './carrier-figures.ts';
import { CarrierForm } from './carrier-form.tsx';
import { CarrierStateBadge } from './carrier-state.tsx';
import { PauseCarrier } from './pause-carrier.tsx';

type Carriers = OutputOf<'staff.carriers'>;
type Line = Carriers['carriers'][number];
const refreshMs = 2_000;

export default function StaffCarriersPage() {
  const [adding, setAdding] = useState(false);
  const speeds = useSpeeds(useRead('staff.carriers', {}).data);
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t.carriers.add}
    </Button>
  );
  const list = useList('staff.carriers', {
    name: 'carriers',
    label: t.carriers.title,
    rows: data => data.carriers,
    rowKey: row => row.name,
    columns: useMemo(() => carrierColumns(speeds), [speeds]),
    refetchMs: refreshMs,
    path: row => paths.staffCarrier(row.name),
    empty: (
      <Empty title={t.carriers.empty} action={add}>
        {t.carriers.emptyBody}
      </Empty>
    ),
  });
  return (
    <Page title={t.carriers.title} actions={add}>
      {list.data && list.data.carriers.length > 0 && (
        <p className="answer-head">
          {t.carriers.head(
            number(list.data.carriers.filter(one => one.state === 'bound').length),
            number(list.data.carriers.length),
          )}
        </p>
      )}
      <List of={list} />
      {list.data && (
        <CarrierForm opened={adding} onClose={() => setAdding(false)} fields={list.data.fields} carrier={null} />
      )}
    </Page>
  );
}

/** How fast each carrier is, from this answer and the one before. */
function useSpeeds(data: Carriers | undefined): Record<string, Speed> {
  const before = useRef<Carriers | undefined>(undefined);
  const shown = useRef<Record<string, Speed>>({});
  return useMemo(() => {
    if (!data || before.current?.at === data.at) return shown.current;
    shown.current = Object.fromEntries(
      data.carriers.map(carrier => [carrier.name, speedOf(data, before.current, carrier.name)]),
    );
    before.current = data;
    return shown.current;
  }, [data]);
}

/** The error of a link that is down, else the newest stored one. */
function lastErrorOf(row: Line): string | null {
  const error = row.links.find(link => link.lastError)?.lastError ?? row.errors[0]?.error;
  return error === undefined || error === null ? null : (errorSentence(error) ?? error);
}

/** A counter with the time since when it counts. */
function Counted({ row, of }: { row: Line; of: 'throttled' | 'refused' }) {
  const sums = totals(row);
  const since = sums.since ? t.carriers.countedSince(dateMinute(sums.since)) : undefined;
  return (
    <span title={since}>
      {number(sums[of])}
      {since && <span className="visually-hidden"> {since}</span>}
    </span>
  );
}

function carrierColumns(speeds: Record<string, Speed>): Column<Line>[] {
  return [
    {
      id: 'name',
      header: t.carriers.name,
      phone: 'title',
      cell: row => (
        <Link to={paths.staffCarrier(row.name)} className="link">
          {row.name}
        </Link>
      ),
    },
    {
      id: 'state',
      header: t.carriers.state,
      cell: row => <CarrierStateBadge state={row.state} throttling={(speeds[row.name]?.throttled ?? 0) > 0} />,
      phone: 'state',
    },
    {
      id: 'address',
      header: t.carriers.address,
      cell: row => <span className="mono">{`${row.host}:${row.port}`}</span>,
      phone: 'line',
    },
    {
      id: 'rate',
      header: t.carriers.perSecond,
      align: 'right',
      cell: row => number(Math.round(speeds[row.name]?.submitted ?? 0)),
      phone: 'line',
      phoneLabel: true,
    },
    { id: 'window', header: t.carriers.window, align: 'right', cell: row => percent(windowShare(row)) },
    {
      id: 'throttled',
      header: t.carriers.throttled,
      align: 'right',
      cell: row => <Counted row={row} of="throttled" />,
    },
    {
      id: 'refused',
      header: t.carriers.refused,
      align: 'right',
      cell: row => <Counted row={row} of="refused" />,
    },
    {
      id: 'priority',
      header: t.carriers.priority,
      align: 'right',
      cell: row => number(row.priority),
      sort: row => row.priority,
    },
    {
      id: 'error',
      header: t.carriers.lastError,
      cell: row => (
        <span className="clip" style={{ maxWidth: 170 }} title={lastErrorOf(row) ?? undefined}>
          {lastErrorOf(row) ?? '–'}
        </span>
      ),
    },
    { id: 'pause', header: '', align: 'right', cell: row => <PauseCarrier carrier={row} size="compact-xs" /> },
  ];
}
