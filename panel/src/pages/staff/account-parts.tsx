// People, sender IDs, brand codes, inbound numbers and SMPP users of one account, with the changes staff may make to each.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ask } from '../../ui/confirm.tsx';
import { Empty } from '../../ui/notes.tsx';
import { RowsTable } from '../../ui/rows-table.tsx';
import { Time } from '../../ui/time.tsx';
import { SmppStateBadge, waitingText } from '../developers/smpp-user.tsx';
import { SenderStateBadge } from '../senders/senders.tsx';

type View = OutputOf<'staff.account'>;

export function AccountUsers({ account }: { account: View }) {
  const reset = useChange('staff.resetSecondFactor', { done: t.common.saved });
  const start = async (userId: number, email: string) => {
    const question = {
      title: t.account.resetTotpTitle(email),
      body: t.account.resetTotpBody,
      action: t.account.resetTotp,
      danger: true,
      reason: t.common.reason,
    };
    const reason = await ask(question);
    if (reason !== null) reset.mutate({ userId, reason });
  };
  return (
    <Card title={t.account.users} flush>
      <RowsTable
        label={t.account.users}
        rows={account.users}
        rowKey={row => String(row.userId)}
        empty={<Empty title={t.account.none} />}
        columns={[
          { id: 'email', header: t.account.email, phone: 'title', cell: row => row.email },
          { id: 'role', header: t.account.role, phone: 'state', cell: row => t.roles[row.role] },
          { id: 'seen', header: t.account.lastSeen, phone: 'line', cell: row => <Time at={row.lastSeenAt} /> },
          {
            id: 'reset',
            header: '',
            align: 'right',
            phone: 'line',
            cell: row =>
              row.hasTotp && (
                <Button size="compact-xs" variant="default" onClick={() => void start(row.userId, row.email)}>
                  {t.account.resetTotp}
                </Button>
              ),
          },
        ]}
      />
    </Card>
  );
}

export function AccountSenders({ account }: { account: View }) {
  const revoke = useChange('staff.revokeSender', { done: t.common.saved });
  const start = async (name: string) => {
    const question = {
      title: t.account.revokeTitle(name),
      body: t.account.revokeBody,
      action: t.account.revoke,
      danger: true,
      reason: t.common.reason,
    };
    const reason = await ask(question);
    if (reason !== null) revoke.mutate({ id: account.id, name, reason });
  };
  return (
    <Card title={t.account.senders} flush>
      <RowsTable
        label={t.account.senders}
        rows={account.senders}
        rowKey={row => row.name}
        empty={<Empty title={t.account.none} />}
        columns={[
          { id: 'name', header: t.applications.sender, phone: 'title', cell: row => row.name },
          {
            id: 'state',
            header: t.common.state,
            phone: 'state',
            cell: row => (
              <>
                <SenderStateBadge state={row.state} /> {row.reason}
              </>
            ),
          },
          { id: 'used', header: t.account.lastUsed, phone: 'line', cell: row => <Time at={row.lastUsedAt} /> },
          {
            id: 'revoke',
            header: '',
            align: 'right',
            phone: 'line',
            cell: row =>
              row.state === 'approved' && (
                <Button size="compact-xs" variant="default" onClick={() => void start(row.name)}>
                  {t.account.revoke}
                </Button>
              ),
          },
        ]}
      />
    </Card>
  );
}

