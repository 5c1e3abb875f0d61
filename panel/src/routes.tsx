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
import { type Part, withTexts } from './text/language.ts';
import { CrashPage, MissingPage, StaffOnly } from './ui/fallback-pages.tsx';
import { parseSearch, stringifySearch, validSearch } from './ui/search-state.ts';

type Importer = () => Promise<{ default: ComponentType }>;
/** A page, and the parts of the dictionary that it reads beside those of its frame. */
type Entry = [path: string, texts: Part[], load: Importer];

const root = createRootRoute({
  validateSearch: validSearch,
  component: Outlet,
  notFoundComponent: MissingPage,
  errorComponent: CrashPage,
});
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyRouteComponent(() => withTexts(['frame'], () => import('./ui/shell.tsx'))),
});
const staff = createRoute({ getParentRoute: () => shell, id: 'staff', component: StaffOnly });

const publicPages: Entry[] = [
  [paths.signIn(), [], () => import('./pages/entry/sign-in.tsx')],
  [paths.signUp(), [], () => import('./pages/entry/sign-up.tsx')],
  [paths.reset(), [], () => import('./pages/entry/reset.tsx')],
  [paths.texts(), [], () => import('./pages/entry/texts.tsx')],
  [paths.invite('$token'), [], () => import('./pages/entry/invite.tsx')],
];

const customerPages: Entry[] = [
  [paths.overview(), ['messages'], () => import('./pages/overview/overview.tsx')],
  [paths.start(), ['messages', 'developers'], () => import('./pages/start/start.tsx')],
  [paths.send(), ['messages', 'recipients'], () => import('./pages/send/send.tsx')],
  [paths.orders(), ['messages'], () => import('./pages/orders/orders.tsx')],
  [paths.order('$id'), ['messages', 'account'], () => import('./pages/orders/order.tsx')],
  [paths.reports(), ['messages'], () => import('./pages/orders/reports.tsx')],
  [paths.scheduled(), ['messages'], () => import('./pages/orders/scheduled.tsx')],
  [paths.inbox(), ['messages'], () => import('./pages/inbox/inbox.tsx')],
  [paths.consents(), ['recipients'], () => import('./pages/consents/consents.tsx')],
  [paths.consentImport(), ['messages', 'recipients'], () => import('./pages/consents/consent-import.tsx')],
  [paths.blacklist(), ['messages', 'recipients'], () => import('./pages/blacklist/blacklist.tsx')],
  [paths.number('$number'), ['messages', 'recipients'], () => import('./pages/orders/number.tsx')],
  [paths.senders(), ['account'], () => import('./pages/senders/senders.tsx')],
  [paths.senderApply(), ['account'], () => import('./pages/senders/sender-apply.tsx')],
  [paths.subscription(), ['account'], () => import('./pages/senders/subscription.tsx')],
  [paths.balance(), ['account'], () => import('./pages/balance/balance.tsx')],
  [paths.apiLog(), ['account', 'developers'], () => import('./pages/developers/api-log.tsx')],
  [paths.webhook(), ['account', 'developers'], () => import('./pages/developers/webhook.tsx')],
  [paths.smpp(), ['developers'], () => import('./pages/developers/smpp.tsx')],
  [paths.apiDocs(), ['developers'], () => import('./pages/developers/api-docs.tsx')],
  [paths.access(), ['developers'], () => import('./pages/settings/access.tsx')],
  [paths.apiAccess(), ['developers'], () => import('./pages/settings/api-access.tsx')],
  [paths.staticIp(), ['developers'], () => import('./pages/settings/static-ip.tsx')],
  [paths.sending(), ['settings'], () => import('./pages/settings/sending.tsx')],
  [paths.users(), ['developers', 'settings'], () => import('./pages/settings/users.tsx')],
  [paths.audit(), ['settings'], () => import('./pages/settings/audit.tsx')],
  [paths.profile(), ['recipients', 'developers', 'settings'], () => import('./pages/settings/profile.tsx')],
  [paths.myTexts(), ['settings'], () => import('./pages/settings/my-texts.tsx')],
];

const staffPages: Entry[] = [
  [paths.staffStatus(), ['staff'], () => import('./pages/staff/status.tsx')],
  [paths.staffAccounts(), ['developers', 'staff'], () => import('./pages/staff/accounts.tsx')],
  [
    paths.staffAccount('$id'),
    ['messages', 'recipients', 'account', 'developers', 'staff'],
    () => import('./pages/staff/account.tsx'),
  ],
  [paths.staffApplications(), ['account', 'staff'], () => import('./pages/staff/applications.tsx')],
  [paths.staffCarriers(), ['staff'], () => import('./pages/staff/carriers.tsx')],
  [paths.staffCarrier('$id'), ['staff'], () => import('./pages/staff/carrier.tsx')],
  [paths.staffHealth(), ['staff'], () => import('./pages/staff/health.tsx')],
  [paths.staffQueue(), ['staff'], () => import('./pages/staff/queue.tsx')],
  [paths.staffUnrouted(), ['staff'], () => import('./pages/staff/unrouted.tsx')],
  [paths.staffWebhooks(), ['developers', 'staff'], () => import('./pages/staff/webhooks.tsx')],
  [paths.staffRegistry(), ['recipients', 'staff'], () => import('./pages/staff/registry.tsx')],
  [paths.staffTexts(), ['staff'], () => import('./pages/staff/texts.tsx')],
  [paths.staffAudit(), ['settings', 'staff'], () => import('./pages/staff/audit.tsx')],
];

type Parent = typeof root | typeof shell | typeof staff;
const under = (parent: Parent, pages: Entry[]) =>
  pages.map(([path, texts, load]) =>
    createRoute({
      getParentRoute: () => parent as typeof root,
      path,
      component: lazyRouteComponent(() => withTexts(texts, load)),
    }),
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

// Links and navigation check their search against the routes above.
declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
