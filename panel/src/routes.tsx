// Every page of the console, each loaded when first visited. Addresses come from paths.ts.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { base, paths } from './paths.ts';
import { CrashPage, MissingPage, StaffOnly } from './ui/fallback-pages.tsx';
import { parseSearch, stringifySearch } from './ui/search-state.ts';

type Importer = () => Promise<{ default: ComponentType }>;

const root = createRootRoute({ component: Outlet, notFoundComponent: MissingPage, errorComponent: CrashPage });
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyRouteComponent(() => import('./ui/shell.tsx')),
});
const staff = createRoute({ getParentRoute: () => shell, id: 'staff', component: StaffOnly });

const publicPages: [path: string, load: Importer][] = [
  [paths.signIn(), () => import('./pages/entry/sign-in.tsx')],
  [paths.signUp(), () => import('./pages/entry/sign-up.tsx')],
  [paths.reset(), () => import('./pages/entry/reset.tsx')],
  [paths.texts(), () => import('./pages/entry/texts.tsx')],
  [paths.invite('$token'), () => import('./pages/entry/invite.tsx')],
];

const customerPages: [path: string, load: Importer][] = [
  [paths.overview(), () => import('./pages/overview/overview.tsx')],
  [paths.start(), () => import('./pages/start/start.tsx')],
  [paths.send(), () => import('./pages/send/send.tsx')],
  [paths.orders(), () => import('./pages/orders/orders.tsx')],
  [paths.order('$id'), () => import('./pages/orders/order.tsx')],
  [paths.reports(), () => import('./pages/orders/reports.tsx')],
  [paths.scheduled(), () => import('./pages/orders/scheduled.tsx')],
  [paths.inbox(), () => import('./pages/inbox/inbox.tsx')],
  [paths.consents(), () => import('./pages/consents/consents.tsx')],
  [paths.consentImport(), () => import('./pages/consents/consent-import.tsx')],
  [paths.blacklist(), () => import('./pages/blacklist/blacklist.tsx')],
  [paths.number('$number'), () => import('./pages/orders/number.tsx')],
  [paths.senders(), () => import('./pages/senders/senders.tsx')],
  [paths.senderApply(), () => import('./pages/senders/sender-apply.tsx')],
  [paths.subscription(), () => import('./pages/senders/subscription.tsx')],
  [paths.balance(), () => import('./pages/balance/balance.tsx')],
  [paths.apiLog(), () => import('./pages/developers/api-log.tsx')],
  [paths.webhook(), () => import('./pages/developers/webhook.tsx')],
  [paths.smpp(), () => import('./pages/developers/smpp.tsx')],
  [paths.apiDocs(), () => import('./pages/developers/api-docs.tsx')],
  [paths.access(), () => import('./pages/settings/access.tsx')],
  [paths.apiAccess(), () => import('./pages/settings/api-access.tsx')],
  [paths.staticIp(), () => import('./pages/settings/static-ip.tsx')],
  [paths.sending(), () => import('./pages/settings/sending.tsx')],
  [paths.users(), () => import('./pages/settings/users.tsx')],
  [paths.audit(), () => import('./pages/settings/audit.tsx')],
  [paths.profile(), () => import('./pages/settings/profile.tsx')],
  [paths.myTexts(), () => import('./pages/settings/my-texts.tsx')],
];

const staffPages: [path: string, load: Importer][] = [
  [paths.staffStatus(), () => import('./pages/staff/status.tsx')],
  [paths.staffAccounts(), () => import('./pages/staff/accounts.tsx')],
  [paths.staffAccount('$id'), () => import('./pages/staff/account.tsx')],
  [paths.staffApplications(), () => import('./pages/staff/applications.tsx')],
  [paths.staffCarriers(), () => import('./pages/staff/carriers.tsx')],
  [paths.staffCarrier('$id'), () => import('./pages/staff/carrier.tsx')],
  [paths.staffHealth(), () => import('./pages/staff/health.tsx')],
  [paths.staffQueue(), () => import('./pages/staff/queue.tsx')],
  [paths.staffWebhooks(), () => import('./pages/staff/webhooks.tsx')],
  [paths.staffRegistry(), () => import('./pages/staff/registry.tsx')],
  [paths.staffTexts(), () => import('./pages/staff/texts.tsx')],
  [paths.staffAudit(), () => import('./pages/staff/audit.tsx')],
];

type Parent = typeof root | typeof shell | typeof staff;
const under = (parent: Parent, pages: [string, Importer][]) =>
  pages.map(([path, load]) =>
    createRoute({ getParentRoute: () => parent as typeof root, path, component: lazyRouteComponent(load) }),
  );
const settings = createRoute({
  getParentRoute: () => shell,
  path: paths.settings(),
  beforeLoad: () => {
    throw redirect({ to: paths.access(), replace: true });
  },
});
// Inside the shell, so that a mistyped address keeps the menu.
const missing = createRoute({ getParentRoute: () => shell, path: '$', component: MissingPage });

export const router = createRouter({
  routeTree: root.addChildren([
    ...under(root, publicPages),
    shell.addChildren([...under(shell, customerPages), staff.addChildren(under(staff, staffPages)), settings, missing]),
  ]),
  basepath: base,
  parseSearch,
  stringifySearch,
  defaultErrorComponent: CrashPage,
  defaultNotFoundComponent: MissingPage,
  defaultPreload: 'intent',
  scrollRestoration: true,
});