export function AccountBrands({ account }: { account: View }) {
  const [brand, setBrand] = useState({ code: '', quota: '' });
  const [inbound, setInbound] = useState({ number: '', keyword: '' });
  const addBrand = useChange('staff.addBrand', {
    done: t.common.saved,
    onDone: () => setBrand({ code: '', quota: '' }),
  });
  const addNumber = useChange('staff.addNumber', {
    done: t.common.saved,
    onDone: () => setInbound({ number: '', keyword: '' }),
  });
  const removeBrand = useChange('staff.removeBrand', { done: t.common.saved });
  const removeNumber = useChange('staff.removeNumber', { done: t.common.saved });
  const dropBrand = async (code: number) => {
    const title = t.support.removeBrandTitle(String(code));
    const question = { title, body: t.support.removeBrandBody, action: t.support.removeBrand, danger: true };
    const reason = await ask({ ...question, reason: t.common.reason });
    if (reason !== null) removeBrand.mutate({ id: account.id, code, reason });
  };
  const dropNumber = async (given: string, keyword: string) => {
    const title = t.support.removeNumberTitle([given, keyword].filter(Boolean).join(' '));
    const question = { title, body: t.support.removeNumberBody, action: t.support.removeNumber, danger: true };
    const reason = await ask({ ...question, reason: t.common.reason });
    if (reason !== null) removeNumber.mutate({ id: account.id, number: given, keyword, reason });
  };
  return (
    <div className="two-cards">
      <Card title={t.account.brands}>
        <Stack gap="sm">
          {account.brands
            .filter(one => one.active)
            .map(one => (
              <Group key={one.code} gap="sm">
                <Text size="sm">
                  <b>{one.code}</b> · {one.quota === null ? t.consents.noQuota : number(one.quota)}
                </Text>
                <Button size="compact-xs" variant="default" onClick={() => void dropBrand(one.code)}>
                  {t.support.removeBrand}
                </Button>
              </Group>
            ))}
          <Group align="flex-end" gap="sm">
            <TextInput
              label={t.account.brandCode}
              inputMode="numeric"
              w={130}
              value={brand.code}
              onChange={event => setBrand({ ...brand, code: event.currentTarget.value })}
            />
            <TextInput
              label={t.account.quota}
              inputMode="numeric"
              w={210}
              value={brand.quota}
              onChange={event => setBrand({ ...brand, quota: event.currentTarget.value })}
            />
            <Button
              variant="default"
              loading={addBrand.isPending}
              onClick={() =>
                addBrand.mutate({
                  id: account.id,
                  code: Number(brand.code),
                  quota: brand.quota.trim() === '' ? null : Number(brand.quota),
                })
              }
            >
              {t.account.addBrand}
            </Button>
          </Group>
        </Stack>
      </Card>
      <Card title={t.account.numbers}>
        <Stack gap="sm">
          {account.numbers.map(one => (
            <Group key={`${one.number}${one.keyword}`} gap="sm">
              <Text size="sm">
                <span className="mono">{one.number}</span> {one.keyword}
              </Text>
              <Button size="compact-xs" variant="default" onClick={() => void dropNumber(one.number, one.keyword)}>
                {t.support.removeNumber}
              </Button>
            </Group>
          ))}
          <Group align="flex-end" gap="sm">
            <TextInput
              label={t.account.inboundNumber}
              inputMode="numeric"
              w={180}
              value={inbound.number}
              onChange={event => setInbound({ ...inbound, number: event.currentTarget.value })}
            />
            <TextInput
              label={`${t.account.keyword} (${t.common.optional})`}
              w={200}
              value={inbound.keyword}
              onChange={event => setInbound({ ...inbound, keyword: event.currentTarget.value })}
            />
            <Button
              variant="default"
              loading={addNumber.isPending}
              onClick={() =>
                addNumber.mutate({
                  id: account.id,
                  number: inbound.number.trim(),
                  keyword: inbound.keyword.trim() || undefined,
                })
              }
            >
              {t.account.addNumber}
            </Button>
          </Group>
        </Stack>
      </Card>
    </div>
  );
}

/** The account's SMPP users, read-only. */
export function AccountSmpp({ account }: { account: View }) {
  return (
    <Card title={t.smpp.users}>
      {account.smppUsers.length === 0 && <Text size="sm">{t.account.none}</Text>}
      {account.smppUsers.map(one => (
        <Text size="sm" key={one.systemId} component="div">
          <SmppStateBadge user={one} /> <span className="mono">{one.systemId}</span> {one.name} · {t.smpp.binds}:{' '}
          {number(one.bound)} / {number(one.binds)} · {t.smpp.waiting}: {waitingText(one)}
        </Text>
      ))}
    </Card>
  );
}
