// Every operation of the contract with its handler: the compiler finds missing handlers and wrong types. contract.ts names the
// roles and call.ts enforces them, so handlers do not check them.

import { auditHandlers } from '../audit/audit.ts';
import { consentHandlers } from '../consent/consent.ts';
import { apiLogHandlers } from '../developers/api-log.ts';
import { developerHandlers } from '../developers/developers.ts';
import { exportHandlers } from '../exports/exports.ts';
import { blacklistHandlers } from '../lists/blacklist.ts';
import { inboxHandlers } from '../lists/inbox.ts';
import { balanceHandlers } from '../money/balance.ts';
import { numberHandlers } from '../orders/number.ts';
import { orderHandlers } from '../orders/orders.ts';
import { searchHandlers } from '../orders/search.ts';
import { liveHandlers } from '../overview/live.ts';
import { onboardingHandlers } from '../overview/onboarding.ts';
import { overviewHandlers } from '../overview/overview.ts';
import { reportHandlers } from '../reports/reports.ts';
import { draftHandlers } from '../send/drafts.ts';
import { sendHandlers } from '../send/send.ts';
import { identityHandlers } from '../senders/identity.ts';
import { senderHandlers } from '../senders/senders.ts';
import { legalHandlers } from '../session/legal.ts';
import { profileHandlers } from '../session/profile.ts';
import { sessionHandlers } from '../session/session.ts';
import { userHandlers } from '../session/users.ts';
import { keyHandlers } from '../settings/keys.ts';
import { settingsHandlers } from '../settings/settings.ts';
import { smppHandlers } from '../smpp/smpp.ts';
import { staffAccountHandlers } from '../staff/accounts.ts';
import { staffApplicationHandlers } from '../staff/applications.ts';
import { staffCarrierCareHandlers } from '../staff/carrier-care.ts';
import { staffCarrierDescriptionHandlers } from '../staff/carrier-description.ts';
import { staffCarrierHandlers } from '../staff/carriers.ts';
import { staffDoubtHandlers } from '../staff/doubts.ts';
import { staffHealthHandlers } from '../staff/health.ts';
import { staffStatusHandlers } from '../staff/status.ts';
import { staffSupportHandlers } from '../staff/support.ts';
import { staffUnroutedHandlers } from '../staff/unrouted.ts';
import { webhookHandlers } from '../webhook/webhook.ts';
import type { Handlers } from './context.ts';

export const handlers: Handlers = {
  ...sessionHandlers,
  ...profileHandlers,
  ...legalHandlers,
  ...userHandlers,
  ...auditHandlers,
  ...exportHandlers,
  ...overviewHandlers,
  ...reportHandlers,
  ...onboardingHandlers,
  ...liveHandlers,
  ...searchHandlers,
  ...sendHandlers,
  ...draftHandlers,
  ...orderHandlers,
  ...numberHandlers,
  ...apiLogHandlers,
  ...inboxHandlers,
  ...blacklistHandlers,
  ...consentHandlers,
  ...senderHandlers,
  ...identityHandlers,
  ...balanceHandlers,
  ...settingsHandlers,
  ...keyHandlers,
  ...webhookHandlers,
  ...smppHandlers,
  ...developerHandlers,
  ...staffHealthHandlers,
  ...staffStatusHandlers,
  ...staffDoubtHandlers,
  ...staffUnroutedHandlers,
  ...staffAccountHandlers,
  ...staffApplicationHandlers,
  ...staffCarrierHandlers,
  ...staffCarrierCareHandlers,
  ...staffCarrierDescriptionHandlers,
  ...staffSupportHandlers,
};
