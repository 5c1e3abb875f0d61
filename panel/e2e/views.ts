// Every page of the panel by name, with the drawers and steps that have no address.
import { paths } from '../src/paths.ts';
import type { Text } from '../src/text/tr.ts';
import type { BusyAccount } from './busy-account.ts';
import type { Visitor } from './visitor.ts';

export type View = {
  name: string;
  who: 'nobody' | 'owner' | 'staff';
  path: string;
  /** Done before the page is examined. */
  then?: (person: Visitor, t: Text) => Promise<void>;
};

export function allViews(account: BusyAccount): View[] {
  const opened = (path: string, id: string | number) => `${path}?ac=${id}`;
  const order = paths.order(String(account.orderId));
  const nobody: [string, string][] = [
    ['sign-in', paths.signIn()],
    ['sign-up', paths.signUp()],
    ['reset', paths.reset()],
    ['texts', paths.texts()],
    ['invite', paths.invite(account.inviteToken)],
  ];
  const owner: [string, string, View['then']?][] = [
    ['overview', `${paths.overview()}?donem=gun`],
    ['start', paths.start()],
    ['send-recipients', paths.send(), (person, t) => compose(person, t, 0)],
    ['send-drafts', paths.send(), (person, t) => person.card(t.send.drafts).waitFor()],
    ['send-message', paths.send(), (person, t) => compose(person, t, 1)],
    ['send-settings', paths.send(), planned],
    ['orders', paths.orders()],
    ['order', order],
    ['order-message', opened(order, account.messageId)],
    ['order-scheduled', paths.order(String(account.scheduledId))],
    ['order-cancel', paths.order(String(account.scheduledId)), (person, t) => person.press(t.order.cancel)],
    ['scheduled', paths.scheduled()],
    ['scheduled-day', `${paths.scheduled()}?gun=${account.scheduledDay}`],
    ['scheduled-change', paths.scheduled(), (person, t) => person.press(t.scheduled.change)],
    ...['gun', 'ay', 'baslik', 'kullanici', 'kaynak', 'operator'].map((cut): [string, string] => [
      `reports-${cut}`,
      `${paths.reports()}?dilim=${cut}`,
    ]),
    ['inbox', paths.inbox()],
    ['inbox-conversations', `${paths.inbox()}?sekme=konusma`],
    ['inbox-conversation', opened(paths.inbox(), `90${account.failedNumber}`)],
    ['consents', paths.consents()],
    ['consent-add', paths.consents(), (person, t) => person.press(t.consents.add)],
    ['consent-import', paths.consentImport()],
    ['blacklist', paths.blacklist()],
    ['blacklist-add', paths.blacklist(), (person, t) => person.press(t.blacklist.add)],
    ['number', paths.number(`90${account.failedNumber}`)],
    ['senders', paths.senders()],
    ['sender-apply', paths.senderApply()],
    ['subscription', paths.subscription()],
    ['balance', paths.balance()],
    ['api-log', paths.apiLog()],
    ['api-log-one', `${paths.apiLog()}?sekme=tek&ac=${account.refusalId}`],
    ['api-log-calls', `${paths.apiLog()}?sekme=basarili`],
    ['webhook', paths.webhook()],
    ['webhook-off', `${paths.webhook()}?adres=2`],
    ['webhook-add', paths.webhook(), (person, t) => person.press(t.webhook.add)],
    ['webhook-edit', paths.webhook(), (person, t) => person.press(t.webhook.edit)],
    ['webhook-delivery', opened(paths.webhook(), account.deliveryId)],
    ['smpp', paths.smpp()],
    ['smpp-add', paths.smpp(), (person, t) => person.press(t.smpp.add)],
    ['smpp-user', paths.smpp(), smppUser],
    ['smpp-edit', paths.smpp(), (person, t) => smppUser(person).then(() => person.press(t.smpp.edit))],
    ['api-docs', paths.apiDocs()],
    ['api-docs-answer', `${paths.apiDocs()}?sekme=yanit`],
    ['api-docs-try', `${paths.apiDocs()}?sekme=dene`],
    ['access', paths.access()],
    ['api-access', paths.apiAccess()],
    ['static-ip', paths.staticIp()],
    ['sending', paths.sending()],
    ['users', paths.users()],
    ['user-invite', paths.users(), (person, t) => person.press(t.users.invite)],
    ['audit', paths.audit()],
    ['profile', paths.profile()],
    ['my-texts', paths.myTexts()],
    ['export-menu', paths.blacklist(), (person, t) => person.press(t.table.export)],
    ['phone-filters', paths.orders(), (person, t) => onPhone(person, t.table.filters)],
    ['phone-menu', paths.orders(), (person, t) => onPhone(person, t.nav.menu)],
    ['bell', paths.orders(), person => person.page.locator('.bell button').click()],
    ['key-add', paths.apiAccess(), (person, t) => person.press(t.apiAccess.create)],
    ['palette', paths.orders(), person => person.page.keyboard.press('Control+K')],
    ['shortcuts', paths.orders(), person => person.page.keyboard.press('?')],
    ['missing', '/yok-boyle'],
    ['forbidden', paths.staffStatus()],
    // Last, because it replaces the key.
    ['new-key', paths.apiAccess(), rotated],
  ];
  const staff: [string, string, View['then']?][] = [
    ['staff-status', paths.staffStatus()],
    ['staff-accounts', paths.staffAccounts()],
    ['staff-account', paths.staffAccount(String(account.accountId))],
    ['staff-grant', paths.staffAccount(String(account.accountId)), (person, t) => person.press(t.account.grant)],
    ['staff-applications', paths.staffApplications()],
    ['staff-application', opened(paths.staffApplications(), account.applicationId)],
    ['staff-carriers', paths.staffCarriers()],
    ['staff-carrier', paths.staffCarrier('simulator'), charted],
    ['staff-carrier-edit', paths.staffCarrier('simulator'), (person, t) => person.press(t.carriers.edit)],
    ['staff-carrier-add', paths.staffCarriers(), (person, t) => person.press(t.carriers.add)],
    ['staff-health', paths.staffHealth(), charted],
    ['staff-queue', paths.staffQueue()],
    ['staff-unrouted', paths.staffUnrouted()],
    ['staff-webhooks', paths.staffWebhooks()],
    ['staff-registry', paths.staffRegistry()],
    ['staff-texts', paths.staffTexts()],
    ['staff-audit', paths.staffAudit()],
  ];
  const rows = { nobody, owner, staff } as Record<View['who'], [string, string, View['then']?][]>;
  return Object.entries(rows).flatMap(([who, list]) =>
    list.map(([name, path, then]) => ({ name, path, who: who as View['who'], then })),
  );
}

