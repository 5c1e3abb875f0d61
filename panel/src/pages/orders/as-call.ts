// The API call that would create the same order. The hash is never known here, and the reader fills in the numbers.

import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { serverAddress } from '../../paths.ts';

export function orderAsCall(order: OutputOf<'orders.read'>): string {
  const body = { request: { authentication: { key: '<API_KEY>', hash: '<API_HASH>' }, order: order.asRequest } };
  const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  return `curl -X POST ${serverAddress()}/v1/send-sms/json \\\n  -H 'Content-Type: application/json' \\\n  -d '${json}'`;
}
