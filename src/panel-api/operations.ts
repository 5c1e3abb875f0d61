// Every operation of the contract with its handler: the compiler sees that none is missing and none has the wrong shape.
// Roles stand in contract.ts and are enforced in call.ts, so a handler never asks who may.
import { apiLogHandlers } from './api-log.ts';
import { auditHandlers } from './audit.ts';
import { balanceHandlers } from './balance.ts';
import { blacklistHandlers } from './blacklist.ts';
import { consentHandlers } from './consent.ts';
import type { Handlers } from './context.ts';
import { developerHandlers } from './developers.ts';
import { draftHandlers } from './drafts.ts';
import { exportHandlers } from './exports.ts';
import { identityHandlers } from './identity.ts';
import { inboxHandlers } from './inbox.ts';
import { keyHandlers } from './keys.ts';
import { legalHandlers } from './legal.ts';
import { liveHandlers } from './live.ts';
import { numberHandlers } from './number.ts';
import { onboardingHandlers } from './onboarding.ts';
import { orderHandlers } from './orders.ts';
import { overviewHandlers } from './overview.ts';
import { profileHandlers } from './profile.ts';
import { reportHandlers } from './reports.ts';
import { searchHandlers } from './search.ts';
import { sendHandlers } from './send.ts';
import { senderHandlers } from './senders.ts';
import { sessionHandlers } from './session.ts';
import { settingsHandlers } from './settings.ts';
import { staffAccountHandlers } from './staff-accounts.ts';
import { staffApplicationHandlers } from './staff-applications.ts';
import { staffCarrierCareHandlers } from './staff-carrier-care.ts';
import { staffCarrierHandlers } from './staff-carriers.ts';
import { staffStatusHandlers } from './staff-status.ts';
import { staffSupportHandlers } from './staff-support.ts';
import { userHandlers } from './users.ts';
import { webhookHandlers } from './webhook.ts';

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
  ...developerHandlers,
  ...staffStatusHandlers,
  ...staffAccountHandlers,
  ...staffApplicationHandlers,
  ...staffCarrierHandlers,
  ...staffCarrierCareHandlers,
  ...staffSupportHandlers,
};
