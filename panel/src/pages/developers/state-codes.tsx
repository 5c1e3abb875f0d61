// What 110 to 115 mean: states of messages and of orders, which are no answer codes.
import { Text } from '@mantine/core';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';

const ofMessages = [110, 111, 112] as const;
const ofOrders = [113, 114, 115] as const;

export function StateCodes() {
  return (
    <Card title={t.docs.statesTitle} hint={t.docs.statesLead}>
      <table className="grid stacked">
        <caption className="visually-hidden">{t.docs.statesTitle}</caption>
        <tbody>
          {[...ofMessages, ...ofOrders].map(code => (
            <tr key={code}>
              <td className="nowrap">
                <b>{code}</b>
              </td>
              <td className="nowrap">{code < 113 ? t.docs.stateOfMessage : t.docs.stateOfOrder}</td>
              <td>{t.docs.states[code]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Text size="sm" mt="sm">
        {t.docs.statesNote}
      </Text>
    </Card>
  );
}
