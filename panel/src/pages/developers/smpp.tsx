// SMPP for programs of the customer: its users and their binds, what keeps one from binding, and where to bind. A user's
// settings and pending receipts stand in a drawer.
import '../../pages.css';
import { Button, DataList, Drawer } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Fact } from '../../ui/fact.tsx';
import { List } from '../../ui/list.tsx';
import { Empty, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { SmppBinds } from './smpp-binds.tsx';
import { SmppForm } from './smpp-form.tsx';
import { SmppStateBadge, SmppUser, waitingText } from './smpp-user.tsx';

type Smpp = OutputOf<'smpp.list'>;
type User = Smpp['users'][number];
type Login = OutputOf<'smpp.add'>;
const refreshMs = 2_000;
/** Search key of the user in the drawer. */
const userKey = 'kullanici';

export default function SmppPage() {
  const [search, change] = useSearchState();
  const open = useCallback((user: User) => change({ [userKey]: user.systemId }), [change]);
  const [login, setLogin] = useState<Login | null>(null);
  const [adding, setAdding] = useState(false);
  const list = useList('smpp.list', {
    name: 'smpp-users',
    label: t.smpp.users,
    rows: data => data.users,
    rowKey: row => row.systemId,
    columns: userColumns,
    refetchMs: refreshMs,
    onOpen: open,
    empty: <Empty title={t.smpp.none}>{t.smpp.noneBody}</Empty>,
  });
  const { data } = list;
  const chosen = data?.users.find(one => one.systemId === search[userKey]);
  const full = data && data.users.length >= data.max ? t.smpp.full(data.max) : null;
  const add = (
    <RoleButton need="owner" reason={full} leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t.smpp.add}
    </RoleButton>
  );
  return (
    <Page title={t.smpp.title} actions={add}>
      {data && (
        <div>
          {data.users.length > 0 && (
            <p className="answer-head">
              {t.smpp.head(number(data.users.filter(one => one.bound > 0).length), number(data.users.length))}
            </p>
          )}
          <p className="answer-rest">{t.smpp.lead}</p>
        </div>
      )}
      {data && <Unbound users={data.users} onOpen={open} />}
      <List of={list} />
      {data && data.users.length > 0 && <SmppBinds binds={data.liveBinds} />}
      {data && <ServerCard server={data.server} />}
      {adding && (
        <SmppForm
          limits={data?.limits}
          onClose={() => setAdding(false)}
          onAdded={added => {
            setAdding(false);
            setLogin(added);
          }}
        />
      )}
      <Drawer
        opened={chosen !== undefined}
        onClose={() => change({ [userKey]: null })}
        title={chosen && <span className="mono">{chosen.systemId}</span>}
        closeButtonProps={{ 'aria-label': t.common.close }}
      >
        {chosen && data && <SmppUser key={chosen.systemId} user={chosen} limits={data.limits} onLogin={setLogin} />}
      </Drawer>
      <SecretDialog
        title={t.smpp.newTitle}
        body={t.smpp.newBody}
        secrets={login && data ? loginLines(login, data.server) : null}
        onClose={() => setLogin(null)}
      />
    </Page>
  );
}

/** Why a client cannot bind: no allowed address, or the reason of the last refusal. */
function Unbound({ users, onOpen }: { users: User[]; onOpen: (user: User) => void }) {
  const stuck = users.filter(one => one.enabled && one.bound === 0 && (one.addresses.length === 0 || one.lastError));
  return stuck.map(user => (
    <Note
      key={user.systemId}
      kind="warn"
      title={user.systemId}
      action={
        <Button size="xs" variant="default" onClick={() => onOpen(user)}>
          {t.smpp.openUser}
        </Button>
      }
    >
      {user.addresses.length === 0 ? t.smpp.closedBody : `${t.smpp.lastError}: ${user.lastError}`}
    </Note>
  ));
}

/** What a client needs to bind, each with a copy button; the password is shown once. */
function loginLines(login: Login, server: Smpp['server']): [string, string][] {
  return [...serverLines(server), ['system_id', login.systemId], [t.smpp.password, login.password]];
}

function serverLines({ host, port, tlsPort }: Smpp['server']): [string, string][] {
  const lines: [string, string | null][] = [
    [t.smpp.host, port === null && tlsPort === null ? null : host],
    [t.smpp.tlsPort, tlsPort === null ? null : String(tlsPort)],
    [t.smpp.port, port === null ? null : String(port)],
  ];
  return lines.filter((line): line is [string, string] => line[1] !== null);
}

function ServerCard({ server }: { server: Smpp['server'] }) {
  const lines = serverLines(server);
  return (
    <Card title={t.smpp.server} hint={server.tlsPort === null ? t.smpp.plainOnly : t.smpp.useTls}>
      <DataList labelWidth={150}>
        {lines.map(([label, value]) => (
          <Fact key={label} label={label}>
            <span className="mono">{value}</span> <CopyButton value={value} label={`${t.copy.label}: ${label}`} />
          </Fact>
        ))}
        {lines.length === 0 && <Fact label={t.smpp.host}>{t.smpp.askOperator}</Fact>}
        <Fact label={t.smpp.protocol}>{t.smpp.protocolValue}</Fact>
      </DataList>
    </Card>
  );
}

const slotsMax = 20;

/** A mark for each bind that may be open, filled where one is. */
function BindSlots({ bound, binds }: { bound: number; binds: number }) {
  const slots = Array.from({ length: Math.min(binds, slotsMax) }, (_, at) => at);
  return (
    <span className="slots" aria-hidden="true">
      {slots.map(at => (
        <i key={at} data-bound={at < bound} />
      ))}
    </span>
  );
}

function userColumns(): Column<User>[] {
  return [
    {
      id: 'user',
      header: 'system_id',
      phone: 'title',
      sort: row => row.systemId,
      cell: row => <span className="mono strong">{row.systemId}</span>,
    },
    { id: 'name', header: t.smpp.name, phone: 'line', sort: row => row.name, cell: row => row.name || '–' },
    { id: 'state', header: t.common.state, phone: 'state', cell: row => <SmppStateBadge user={row} /> },
    {
      id: 'binds',
      header: t.smpp.binds,
      align: 'right',
      phone: 'line',
      phoneLabel: true,
      sort: row => row.bound,
      cell: row => (
        <span className="slots">
          <BindSlots bound={row.bound} binds={row.binds} />
          {`${number(row.bound)} / ${number(row.binds)}`}
        </span>
      ),
    },
    {
      id: 'waiting',
      header: t.smpp.waiting,
      align: 'right',
      phone: 'line',
      phoneLabel: true,
      sort: row => row.waiting,
      cell: row => waitingText(row),
    },
    {
      id: 'addresses',
      header: t.smpp.addresses,
      cell: row => (
        <span className="clip mono" style={{ maxWidth: 220 }} title={row.addresses.join(', ')}>
          {row.addresses.join(', ') || '–'}
        </span>
      ),
    },
    {
      id: 'last',
      header: t.smpp.lastBind,
      sort: row => row.lastBindAt ?? '',
      cell: row => <Time at={row.lastBindAt} />,
    },
  ];
}
