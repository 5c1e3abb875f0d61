// The entries of the menu, for the sidebar and the palette.
import {
  IconAddressBook,
  IconAntenna,
  IconBan,
  IconBook,
  IconBuilding,
  IconCoins,
  IconFileCheck,
  IconGauge,
  IconHeartbeat,
  IconHistory,
  IconHome,
  IconInbox,
  IconInboxOff,
  IconLicense,
  IconListDetails,
  IconPlugConnected,
  IconRefresh,
  IconReportAnalytics,
  IconRocket,
  IconSettings,
  IconSignature,
  IconStack2,
  IconTerminal2,
  IconWebhook,
} from '@tabler/icons-react';
import { paths } from '../paths.ts';
import { t } from '../text/language.ts';

export type NavEntry = { label: string; path: string; icon?: typeof IconHome };
type NavGroup = { label: string | null; entries: NavEntry[] };

export function customerNav(showStart: boolean): NavGroup[] {
  const start = showStart ? [{ label: t.nav.start, path: paths.start(), icon: IconRocket }] : [];
  return [
    { label: null, entries: [{ label: t.nav.overview, path: paths.overview(), icon: IconHome }, ...start] },
    {
      label: t.nav.messages,
      entries: [
        { label: t.nav.orders, path: paths.orders(), icon: IconListDetails },
        { label: t.nav.inbox, path: paths.inbox(), icon: IconInbox },
        { label: t.nav.reports, path: paths.reports(), icon: IconReportAnalytics },
      ],
    },
    {
      label: t.nav.recipients,
      entries: [
        { label: t.nav.consents, path: paths.consents(), icon: IconAddressBook },
        { label: t.nav.blacklist, path: paths.blacklist(), icon: IconBan },
      ],
    },
    {
      label: t.nav.account,
      entries: [
        { label: t.nav.senders, path: paths.senders(), icon: IconSignature },
        { label: t.nav.balance, path: paths.balance(), icon: IconCoins },
      ],
    },
    {
      label: t.nav.developers,
      entries: [
        { label: t.nav.apiLog, path: paths.apiLog(), icon: IconTerminal2 },
        { label: t.nav.webhook, path: paths.webhook(), icon: IconWebhook },
        { label: t.nav.smpp, path: paths.smpp(), icon: IconPlugConnected },
        { label: t.nav.apiDocs, path: paths.apiDocs(), icon: IconBook },
      ],
    },
  ];
}

export const settingsEntry = (): NavEntry => ({
  label: t.nav.settings,
  path: paths.settings(),
  icon: IconSettings,
});

export const isSettings = (path: string): boolean => settingsNav().some(entry => entry.path === path);

export function settingsNav(): NavEntry[] {
  return [
    { label: t.nav.access, path: paths.access() },
    { label: t.nav.apiAccess, path: paths.apiAccess() },
    { label: t.nav.staticIp, path: paths.staticIp() },
    { label: t.nav.sending, path: paths.sending() },
    { label: t.nav.users, path: paths.users() },
    { label: t.nav.audit, path: paths.audit() },
    { label: t.nav.profile, path: paths.profile() },
    { label: t.nav.myTexts, path: paths.myTexts() },
  ];
}

/** `name`: of the first group, where entries of a customer stand above it. */
export function staffNav(name: string | null): NavGroup[] {
  return [
    {
      label: name,
      entries: [
        { label: t.nav.staffStatus, path: paths.staffStatus(), icon: IconGauge },
        { label: t.nav.staffHealth, path: paths.staffHealth(), icon: IconHeartbeat },
      ],
    },
    {
      label: t.nav.customers,
      entries: [
        { label: t.nav.staffAccounts, path: paths.staffAccounts(), icon: IconBuilding },
        { label: t.nav.staffApplications, path: paths.staffApplications(), icon: IconFileCheck },
      ],
    },
    {
      label: t.nav.traffic,
      entries: [
        { label: t.nav.staffCarriers, path: paths.staffCarriers(), icon: IconAntenna },
        { label: t.nav.staffQueue, path: paths.staffQueue(), icon: IconStack2 },
        { label: t.nav.staffUnrouted, path: paths.staffUnrouted(), icon: IconInboxOff },
        { label: t.nav.staffWebhooks, path: paths.staffWebhooks(), icon: IconWebhook },
        { label: t.nav.staffRegistry, path: paths.staffRegistry(), icon: IconRefresh },
      ],
    },
    {
      label: t.nav.installation,
      entries: [
        { label: t.nav.staffTexts, path: paths.staffTexts(), icon: IconLicense },
        { label: t.nav.staffAudit, path: paths.staffAudit(), icon: IconHistory },
      ],
    },
  ];
}
