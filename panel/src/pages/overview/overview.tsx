// The first screen of a working day: what can be spent, what went out, what runs, and what needs a hand, the last only
// when there is something.
import { Button, SegmentedControl, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Period } from '../../../../src/panel-api/overview/contract.ts';
import { number, percent } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { useMe } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { Card, Figure } from '../../ui/card.tsx';
import { LoadError, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { RateHelp } from '../../ui/rate-help.tsx';
import { RunningOrders } from '../../ui/running-orders.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { isTyping, shortcutsOn } from '../../ui/shortcut-rules.ts';
import { useLive } from '../../ui/use-live.ts';
import StaffStatusPage from '../staff/status.tsx';
import { AttentionList } from './attention.tsx';
import { OperatorRates, VolumeCharts } from './charts.tsx';

const refreshMs = 20_000;
const periods = { gun: '24h', hafta: '7d', ay: '30d' } as const satisfies Record<string, Period>;
const isPeriod = (given: string | undefined): given is keyof typeof periods => given !== undefined && given in periods;
const periodKeys: Record<string, string> = { d: 'gun', w: 'hafta', m: 'ay' };

export default function OverviewPage() {
  const me = useMe();
  if (!me.account) return me.user.staff ? <StaffStatusPage /> : <Page title={t.overview.title}>{null}</Page>;
  return <AccountOverview />;
}

function AccountOverview() {
  const [search, change] = useSearchState();
  const chosen = isPeriod(search['donem']) ? search['donem'] : 'gun';
  const read = useRead('overview.read', { period: periods[chosen] }, { refetchMs: refreshMs });
  const live = useLive();
  usePeriodKeys(period => change({ donem: period }, true));
  const data = read.data;
  const picker = (
    <SegmentedControl
      size="xs"
      aria-label={t.overview.period}
      value={chosen}
      onChange={value => change({ donem: value }, true)}
      data={[
        { value: 'gun', label: t.overview.day },
        { value: 'hafta', label: t.overview.week },
        { value: 'ay', label: t.overview.month },
      ]}
    />
  );
  const send = (
    <Button component={Link} to={paths.send()} leftSection={<IconSend size={16} />}>
      {t.nav.send}
    </Button>
  );
  return (
    <Page title={t.overview.title} actions={send}>
      {read.error ? (
        <LoadError error={read.error} since={data ? read.dataUpdatedAt : undefined} retry={() => void read.refetch()} />
      ) : null}
      {!data && read.isPending && <Skeleton height={420} />}
      {data && (
        <Stack gap="md">
          <AttentionList items={data.attention} />
          {!data.isComplete && <Note kind="info">{t.reports.counting}</Note>}
          <div className="figures">
            <Figure label={t.overview.balance} value={number(live.data?.balance ?? data.balance)} />
            <Figure
              label={t.overview.today}
              value={number(data.today.total)}
              note={t.overview.todayNote(number(data.today.delivered))}
            />
            <Figure
              label={t.overview.rate}
              value={
                <>
                  {percent(data.deliveryRate)} <RateHelp />
                </>
              }
              note={t.overview.rateNote[chosen]}
            />
            <Figure label={t.overview.running} value={number(live.data?.running.length ?? data.running.length)} />
          </div>
          <RunningOrders orders={live.data?.running ?? data.running} />
          <VolumeCharts data={data} picker={picker} />
          <SimpleGrid cols={1}>
            <Card title={t.overview.byOperator} hint={t.overview.rateNote[chosen]}>
              <OperatorRates rows={data.operators} />
            </Card>
          </SimpleGrid>
        </Stack>
      )}
    </Page>
  );
}

function usePeriodKeys(choose: (period: string) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const period = periodKeys[event.key];
      if (period && shortcutsOn() && !isTyping(event)) choose(period);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}
