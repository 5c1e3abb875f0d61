// The first page: how much was sent and delivered, the change against the period before, and problems that need an
// action. One choice of period applies to the whole page.
import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { Period } from '../../../../src/panel-api/overview/contract.ts';
import { dayMonth, hourMinute } from '../../format.ts';
import { useRead } from '../../queries.ts';
import { useMe } from '../../session.tsx';
import { t, withTexts } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { useKeys } from '../../ui/shortcut-rules.ts';
import { Trend } from '../../ui/trend.tsx';
import { useLive } from '../../ui/use-live.ts';
import { AttentionList } from './attention.tsx';
import { ByCarrier } from './by-carrier.tsx';
import { FigureTabs } from './figure-tabs.tsx';
import { type Shown, trendSteps } from './points.ts';
import { RecentOrders } from './recent-orders.tsx';

const FirstView = lazy(() => import('./first-view.tsx'));
const StaffStatusPage = lazy(() => withTexts(['staff'], () => import('../staff/status.tsx')));

const refreshMs = 20_000;
const periods = { gun: 'today', hafta: '7d', ay: '30d' } as const satisfies Record<string, Period>;
const isPeriod = (given: string | undefined): given is keyof typeof periods => given !== undefined && given in periods;
const tabs = { mesaj: 'total', oran: 'rate', ulasmayan: 'undelivered', kredi: 'credits' } as const;
const isTab = (given: string | undefined): given is keyof typeof tabs => given !== undefined && given in tabs;

export default function OverviewPage() {
  const me = useMe();
  if (me.account) return <FirstOrAll />;
  if (!me.user.staff) return <Page title={t.overview.title}>{null}</Page>;
  return (
    <Suspense fallback={null}>
      <StaffStatusPage />
    </Suspense>
  );
}

/** A new account sees the first SMS form until it leaves the page. */
function FirstOrAll() {
  const orders = useRead('orders.list', {});
  const [isFirst, setFirst] = useState(false);
  const isEmpty = orders.data?.rows.length === 0;
  useEffect(() => {
    if (isEmpty) setFirst(true);
  }, [isEmpty]);
  if (isFirst || isEmpty)
    return (
      <Page title={t.overview.title}>
        <Suspense fallback={null}>
          <FirstView />
        </Suspense>
      </Page>
    );
  return <AccountOverview />;
}

function AccountOverview() {
  const [search, change] = useSearchState();
  const chosen = isPeriod(search['donem']) ? search['donem'] : 'ay';
  const shown: Shown = tabs[isTab(search['grafik']) ? search['grafik'] : 'mesaj'];
  const compare = search['once'] !== '0';
  const read = useRead('overview.read', { period: periods[chosen] }, { refetchMs: refreshMs });
  const live = useLive();
  const choose = (period: keyof typeof periods) => change({ donem: period }, true);
  useKeys({ d: () => choose('gun'), w: () => choose('hafta'), m: () => choose('ay') });
  const data = read.data;
  const label = data?.step === 'hour' ? hourMinute : dayMonth;
  const show = (key: Shown) =>
    change({ grafik: Object.entries(tabs).find(([, one]) => one === key)?.[0] ?? null }, true);
  return (
    <Page
      title={t.overview.title}
      actions={
        <>
          {data && <span className="soft head-note">{spanWords(data.series.map(one => one.at))}</span>}
          <SegmentedControl
            aria-label={t.overview.period}
            value={chosen}
            onChange={value => change({ donem: value }, true)}
            data={[
              { value: 'gun', label: t.common.today },
              { value: 'hafta', label: t.overview.week },
              { value: 'ay', label: t.overview.month },
            ]}
          />
          <Button
            variant="default"
            className="toggle wide-only"
            aria-pressed={compare}
            leftSection={<IconArrowsDiff size={16} stroke={1.7} aria-hidden />}
            onClick={() => change({ once: compare ? '0' : null }, true)}
          >
            {t.overview.compare}
          </Button>
        </>
      }
    >
      <ReadState of={read}>
        <Skeleton height={98} mb={1} radius="lg" />
        <Skeleton height={270} mb={28} radius="lg" />
        <div className="two-blocks">
          <Skeleton height={220} />
          <Skeleton height={220} />
        </div>
      </ReadState>
      {data && (
        <>
          <AttentionList items={data.attention} />
          {!data.isComplete && <Note kind="info">{t.reports.counting}</Note>}
          <div className="panel-card">
            <FigureTabs data={data} shown={shown} onShow={show} />
            <Trend
              title={data.step === 'hour' ? t.overview.chartHours : t.overview.chartDays}
              steps={trendSteps(data.series, shown, label)}
              compare={compare}
              beforeLabel={t.overview.before[chosen]}
            />
          </div>
          <div className="two-blocks">
            <RecentOrders running={live.data?.running ?? data.running} />
            <ByCarrier rows={data.operators} />
          </div>
        </>
      )}
    </Page>
  );
}

/** "20 Ekim – 18 Kasım · canlı" */
function spanWords(moments: string[]): string {
  const [first, last] = [moments[0], moments.at(-1)];
  if (!first || !last) return '';
  const days = [dayMonth(first), dayMonth(last)];
  return `${days[0] === days[1] ? days[0] : days.join(' – ')} · ${t.overview.live}`;
}
