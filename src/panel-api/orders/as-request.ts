// The request that would create the same order, for "copy as API call". A member of the request that an order's page shows under the
// same name is copied by itself.
import { sendSmsRequest } from '../../api/orders-contract.ts';
import type { OrderView } from './contract.ts';

/** Members of the request that are not copied: the copy is sent now, with the account's own encoding. */
export const notCopied = ['sendDateTime', 'encoding'];

const members = Object.keys(sendSmsRequest.properties.order.properties).filter(name => !notCopied.includes(name));

/** The reader fills in the recipients. */
export function asRequest(order: Omit<OrderView, 'asRequest'>): Record<string, unknown> {
  const commercial = order.commercial ? { iys: '1', iysList: order.commercial } : {};
  const message = { text: order.textList[0]?.text ?? '', receipents: { number: ['5XXXXXXXXX'] } };
  const values: Record<string, unknown> = { ...order, ...commercial, message };
  return Object.fromEntries(members.flatMap(name => (values[name] == null ? [] : [[name, values[name]]])));
}
