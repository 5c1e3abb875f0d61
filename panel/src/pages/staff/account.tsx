// One account as staff see it: what it sent, then its facts, people and limits. Every change asks for a reason that the owner
// can read.
import { Button, DataList, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconBan, IconCoins, IconGauge, IconPlayerPlay } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { atLeast, number } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useChange, useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ask } from '../../ui/confirm.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { webhookLooks } from '../developers/webhook-state.tsx';
import { GrantCredit, SetRate } from './account-forms.tsx';
import { AccountBrands, AccountSenders, AccountSmpp, AccountUsers } from './account-parts.tsx';
import { AccountSupport } from './account-support.tsx';
import { AccountStatusBadge } from './accounts.tsx';

type View = OutputOf<'staff.account'>;

export default function StaffAccountPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const read = useRead('staff.account', { id: Number(id) }, { keep: false });
  const account = read.data;
  if (!account) {
    return (
      <Page title={`${t.accounts.name} ${id}`}>
        <ReadState of={read} />
      </Page>
    );
  }
  const { orders, total, delivered, isComplete } = account.orders30Days;
  const counted = (value: number) => atLeast(value, isComplete);
  return (
    <Page
      title={account.name}
      badge={<AccountStatusBadge status={account.status} />}
      path={<Link to={paths.staffAccounts()}>{t.accounts.title}</Link>}
      actions={<Actions account={account} />}
    >
      <ReadState of={read} />
      <div>
        <p className="answer-head">
          {total > 0 ? t.account.sent(counted(total), counted(delivered)) : t.account.sentNothing}
        </p>
        <p className="answer-rest">{t.account.standing(counted(orders), number(account.sms), number(account.rate))}</p>
      </div>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Facts account={account} />
        <Stack gap="md">
          <Card title={t.account.refusals24}>
            {account.refusals24Hours.length === 0 ? (
              <Text size="sm">{t.account.none}</Text>
            ) : (
              account.refusals24Hours.map(row => (
                <Text size="sm" key={row.cause}>
                  {number(row.count)} × {inOurs(row.sentence)}
                </Text>
              ))
            )}
          </Card>
          <Card title={t.account.webhook}>
            {account.webhooks.length === 0 && <Text size="sm">{t.account.none}</Text>}
            {account.webhooks.map(one => (
              <Text size="sm" key={one.id} component="div" style={{ overflowWrap: 'anywhere' }}>
                <Tone {...webhookLooks[one.state]}>{t.webhook[one.state]}</Tone> {one.url}
                {one.reason && <div className="bad">{inOurs(one.reason)}</div>}
              </Text>
            ))}
          </Card>
          <AccountSmpp account={account} />
        </Stack>
      </SimpleGrid>
      <AccountSupport account={account} />
      <AccountUsers account={account} />
      <AccountSenders account={account} />
      <AccountBrands account={account} />
    </Page>
  );
}

function Actions({ account }: { account: View }) {
  const [open, setOpen] = useState<'grant' | 'rate' | null>(null);
  const set = useChange('staff.setAccount', { done: t.common.saved });
  const isActive = account.status === 'active';
  const toggle = async () => {
    const question = isActive
      ? {
          title: t.account.suspendTitle(account.name),
          body: t.account.suspendBody,
          action: t.account.suspend,
          danger: true,
        }
      : { title: t.account.activateTitle(account.name), body: t.account.activateBody, action: t.account.activate };
    const reason = await ask({ ...question, reason: t.common.reason });
    if (reason !== null) set.mutate({ id: account.id, reason, status: isActive ? 'suspended' : 'active' });
  };
  return (
    <>
      <Button variant="default" leftSection={<IconGauge size={16} aria-hidden />} onClick={() => setOpen('rate')}>
        {t.account.setRate}
      </Button>
      <Button
        variant="default"
        leftSection={isActive ? <IconBan size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
        loading={set.isPending}
        onClick={() => void toggle()}
      >
        {isActive ? t.account.suspend : t.account.activate}
      </Button>
      <Button leftSection={<IconCoins size={16} aria-hidden />} onClick={() => setOpen('grant')}>
        {t.account.grant}
      </Button>
      <GrantCredit account={account} opened={open === 'grant'} onClose={() => setOpen(null)} />
      <SetRate account={account} opened={open === 'rate'} onClose={() => setOpen(null)} />
    </>
  );
}

function Facts({ account }: { account: View }) {
  const rows: [string, ReactNode][] = [
    [t.accounts.id, account.id],
    [t.accounts.owner, account.owner ?? '–'],
    [t.accounts.created, <Time key="c" at={account.createdAt} />],
    [t.accounts.lastOrder, <Time key="o" at={account.lastOrderAt} />],
    [t.account.api, account.apiEnabled ? t.common.on : t.common.off],
    [t.account.mode, t.modes[account.mode]],
    [t.account.abroad, account.abroad ? t.common.on : t.common.off],
    [t.account.keyStart, account.keyStart ? `${account.keyStart}…` : '–'],
    [t.account.apiIps, account.apiAddresses.join(', ') || '–'],
    [t.account.panelIps, account.panelAddresses.join(', ') || '–'],
  ];
  return (
    <Card title={t.account.facts}>
      <DataList labelWidth={140}>
        {rows.map(([label, value]) => (
          <DataList.Item key={label}>
            <DataList.ItemLabel>{label}</DataList.ItemLabel>
            <DataList.ItemValue>{value}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
    </Card>
  );
}
