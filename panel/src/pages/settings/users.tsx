// The people of an account, what each role may do, and invitations shared by link.
import { NativeSelect, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import type { MemberRole } from '../../../../src/panel-api/contract/facts.ts';
import { useChange } from '../../queries.ts';
import { useMay, useMe } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ask } from '../../ui/confirm.tsx';
import { List } from '../../ui/list.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { NeedsRole, RoleButton } from '../../ui/role-button.tsx';
import { RowsTable } from '../../ui/rows-table.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { RoleMatrix } from './role-matrix.tsx';
import { roleOptions } from './role-options.ts';
import { UserInvite } from './user-invite.tsx';

type Member = OutputOf<'users.list'>['users'][number];
type Invite = OutputOf<'users.list'>['invites'][number];
export default function UsersPage() {
  const me = useMe();
  const [inviting, setInviting] = useState(false);
  const mayOwn = useMay('owner');
  const { mutate: setRole } = useChange('users.setRole', { done: t.users.changed });
  const { mutate: remove } = useChange('users.remove', { done: t.users.removed });
  const { mutate: revoke } = useChange('users.revokeInvite', { done: t.common.saved });
  const list = useList('users.list', {
    enabled: mayOwn,
    name: 'users',
    label: t.users.title,
    rows: data => data.users,
    rowKey: row => String(row.userId),
    columns: useMemo(() => memberColumns(me.user.id, setRole, remove), [me.user.id, setRole, remove]),
    empty: <Empty title={t.users.title} />,
  });
  const invites = useMemo(() => inviteColumns(revoke), [revoke]);
  const invite = (
    <RoleButton need="owner" leftSection={<IconPlus size={16} />} onClick={() => setInviting(true)}>
      {t.users.invite}
    </RoleButton>
  );
  return (
    <Page title={t.users.title} actions={invite}>
      {mayOwn ? <List of={list} /> : <NeedsRole need="owner" />}
      {list.data && list.data.invites.length > 0 && (
        <Card title={t.users.invites}>
          <RowsTable
            label={t.users.invites}
            columns={invites}
            rows={list.data.invites}
            rowKey={row => String(row.id)}
            empty={null}
          />
        </Card>
      )}
      <RoleMatrix />
      <UserInvite opened={inviting} onClose={() => setInviting(false)} />
    </Page>
  );
}

type SetRole = (input: { userId: number; role: MemberRole }) => void;

function memberColumns(myId: number, setRole: SetRole, remove: (input: { userId: number }) => void): Column<Member>[] {
  const askRemove = async (member: Member) => {
    const question = {
      title: t.users.removeTitle(member.email),
      body: t.users.removeBody,
      action: t.common.remove,
      danger: true,
    };
    if ((await ask(question)) !== null) remove({ userId: member.userId });
  };
  return [
    {
      id: 'name',
      header: t.users.email,
      sort: row => row.email,
      phone: 'title',
      cell: row => (
        <Stack gap={0}>
          <span>
            {row.email} {row.userId === myId && `(${t.users.you})`}
          </span>
          {row.name && <span>{row.name}</span>}
        </Stack>
      ),
    },
    {
      id: 'role',
      header: t.users.role,
      phone: 'state',
      cell: row =>
        row.userId === myId ? (
          t.roles[row.role]
        ) : (
          <NativeSelect
            size="xs"
            aria-label={`${t.users.role}: ${row.email}`}
            value={row.role}
            data={roleOptions()}
            onChange={event => setRole({ userId: row.userId, role: event.currentTarget.value as MemberRole })}
          />
        ),
    },
    { id: 'totp', header: t.users.twoFactor, cell: row => (row.hasTotp ? t.common.on : t.common.off) },
    {
      id: 'seen',
      header: t.users.lastSeen,
      cell: row => <Time at={row.lastSeenAt} />,
      sort: row => row.lastSeenAt ?? '',
      phone: 'line',
    },
    { id: 'added', header: t.users.added, cell: row => <Time at={row.addedAt} /> },
    {
      id: 'remove',
      header: '',
      align: 'right',
      cell: row =>
        row.userId !== myId && (
          <RoleButton need="owner" size="compact-xs" variant="default" onClick={() => void askRemove(row)}>
            {t.common.remove}
          </RoleButton>
        ),
    },
  ];
}

function inviteColumns(revoke: (input: { id: number }) => void): Column<Invite>[] {
  return [
    { id: 'email', header: t.users.email, cell: row => row.email, phone: 'title' },
    { id: 'role', header: t.users.role, cell: row => t.roles[row.role], phone: 'state' },
    {
      id: 'expires',
      header: t.users.expires,
      cell: row => <Time at={row.expiresAt} />,
      phone: 'line',
      phoneLabel: true,
    },
    {
      id: 'revoke',
      header: '',
      align: 'right',
      cell: row => (
        <RoleButton need="owner" size="compact-xs" variant="default" onClick={() => revoke({ id: row.id })}>
          {t.users.revoke}
        </RoleButton>
      ),
    },
  ];
}
