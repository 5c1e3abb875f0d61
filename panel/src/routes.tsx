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
import { Shell } from './ui/shell.tsx';

type Importer = () => Promise<{ default: ComponentType }>;

const root = createRootRoute({ component: Outlet, notFoundComponent: MissingPage, errorComponent: CrashPage });
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });
const staff = createRoute({ getParentRoute: () => shell, id: 'staff', component: StaffOnly });

const publicPages: [path: string, load: Importer][] = [
  [paths.signIn(), () => import('./pages/sign-in.tsx')],
  [paths.signUp(), () => import('./pages/sign-up.tsx')],
  [paths.reset(), () => import('./pages/reset.tsx')],
  [paths.texts(), () => import('./pages/texts.tsx')],
  [paths.invite('$token'), () => import('./pages/invite.tsx')],
];

const customerPages: [path: string, load: Importer][] = [
  [paths.overview(), () => import('./pages/overview.tsx')],
  [paths.start(), () => import('./pages/start.tsx')],
  [paths.send(), () => import('./pages/send.tsx')],
  [paths.orders(), () => import('./pages/orders.tsx')],
  [paths.order('$id'), () => import('./pages/order.tsx')],
  [paths.reports(), () => import('./pages/reports.tsx')],
  [paths.scheduled(), () => import('./pages/scheduled.tsx')],
  [paths.inbox(), () => import('./pages/inbox.tsx')],
  [paths.consents(), () => import('./pages/consents.tsx')],
  [paths.consentImport(), () => import('./pages/consent-import.tsx')],
  [paths.blacklist(), () => import('./pages/blacklist.tsx')],
  [paths.number('$number'), () => import('./pages/number.tsx')],
  [paths.senders(), () => import('./pages/senders.tsx')],
  [paths.senderApply(), () => import('./pages/sender-apply.tsx')],
  [paths.subscription(), () => import('./pages/subscription.tsx')],
  [paths.balance(), () => import('./pages/balance.tsx')],
  [paths.apiLog(), () => import('./pages/api-log.tsx')],
  [paths.webhook(), () => import('./pages/webhook.tsx')],
  [paths.apiDocs(), () => import('./pages/api-docs.tsx')],
  [paths.access(), () => import('./pages/access.tsx')],
  [paths.apiAccess(), () => import('./pages/api-access.tsx')],
  [paths.staticIp(), () => import('./pages/static-ip.tsx')],
  [paths.sending(), () => import('./pages/sending.tsx')],
  [paths.users(), () => import('./pages/users.tsx')],
  [paths.audit(), () => import('./pages/audit.tsx')],
  [paths.profile(), () => import('./pages/profile.tsx')],
  [paths.myTexts(), () => import('./pages/my-texts.tsx')],
];

const staffPages: [path: string, load: Importer][] = [
  [paths.staffStatus(), () => import('./pages/staff-status.tsx')],
  [paths.staffAccounts(), () => import('./pages/staff-accounts.tsx')],
  [paths.staffAccount('$id'), () => import('./pages/staff-account.tsx')],
  [paths.staffApplications(), () => import('./pages/staff-applications.tsx')],
  [paths.staffCarriers(), () => import('./pages/staff-carriers.tsx')],
  [paths.staffCarrier('$id'), () => import('./pages/staff-carrier.tsx')],
  [paths.staffQueue(), () => import('./pages/staff-queue.tsx')],
  [paths.staffWebhooks(), () => import('./pages/staff-webhooks.tsx')],
  [paths.staffRegistry(), () => import('./pages/staff-registry.tsx')],
  [paths.staffTexts(), () => import('./pages/staff-texts.tsx')],
  [paths.staffAudit(), () => import('./pages/staff-audit.tsx')],
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
