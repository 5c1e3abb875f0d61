// Who is bound now, over all nodes, with the pace and the last error of each, and a button that ends one.
import { useMemo } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ask } from '../../ui/confirm.tsx';
import { Empty } from '../../ui/notes.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { RowsTable } from '../../ui/rows-table.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';

type Bind = OutputOf<'smpp.list'>['liveBinds'][number];

export function SmppBinds({ binds }: { binds: Bind[] }) {
  const columns = useMemo(bindColumns, []);
  return (
    <Card title={t.smpp.liveBinds} hint={t.smpp.liveBindsHint} flush>
      <RowsTable
        label={t.smpp.liveBinds}
        columns={columns}
        rows={binds}
        rowKey={row => String(row.id)}
        empty={<Empty title={t.smpp.noBinds} />}
      />
    </Card>
  );
}

function bindColumns(): Column<Bind>[] {
  return [
    {
      id: 'user',
      header: 'system_id',
      phone: 'title',
      sort: row => row.systemId,
      cell: row => <span className="mono">{row.systemId}</span>,
    },
    { id: 'kind', header: t.smpp.kind, phone: 'line', cell: row => row.kind },
    {
      id: 'address',
      header: t.smpp.address,
      phone: 'line',
      cell: row => <span className="mono">{row.address}</span>,
    },
    {
      id: 'tls',
      header: 'TLS',
      phone: 'state',
      cell: row => <Tone tone={row.secure ? 'teal' : 'orange'}>{row.secure ? t.smpp.secure : t.smpp.plain}</Tone>,
    },
    {
      id: 'since',
      header: t.smpp.since,
      phone: 'line',
      sort: row => row.boundAt,
      cell: row => <Time at={row.boundAt} />,
    },
    {
      id: 'in',
      header: t.smpp.submitsPerSecond,
      align: 'right',
      phone: 'line',
      phoneLabel: true,
      sort: row => row.submitsPerSecond,
      cell: row => number(row.submitsPerSecond),
    },
    {
      id: 'out',
      header: t.smpp.receiptsPerSecond,
      align: 'right',
      phone: 'line',
      phoneLabel: true,
      sort: row => row.receiptsPerSecond,
      cell: row => number(row.receiptsPerSecond),
    },
    { id: 'unanswered', header: t.smpp.unanswered, align: 'right', cell: row => number(row.unanswered) },
    { id: 'submits', header: t.smpp.submits, align: 'right', cell: row => number(row.submits), hideable: true },
    { id: 'refusals', header: t.smpp.refusals, align: 'right', cell: row => number(row.refusals), hideable: true },
    { id: 'receipts', header: t.smpp.receipts, align: 'right', cell: row => number(row.receipts), hideable: true },
    { id: 'error', header: t.smpp.lastError, phone: 'line', cell: errorOf },
    { id: 'kick', header: '', phone: 'line', cell: row => <KickButton bind={row} /> },
  ];
}

function errorOf({ lastError, lastErrorAt }: Bind) {
  if (!lastError) return '–';
  return (
    <>
      <span className="clip mono" style={{ maxWidth: 220 }} title={lastError}>
        {lastError}
      </span>{' '}
      <Time at={lastErrorAt} />
    </>
  );
}

function KickButton({ bind }: { bind: Bind }) {
  const kick = useChange('smpp.kick', { done: t.smpp.kicked });
  const start = async () => {
    const title = t.smpp.kickTitle(bind.systemId, bind.address);
    const question = { title, body: t.smpp.kickBody, action: t.smpp.kick, danger: true };
    if ((await ask(question)) !== null) kick.mutate({ systemId: bind.systemId, bindId: bind.id });
  };
  return (
    <RoleButton
      need="owner"
      size="compact-sm"
      variant="default"
      aria-label={`${t.smpp.kick}: ${bind.systemId} ${bind.address}`}
      loading={kick.isPending}
      onClick={() => void start()}
    >
      {t.smpp.kick}
    </RoleButton>
  );
}
