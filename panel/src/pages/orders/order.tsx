// One order: the answer, its route, why messages did not arrive, and behind tabs recipients, money and details.
import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconCode, IconRepeat } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { call, faultOf, sentenceOf } from '../../api.ts';
import { percent } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { useMay } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { announce } from '../../ui/announce.tsx';
import { CopyButton, useCopied } from '../../ui/copy.tsx';
import { Empty } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { finalCount } from '../../ui/segment-bar.tsx';
import { OrderStateBadge } from '../../ui/states.tsx';
import { showFailure } from '../../ui/toast.tsx';
import { keepDraft } from '../send/draft.ts';
import { OrderAnswer } from './answer.tsx';
import { orderAsCall } from './as-call.ts';
import { OrderBreakdown } from './breakdown.tsx';
import { CancelOrder } from './cancel-order.tsx';
import { OrderTabs } from './order-tabs.tsx';
import { Route } from './route.tsx';

const busyMs = 2_000;
const idleMs = 20_000;
type View = OutputOf<'orders.read'>;

export default function OrderPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const pace = (data?: View) => (data?.state === 'sending' ? busyMs : data?.state === 'scheduled' ? idleMs : false);
  const read = useRead('orders.read', { id: Number(id) }, { refetchMs: pace, keep: false });
  const order = read.data;
  if (!order) {
    const missing = faultOf(read.error)?.code === '455' || faultOf(read.error)?.code === 'not-found';
    return (
      <Page title={t.order.name(id)}>
        {missing && <Empty title={t.order.missing(id)} />}
        {!missing && <ReadState of={read} />}
      </Page>
    );
  }
  const share = order.total === 0 ? 0 : finalCount(order) / order.total;
  const tabTitle =
    order.state === 'sending' ? t.order.tab(percent(Math.floor(share * 100) / 100), id) : t.order.name(id);
  return (
    <Page
      title={t.order.name(id)}
      tabTitle={tabTitle}
      path={
        <Link to={paths.orders()} className="plain">
          {t.orders.title}
        </Link>
      }
      shown={
        <>
          <span className="visually-hidden">{t.order.name('')}</span>
          {id}
        </>
      }
      badge={
        <>
          <CopyButton value={id} />
          <OrderStateBadge order={order} />
        </>
      }
      actions={<Actions order={order} />}
    >
      <SpokenProgress share={share} />
      <ReadState of={read} />
      <OrderAnswer order={order} />
      {order.state !== 'scheduled' && order.state !== 'cancelled' && (
        <>
          <Route order={order} />
          <OrderBreakdown order={order} />
        </>
      )}
      <OrderTabs order={order} />
    </Page>
  );
}

/** A screen reader hears quarters, not every tick. */
function SpokenProgress({ share }: { share: number }) {
  const spoken = useRef(Math.floor(share * 4));
  useEffect(() => {
    const quarter = Math.floor(share * 4);
    if (quarter <= spoken.current) return;
    spoken.current = quarter;
    announce(t.order.progressSaid(percent(quarter / 4)));
  }, [share]);
  return null;
}

function Actions({ order }: { order: View }) {
  const navigate = useNavigate();
  const maySend = useMay('sender');
  const [copied, copy] = useCopied();
  const reuse = async (which: 'all' | 'undelivered') => {
    try {
      const { numbers } = await call('orders.reuse', { id: order.id, which });
      keepDraft({
        typed: numbers.join('\n'),
        text: order.textList.length === 1 ? (order.textList[0]?.text ?? '') : '',
      });
      void navigate({ to: paths.send() });
    } catch (error) {
      showFailure(sentenceOf(error));
    }
  };
  return (
    <>
      <Button variant="default" leftSection={<IconCode size={16} />} onClick={() => copy(orderAsCall(order))}>
        {copied ? t.copy.done : t.order.copyCall}
      </Button>
      {!maySend && order.state !== 'scheduled' && (
        <RoleButton need="sender" variant="default" leftSection={<IconRepeat size={16} />}>
          {t.order.reuse}
        </RoleButton>
      )}
      {maySend && order.state !== 'scheduled' && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              variant="default"
              leftSection={<IconRepeat size={16} />}
              rightSection={<IconChevronDown size={14} />}
            >
              {t.order.reuse}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void reuse('all')}>{t.order.reuseAll}</Menu.Item>
            <Menu.Item onClick={() => void reuse('undelivered')}>{t.order.reuseFailed}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <CancelOrder order={order} />
    </>
  );
}