/** Writes a message with personal fields, up to the given step. */
async function compose(person: Visitor, t: Text, step: number): Promise<void> {
  const rows = [
    'ad\tnumara',
    'Şükrü\t0555 000 00 01',
    'İpek\t0555 000 00 02',
    'Işıl\t0555 000 00 02x',
    'Ayşe\t0555 000 00 03',
  ];
  await person.field(t.send.numbers).fill(rows.join('\n'));
  await person.page.getByTestId('send-counters').waitFor();
  if (step === 0) return;
  await person.field(t.send.text).fill('Sayın {ad}, siparişiniz hazır ☺ Mağazamızdan alabilirsiniz.');
  await person.page.getByTestId('conversion').waitFor();
}

/** Live charts appear with the third poll. */
async function charted(person: Visitor): Promise<void> {
  await person.page.locator('.recharts-surface, .chart-words').first().waitFor();
}

/** Opens the first user. */
async function smppUser(person: Visitor): Promise<void> {
  await person.page.locator('[data-list="smpp.list"] .opens').first().click();
  await person.dialog.waitFor();
}

/** Opens what is folded only on a narrow screen. */
async function onPhone(person: Visitor, name: string): Promise<void> {
  if (person.page.viewportSize()!.width < 500) await person.press(name);
}

async function rotated(person: Visitor, t: Text): Promise<void> {
  await person.press(t.apiAccess.rotate);
  await person.press(t.apiAccess.rotate, person.dialog);
  await person.page.locator(`[data-secret="${t.apiAccess.hash}"]`).waitFor();
}

async function planned(person: Visitor, t: Text): Promise<void> {
  await compose(person, t, 2);
  await person.page.getByLabel(t.send.later).check();
  await person.page.getByRole('switch', { name: t.send.commercial }).click();
  await person.press(t.dates.open);
  await person.dialog.waitFor();
}
