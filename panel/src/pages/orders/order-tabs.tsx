// Below the answer: recipients, those not reached, those filtered, movements of credit, and the details.
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { t } from '../../text/language.ts';
import { FilterTabs } from '../../ui/filter-tabs.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { Time } from '../../ui/time.tsx';
import { OrderFacts } from './facts.tsx';
import { OrderRecipients } from './recipients.tsx';
import { OrderTexts } from './texts.tsx';

type View = OutputOf<'orders.read'>;

export function OrderTabs({ order }: { order: View }) {
  const [search, change] = useSearchState();
  const { sekme, durum } = search;
  const states = (state: string | null) => () =>
    change({ sekme: null, durum: state, sebep: null, operator: null, numara: null });
  const isList = sekme !== 'hareketler' && sekme !== 'ayrintilar';
  const count = (value: number) => (value > 0 ? number(value) : undefined);
  return (
    <div className="order-tabs">
      <FilterTabs
        label={t.order.recipients}
        tabs={[
          {
            key: 'all',
            label: t.order.recipients,
            count: count(order.total),
            chosen: isList && durum !== 'undelivered' && durum !== 'filtered',
            choose: states(null),
          },
          {
            key: 'undelivered',
            label: t.messageStates.undelivered,
            count: count(order.undelivered),
            chosen: isList && durum === 'undelivered',
            choose: states('undelivered'),
          },
          {
            key: 'filtered',
            label: t.messageStates.filtered,
            count: count(order.filtered),
            chosen: isList && durum === 'filtered',
            choose: states('filtered'),
          },
          {
            key: 'ledger',
            label: t.order.ledger,
            count: count(order.ledger.length),
            chosen: sekme === 'hareketler',
            choose: () => change({ sekme: 'hareketler' }),
          },
          {
            key: 'details',
            label: t.order.details,
            chosen: sekme === 'ayrintilar',
            choose: () => change({ sekme: 'ayrintilar' }),
          },
        ]}
      />
      <OrderRecipients order={order} hidden={!isList} />
      {sekme === 'hareketler' && <Ledger order={order} />}
      {sekme === 'ayrintilar' && (
        <>
          <OrderFacts order={order} />
          <OrderTexts order={order} />
        </>
      )}
    </div>
  );
}

function Ledger({ order }: { order: View }) {
  return (
    <table className="grid plain-grid">
      <thead>
        <tr>
          <th scope="col">{t.common.time}</th>
          <th scope="col">{t.balance.kind}</th>
          <th scope="col" className="right">
            {t.orders.credits}
          </th>
        </tr>
      </thead>
      <tbody>
        {order.ledger.map(entry => (
          <tr key={`${entry.at}${entry.kind}`}>
            <td>
              <Time at={entry.at} exact />
            </td>
            <td>{t.ledgerKinds[entry.kind as keyof typeof t.ledgerKinds] ?? entry.kind}</td>
            <td className="right">{number(entry.sms)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
