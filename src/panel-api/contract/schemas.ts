// Every operation of the panel with the schemas of its input and of its answer.
import { auditOperations } from '../audit/contract.ts';
import { consentOperations } from '../consent/contract.ts';
import { developersOperations } from '../developers/contract.ts';
import { exportsOperations } from '../exports/contract.ts';
import { listsOperations } from '../lists/contract.ts';
import { moneyOperations } from '../money/contract.ts';
import { ordersOperations } from '../orders/contract.ts';
import { overviewOperations } from '../overview/contract.ts';
import { reportsOperations } from '../reports/contract.ts';
import { sendOperations } from '../send/contract.ts';
import { sendersOperations } from '../senders/contract.ts';
import { sessionOperations } from '../session/contract.ts';
import { legalOperations } from '../session/legal-contract.ts';
import { settingsOperations } from '../settings/contract.ts';
import { smppOperations } from '../smpp/contract.ts';
import { staffAccountsOperations } from '../staff/accounts-contract.ts';
import { staffApplicationsOperations } from '../staff/applications-contract.ts';
import { staffCarriersOperations } from '../staff/carriers-contract.ts';
import { staffHealthOperations } from '../staff/health-contract.ts';
import { staffUnroutedOperations } from '../staff/unrouted-contract.ts';
import { staffWatchOperations } from '../staff/watch-contract.ts';
import { webhookOperations } from '../webhook/contract.ts';

export const schemas = {
  ...sessionOperations,
  ...legalOperations,
  ...auditOperations,
  ...consentOperations,
  ...developersOperations,
  ...exportsOperations,
  ...listsOperations,
  ...moneyOperations,
  ...ordersOperations,
  ...overviewOperations,
  ...reportsOperations,
  ...sendOperations,
  ...sendersOperations,
  ...settingsOperations,
  ...smppOperations,
  ...staffAccountsOperations,
  ...staffApplicationsOperations,
  ...staffCarriersOperations,
  ...staffHealthOperations,
  ...staffUnroutedOperations,
  ...staffWatchOperations,
  ...webhookOperations,
};

export type Schemas = typeof schemas;
