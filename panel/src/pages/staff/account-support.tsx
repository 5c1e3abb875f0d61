// Links into a customer's account for support: each opens one of the customer's pages, read-only, after a reason was
// given.
import { Button, Group, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { viewAs } from '../../ui/support-view.tsx';

export function AccountSupport({ account }: { account: { id: number; name: string } }) {
  // Opens the searched order or number in its account.
  const { siparis, numara } = useSearch({ strict: false });
  const ways: [label: string, path: string][] = [
    ...(siparis ? [[t.order.name(siparis), paths.order(siparis)] as [string, string]] : []),
    ...(numara ? [[`${t.nav.number} ${numara}`, paths.number(numara)] as [string, string]] : []),
    [t.nav.overview, paths.overview()],
    [t.nav.orders, paths.orders()],
    [t.nav.inbox, paths.inbox()],
    [t.nav.balance, paths.balance()],
    [t.nav.apiLog, paths.apiLog()],
    [t.nav.webhook, paths.webhook()],
    [t.nav.audit, paths.audit()],
  ];
  return (
    <Card title={t.support.title}>
      <Text size="sm" mb="sm">
        {t.support.lead}
      </Text>
      <Group gap="sm">
        {ways.map(([label, path]) => (
          <Button
            key={path}
            size="xs"
            variant="default"
            leftSection={<IconEye size={14} />}
            onClick={() => void viewAs(account, path)}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Card>
  );
}
