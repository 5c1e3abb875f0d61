// Where each brand stands with the registry: quota, what waits, what is wrong; and refusals by cause with a remedy.
import { Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Note } from '../../ui/notes.tsx';
import { Time } from '../../ui/time.tsx';

type Overview = OutputOf<'consent.overview'>;

export function BrandCards({ overview }: { overview: Overview }) {
  const refusals = useRead('consent.refusals', {}, { enabled: overview.counts.refused > 0 });
  const groups = refusals.data?.groups ?? [];
  return (
    <Stack gap="md">
      {overview.trouble && <Note kind="warn">{inOurs(overview.trouble.sentence)}</Note>}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {overview.brands.map(brand => (
          <Brand key={brand.code} brand={brand} />
        ))}
        {groups.length > 0 && (
          <Card title={t.consents.refusals} hint={t.consents.refusalsNote}>
            <Stack gap={6}>
              {groups.map(group => (
                <Group key={group.code} justify="space-between" wrap="nowrap" gap="sm">
                  <Text size="sm">
                    <span className="mono">{group.code}</span> {inOurs(group.sentence)}
                  </Text>
                  <Text size="sm" fw="var(--fw-strong)">
                    {number(group.count)}
                  </Text>
                </Group>
              ))}
            </Stack>
          </Card>
        )}
      </SimpleGrid>
    </Stack>
  );
}

function Brand({ brand }: { brand: Overview['brands'][number] }) {
  const share = brand.quota ? Math.min(1, brand.usedThisMonth / brand.quota) : 0;
  return (
    <Card title={`${t.consents.brand} ${brand.code}`}>
      <Stack gap={6}>
        {brand.pause && (
          <Note kind="bad" title={t.consents.paused}>
            {inOurs(brand.pause.sentence)}
          </Note>
        )}
        {brand.quota === null ? (
          <Text size="sm">{t.consents.noQuota}</Text>
        ) : (
          <>
            <Text size="sm">{t.consents.quota(number(brand.usedThisMonth), number(brand.quota))}</Text>
            <Progress
              value={share * 100}
              size={6}
              color={share > 0.9 ? 'orange' : 'cini'}
              aria-label={t.consents.quota(number(brand.usedThisMonth), number(brand.quota))}
            />
          </>
        )}
        <Text size="sm">{t.consents.waiting(number(brand.waiting))}</Text>
        <Text size="sm" c="dimmed" component="div">
          {t.consents.pulled}: <Time at={brand.pulledAt} />
          {brand.isReconciling && ` · ${t.consents.reconciling}`}
        </Text>
      </Stack>
    </Card>
  );
}
