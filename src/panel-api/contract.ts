// What the panel may ask of the server and what it gets: one table of operations with the role each one needs, one map
// of their inputs and outputs. Plain data and types, imported by the browser too, so nothing of node or of the domain
// stands here. Transport: POST /panel/api/<operation>, JSON in, `Answer` out, with the header of `panelHeader`.
// Times are ISO 8601 instants (UTC) unless a comment says Turkey time; lists go on with the `next` of the page before.
import type * as audit from './audit/contract.ts';
import type * as consent from './consent/contract.ts';
import type * as developers from './developers/contract.ts';
import type * as exports from './exports/contract.ts';
import type * as lists from './lists/contract.ts';
import type * as money from './money/contract.ts';
import type * as orders from './orders/contract.ts';
import type * as overview from './overview/contract.ts';
import type * as reports from './reports/contract.ts';
import type * as send from './send/contract.ts';
import type * as senders from './senders/contract.ts';
import type * as session from './session/contract.ts';
import type * as legal from './session/legal-contract.ts';
import type * as settings from './settings/contract.ts';
import type * as staff from './staff/contract.ts';
import type * as webhook from './webhook/contract.ts';

export const panelHeader = { name: 'X-Peyk-Panel', value: '1' } as const;
export const documentBytesMax = 5 * 1024 * 1024;
export const documentTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;

export type Language = 'tr' | 'en';
/** `public`: nobody is signed in. `user`: anybody signed in. The rest look at the account chosen, or at the staff flag. */
export type Role = 'public' | 'user' | 'viewer' | 'sender' | 'owner' | 'staff';
export type MemberRole = 'owner' | 'sender' | 'viewer';
export const memberRoles = ['viewer', 'sender', 'owner'] as const satisfies readonly MemberRole[];

export type Both = { tr: string; en: string };
export type PanelError = Both & {
  /** A word (`wrong-credentials`), or the interface's own code as text (`450`) where the domain refused. */
  code: string;
  /** Member of the input it concerns. */
  field?: string;
  /** Everything that is wrong with a form, where more than one field may be. */
  faults?: (Both & { field: string })[];
  retryAfterMs?: number;
  /** 451: the order that was the first. */
  orderId?: number;
};
export type Answer<T> = { ok: true; data: T } | { ok: false; error: PanelError };
export type Nothing = Record<string, never>;

export type OperationRow = {
  role: Role /** Changes something: audited where it matters, never repeated blindly. */;
  changes: boolean;
};

const reads = <R extends Role>(role: R) => ({ role, changes: false }) as const;
const changes = <R extends Role>(role: R) => ({ role, changes: true }) as const;

export const operations = {
  'session.signUpStart': changes('public'),
  'session.signUp': changes('public'),
  'session.signIn': changes('public'),
  'session.resetStart': changes('public'),
  'session.resetFinish': changes('public'),
  'session.invite': reads('public'),
  'session.acceptInvite': changes('public'),
  'session.me': reads('user'),
  'session.signOut': changes('user'),
  'session.switchAccount': changes('user'),
  'profile.read': reads('user'),
  'profile.update': changes('user'),
  'profile.changePassword': changes('user'),
  'profile.totpStart': changes('user'),
  'profile.totpConfirm': changes('user'),
  'profile.totpDisable': changes('user'),
  'profile.recoveryRenew': changes('user'),
  'profile.sessions': reads('user'),
  'profile.revokeSession': changes('user'),
  'profile.revokeOthers': changes('user'),
  'legal.current': reads('public'),
  'legal.mine': reads('user'),
  'legal.accept': changes('user'),
  'users.list': reads('owner'),
  'users.invite': changes('owner'),
  'users.revokeInvite': changes('owner'),
  'users.setRole': changes('owner'),
  'users.remove': changes('owner'),
  'audit.list': reads('owner'),
  'exports.start': changes('viewer'),
  'overview.read': reads('viewer'),
  'reports.read': reads('viewer'),
  'onboarding.read': reads('viewer'),
  live: reads('user'),
  search: reads('viewer'),
  'send.options': reads('viewer'),
  'send.prepare': reads('sender'),
  'send.submit': changes('sender'),
  'drafts.list': reads('sender'),
  'drafts.create': changes('sender'),
  'drafts.read': reads('sender'),
  'drafts.save': changes('sender'),
  'drafts.startList': changes('sender'),
  'drafts.putRows': changes('sender'),
  'drafts.rows': reads('sender'),
  'drafts.delete': changes('sender'),
  'drafts.prepare': reads('sender'),
  'drafts.submit': changes('sender'),
  'orders.list': reads('viewer'),
  'orders.scheduled': reads('viewer'),
  'orders.read': reads('viewer'),
  'orders.recipients': reads('viewer'),
  'orders.message': reads('viewer'),
  'orders.reuse': reads('sender'),
  'orders.cancel': changes('sender'),
  'orders.reschedule': changes('sender'),
  'number.read': reads('viewer'),
  'apiLog.list': reads('viewer'),
  'apiLog.calls': reads('viewer'),
  'apiLog.groups': reads('viewer'),
  'inbox.list': reads('viewer'),
  'inbox.conversations': reads('viewer'),
  'blacklist.list': reads('viewer'),
  'blacklist.add': changes('sender'),
  'blacklist.remove': changes('sender'),
  'consent.overview': reads('viewer'),
  'consent.query': reads('viewer'),
  'consent.list': reads('viewer'),
  'consent.refusals': reads('viewer'),
  'consent.check': reads('sender'),
  'consent.add': changes('sender'),
  'senders.list': reads('viewer'),
  'senders.apply': changes('owner'),
  'subscription.read': reads('viewer'),
  'subscription.apply': changes('owner'),
  'applications.addDocuments': changes('owner'),
  'identity.begin': changes('owner'),
  'identity.finish': changes('owner'),
  'notices.seen': reads('viewer'),
  'balance.read': reads('viewer'),
  'balance.ledger': reads('viewer'),
  'settings.read': reads('viewer'),
  'settings.setApi': changes('owner'),
  'settings.createKey': changes('owner'),
  'settings.rotateKey': changes('owner'),
  'settings.renameKey': changes('owner'),
  'settings.endKey': changes('owner'),
  'settings.deleteKey': changes('owner'),
  'settings.setOldLogin': changes('owner'),
  'settings.testCredentials': reads('sender'),
  'settings.setAddresses': changes('owner'),
  'settings.setSending': changes('owner'),
  'settings.setName': changes('owner'),
  'settings.setLowBalance': changes('owner'),
  'webhook.list': reads('viewer'),
  'webhook.add': changes('owner'),
  'webhook.save': changes('owner'),
  'webhook.remove': changes('owner'),
  'webhook.rotateSecret': changes('owner'),
  'webhook.test': changes('sender'),
  'webhook.deliveries': reads('viewer'),
  'webhook.delivery': reads('viewer'),
  'webhook.resend': changes('sender'),
  'developers.read': reads('viewer'),
  'staff.status': reads('staff'),
  'staff.accounts': reads('staff'),
  'staff.account': reads('staff'),
  'staff.openAccount': changes('staff'),
  'staff.setAccount': changes('staff'),
  'staff.grantCredit': changes('staff'),
  'staff.addBrand': changes('staff'),
  'staff.addNumber': changes('staff'),
  'staff.revokeSender': changes('staff'),
  'staff.removeBrand': changes('staff'),
  'staff.removeNumber': changes('staff'),
  'staff.viewAs': changes('staff'),
  'staff.viewReveal': changes('staff'),
  'staff.viewEnd': changes('staff'),
  'staff.search': reads('staff'),
  'staff.users': reads('staff'),
  'staff.resetSecondFactor': changes('staff'),
  'staff.applications': reads('staff'),
  'staff.application': reads('staff'),
  'staff.decide': changes('staff'),
  'staff.askDocuments': changes('staff'),
  'staff.noteIdentity': changes('staff'),
  'staff.carriers': reads('staff'),
  'staff.putCarrier': changes('staff'),
  'staff.pauseCarrier': changes('staff'),
  'staff.testCarrier': changes('staff'),
  'staff.reconnectCarrier': changes('staff'),
  'staff.removeCarrier': changes('staff'),
  'staff.carrierHistory': reads('staff'),
  'staff.queue': reads('staff'),
  'staff.webhooks': reads('staff'),
  'staff.registry': reads('staff'),
  'staff.registrySync': changes('staff'),
  'staff.holdDispatch': changes('staff'),
  'staff.releaseDispatch': changes('staff'),
  'staff.legal': reads('staff'),
  'staff.publishLegal': changes('staff'),
  'staff.audit': reads('staff'),
} as const satisfies Record<keyof Operations, OperationRow>;

export type OperationName = keyof Operations;
export type InputOf<Name extends OperationName> = Operations[Name]['input'];
export type OutputOf<Name extends OperationName> = Operations[Name]['output'];

type Op<Input, Output> = { input: Input; output: Output };

export type Operations = {
  /** Sends a code to the mobile number, whoever's the e-mail address is. */
  'session.signUpStart': Op<session.SignUp, { sent: true }>;
  /** `terms`, `privacy`: the versions that were shown and accepted; error `terms-changed` when they are no longer in force. */
  'session.signUp': Op<session.SignUp & { code: string; terms: number; privacy: number }, session.Me>;
  /** Errors: wrong-credentials, totp-required (ask for `code`), wrong-code, slow-down, address-not-listed. */
  'session.signIn': Op<session.SignIn, session.Me>;
  /** Always answers the same, whether the address is known or not. */
  'session.resetStart': Op<{ email: string }, { sentIfKnown: true }>;
  'session.resetFinish': Op<{ email: string; code: string; password: string }, Nothing>;
  'session.invite': Op<{ token: string }, session.InviteOffer>;
  'session.acceptInvite': Op<session.AcceptInvite, session.Me>;
  /** Not signed in: error `signed-out` with HTTP 401, as for every operation. */
  'session.me': Op<Nothing, session.Me>;
  'session.signOut': Op<Nothing, Nothing>;
  'session.switchAccount': Op<{ accountId: number }, session.Me>;
  'profile.read': Op<Nothing, session.Profile>;
  'profile.update': Op<{ name?: string; mobile?: string; language?: Language; password?: string }, session.Profile>;
  'profile.changePassword': Op<{ current: string; password: string }, Nothing>;
  'profile.totpStart': Op<{ password: string }, { secret: string; uri: string }>;
  'profile.totpConfirm': Op<{ code: string }, { recoveryCodes: string[] }>;
  'profile.totpDisable': Op<{ password: string }, Nothing>;
  'profile.recoveryRenew': Op<{ password: string }, { recoveryCodes: string[] }>;
  'profile.sessions': Op<Nothing, { sessions: session.SessionLine[] }>;
  'profile.revokeSession': Op<{ id: number }, Nothing>;
  'profile.revokeOthers': Op<Nothing, { closed: number }>;
  'legal.current': Op<Nothing, { texts: legal.LegalText[] }>;
  'legal.mine': Op<Nothing, legal.MyTexts>;
  'legal.accept': Op<{ terms: number; privacy: number }, Nothing>;
  'users.list': Op<Nothing, { users: session.Member[]; invites: session.Invite[] }>;
  /** The token goes to the new user by hand: /panel/davet/<token>. Shown once, good for 7 days. */
  'users.invite': Op<{ email: string; role: MemberRole }, session.Invite & { token: string }>;
  'users.revokeInvite': Op<{ id: number }, Nothing>;
  'users.setRole': Op<{ userId: number; role: MemberRole }, Nothing>;
  'users.remove': Op<{ userId: number }, Nothing>;
  'audit.list': Op<audit.AuditFilter, Paged<audit.AuditLine>>;
  /** A download of any size, made in the background; found in `live` and fetched from /panel/api/export-file/<id>. */
  'exports.start': Op<exports.ExportAsked, { id: number }>;
  'overview.read': Op<{ period: overview.Period }, overview.Overview>;
  'reports.read': Op<reports.ReportAsked, reports.Report>;
  'onboarding.read': Op<Nothing, { steps: overview.OnboardingStep[] }>;
  live: Op<Nothing, overview.Live>;
  search: Op<{ text: string }, { hits: overview.SearchHit[] }>;
  'send.options': Op<Nothing, send.SendOptions>;
  'send.prepare': Op<send.SendDraft, send.SendPreview>;
  'send.submit': Op<send.SendDraft & { idempotencyKey: string }, { orderId: number }>;
  'drafts.list': Op<Nothing, { drafts: send.DraftLine[] }>;
  'drafts.create': Op<{ head: send.DraftHead }, { id: number; version: number }>;
  'drafts.read': Op<{ id: number }, send.StoredDraft>;
  'drafts.save': Op<{ id: number; head: send.DraftHead; shape?: send.ListShape | null }, { version: number }>;
  /** A new list takes the place of the one before; its rows, the header included, follow by drafts.putRows. */
  'drafts.startList': Op<{ id: number; shape: send.ListShape; rows: number }, { listNo: number; version: number }>;
  /** Pieces of at most 10,000 rows, numbered from 0. */
  'drafts.putRows': Op<{ id: number; listNo: number; no: number; rows: string[][] }, Nothing>;
  /** null behind the last piece. */
  'drafts.rows': Op<{ id: number; no: number }, { rows: string[][] | null }>;
  'drafts.delete': Op<{ id: number }, Nothing>;
  'drafts.prepare': Op<{ id: number }, send.SendPreview & { version: number }>;
  /** All orders or none; asked again, the same answer. `version`: of the dry run that was shown. */
  'drafts.submit': Op<{ id: number; version: number }, { orderIds: number[] }>;
  'orders.list': Op<orders.OrderFilter, orders.OrderPage>;
  /** The next 500, and how many there are. */
  'orders.scheduled': Op<Nothing, { rows: orders.OrderLine[]; total: number }>;
  'orders.read': Op<{ id: number }, orders.OrderView>;
  'orders.recipients': Op<orders.RecipientFilter, orders.RecipientPage>;
  'orders.message': Op<{ orderId: number; messageId: number }, orders.MessageView>;
  'orders.reuse': Op<{ id: number; which: 'all' | 'undelivered' }, { numbers: string[] }>;
  'orders.cancel': Op<{ id: number }, Nothing>;
  /** Turkey time `YYYY-MM-DD HH:MM`; error `too-late` when it has begun. */
  'orders.reschedule': Op<{ id: number; sendAt: string }, Nothing>;
  'number.read': Op<{ number: string; cursor?: string }, orders.NumberView>;
  'apiLog.list': Op<developers.RefusalFilter, Paged<developers.RefusalLine>>;
  'apiLog.calls': Op<developers.CallFilter, Paged<developers.CallLine>>;
  'apiLog.groups': Op<{ days?: number }, developers.RefusalGroups>;
  'inbox.list': Op<lists.InboxFilter, lists.InboxPage>;
  /** Who wrote lately, a line each, by their newest message. */
  'inbox.conversations': Op<Nothing, { rows: lists.ConversationLine[] }>;
  'blacklist.list': Op<lists.BlacklistFilter, Paged<lists.BlacklistLine> & { total: number }>;
  'blacklist.add': Op<{ numbers: string[]; note?: string; isImport?: boolean }, lists.BlacklistReport>;
  'blacklist.remove': Op<{ numbers: string[]; reason: string }, { removed: number }>;
  'consent.overview': Op<Nothing, consent.ConsentOverview>;
  'consent.query': Op<consent.ConsentQuery, consent.ConsentAnswer>;
  'consent.list': Op<consent.ConsentListFilter, Paged<consent.ConsentLine>>;
  'consent.refusals': Op<{ brand?: number }, { groups: consent.ConsentRefusalGroup[] }>;
  'consent.check': Op<{ brand: number; rows: consent.ConsentRow[] }, consent.ConsentCheck>;
  /** All or none: error `invalid-rows` when a row is wrong (see consent.check); 403, 405, 475 as in the interface. */
  'consent.add': Op<{ brand: number; rows: consent.ConsentRow[] }, { stored: number }>;
  'senders.list': Op<Nothing, senders.SenderList>;
  'senders.apply': Op<senders.SenderApplication, senders.Application>;
  'subscription.read': Op<Nothing, senders.Subscription>;
  'subscription.apply': Op<senders.SubscriptionApplication, senders.Application>;
  /** To an application that waits, of either kind. */
  'applications.addDocuments': Op<{ id: number; documents: number[] }, senders.Application>;
  /** Where the applicant's browser goes; it comes back to the page of the subscription with `state` and `code`. */
  'identity.begin': Op<{ id: number }, { url: string }>;
  /** Both words are good once. Errors: identity-failed, identity-silent. */
  'identity.finish': Op<{ state: string; code: string }, senders.IdentityStep>;
  /** A mark of the reader's own, up to this notice of `live`; so it is open to suspended accounts. */
  'notices.seen': Op<{ upTo: number }, Nothing>;
  'balance.read': Op<Nothing, money.BalanceView>;
  'balance.ledger': Op<money.LedgerFilter, Paged<money.LedgerLine>>;
  'settings.read': Op<Nothing, settings.Settings>;
  'settings.setApi': Op<{ enabled: boolean }, settings.Settings>;
  /** The hash is in this answer and never again. */
  'settings.createKey': Op<{ name: string }, settings.NewKey>;
  /**
   * One key: a new pair under its name, the old one good for `keepHours` yet (0 = stops at once, at most 720). Without `key`:
   * one new pair for all, every old one stops at once.
   */
  'settings.rotateKey': Op<{ key?: string; keepHours?: number }, settings.NewKey>;
  'settings.renameKey': Op<{ key: string; name: string }, Nothing>;
  'settings.endKey': Op<{ key: string }, Nothing>;
  /** Only a key that has ended: error `key-active`. */
  'settings.deleteKey': Op<{ key: string }, Nothing>;
  /** User name and password for clients that know no key; a new password each time, in this answer and never again. */
  'settings.setOldLogin': Op<
    { enabled: boolean; username?: string },
    { login: { username: string; password: string } | null }
  >;
  'settings.testCredentials': Op<{ key: string; hash: string }, settings.CredentialVerdict>;
  /** `panel` without the caller's own address (and not empty): error `would-lock-out`. */
  'settings.setAddresses': Op<{ list: 'api' | 'panel'; addresses: string[] }, settings.Settings>;
  'settings.setSending': Op<{ mode?: Mode; abroad?: boolean; optOutKeywords?: string[] }, settings.Settings>;
  'settings.setName': Op<{ name: string }, settings.Settings>;
  /** null: no notice. */
  'settings.setLowBalance': Op<{ threshold: number | null; sms: boolean }, settings.Settings>;
  'webhook.list': Op<Nothing, { webhooks: webhook.Webhook[]; max: number }>;
  /** `secret` is here, and never again. */
  'webhook.add': Op<{ url: string; events?: webhook.Webhook['events'] }, webhook.Webhook & { secret: string }>;
  /** What is not given stays. A saved `url`, and `enabled`, try the address at once. */
  'webhook.save': Op<
    { id: number; url?: string; events?: webhook.Webhook['events']; enabled?: boolean },
    webhook.Webhook
  >;
  /** With what waits for it and its log. */
  'webhook.remove': Op<{ id: number }, Nothing>;
  'webhook.rotateSecret': Op<{ id: number }, { secret: string; previousUntil: string | null }>;
  /** The result is found by `webhook.delivery` with this id (`state` leaves `pending`). */
  'webhook.test': Op<{ id: number }, { deliveryId: string }>;
  'webhook.deliveries': Op<
    { webhookId?: number; state?: 'pending' | 'delivered' | 'given-up'; orderId?: number; page?: number },
    { deliveries: webhook.DeliveryLine[]; page: number; hasMore: boolean }
  >;
  'webhook.delivery': Op<{ id: string }, webhook.Delivery>;
  /** One delivery, or all that failed since a time, of one address or of all. */
  'webhook.resend': Op<{ id: string } | { failedSince: string; webhookId?: number }, { events: number }>;
  'developers.read': Op<Nothing, developers.Developers>;
  'staff.status': Op<Nothing, staff.Status>;
  'staff.accounts': Op<{ search?: string; status?: 'active' | 'suspended'; cursor?: string }, Paged<staff.AccountLine>>;
  'staff.account': Op<{ id: number }, staff.AccountView>;
  /** With an e-mail address, also an invitation for its owner. The hash is in this answer and never again. */
  'staff.openAccount': Op<{ name: string; ownerEmail?: string }, staff.OpenedAccount>;
  'staff.setAccount': Op<
    { id: number; reason: string; status?: 'active' | 'suspended'; rate?: number; name?: string },
    staff.AccountView
  >;
  /** Repeated with the same key it counts once. */
  'staff.grantCredit': Op<
    { id: number; sms: number; amount?: string; reason: string; key?: string },
    { sms: number; amount: string }
  >;
  'staff.addBrand': Op<{ id: number; code: number; quota: number | null }, staff.AccountView>;
  'staff.addNumber': Op<{ id: number; number: string; keyword?: string }, staff.AccountView>;
  'staff.revokeSender': Op<{ id: number; name: string; reason: string }, staff.AccountView>;
  'staff.removeBrand': Op<{ id: number; code: number; reason: string }, staff.AccountView>;
  'staff.removeNumber': Op<{ id: number; number: string; keyword?: string; reason: string }, staff.AccountView>;
  /** From now on this session sees the account as its people do, with numbers and texts masked, and can change nothing. */
  'staff.viewAs': Op<{ id: number; reason: string }, session.Me>;
  /** Shows numbers and texts of the account looked at. */
  'staff.viewReveal': Op<{ reason: string }, session.Me>;
  'staff.viewEnd': Op<Nothing, session.Me>;
  /** Over all accounts: a name, an e-mail address, an order's id, a phone number in any form. */
  'staff.search': Op<{ text: string }, { hits: staff.SupportHit[] }>;
  'staff.users': Op<{ search?: string; cursor?: string }, Paged<staff.UserLine>>;
  'staff.resetSecondFactor': Op<{ userId: number; reason: string }, Nothing>;
  'staff.applications': Op<
    { state?: senders.ApplicationState; kind?: senders.ApplicationKind; cursor?: string },
    Paged<staff.ApplicationLine>
  >;
  'staff.application': Op<{ id: number }, staff.ApplicationView>;
  'staff.decide': Op<{ id: number; decision: 'approve' | 'reject'; reason?: string }, staff.ApplicationView>;
  'staff.askDocuments': Op<{ id: number; note: string }, staff.ApplicationView>;
  'staff.noteIdentity': Op<{ id: number; confirmed: boolean; note: string }, staff.ApplicationView>;
  'staff.carriers': Op<Nothing, staff.Carriers>;
  /** Adds one, or changes the one of that name; values as text, by the names in `settings` of staff.carriers. */
  'staff.putCarrier': Op<{ name: string; settings: Record<string, string>; password?: string }, staff.Carriers>;
  'staff.pauseCarrier': Op<{ name: string; paused: boolean; reason?: string }, staff.Carriers>;
  /** Binds as the form says and, with `sms`, sends one message; stores nothing. At most 20 s. */
  'staff.testCarrier': Op<
    {
      name: string;
      settings: Record<string, string>;
      password?: string;
      sms?: { sender: string; number: string };
    },
    staff.CarrierTest
  >;
  'staff.reconnectCarrier': Op<{ name: string }, staff.Carriers>;
  /** Of a paused one; `force`: also when receipts are owed or messages wait for it. */
  'staff.removeCarrier': Op<{ name: string; force: boolean; reason: string }, staff.Carriers>;
  'staff.carrierHistory': Op<{ name: string; span: staff.HistorySpan }, staff.CarrierHistory>;
  'staff.queue': Op<Nothing, staff.Queue>;
  'staff.webhooks': Op<Nothing, { endpoints: staff.FailingWebhook[] }>;
  'staff.registry': Op<Nothing, staff.Registry>;
  'staff.registrySync': Op<Nothing, Nothing>;
  'staff.holdDispatch': Op<{ reason: string }, Nothing>;
  /** `close`: what was accepted before the hold ends as undelivered, with its credit back, instead of being sent. */
  'staff.releaseDispatch': Op<{ close: boolean }, { closed: number }>;
  'staff.legal': Op<Nothing, { versions: legal.LegalVersion[] }>;
  /** Error `legal-outdated` when somebody published meanwhile. */
  'staff.publishLegal': Op<legal.LegalPublish, { versions: legal.LegalVersion[] }>;
  'staff.audit': Op<audit.AuditFilter & { accountId?: number }, Paged<audit.AuditLine>>;
};

/**
 * Downloads: GET /panel/api/export/<kind>?format=csv|xlsx&language=tr|en and the members of the list's filter. Beyond
 * `exportRowsMax` rows the answer is error `too-many-rows`: such a one is made in the background (`exports.start`).
 */
export const exportKinds = {
  orders: 'viewer',
  recipients: 'viewer',
  inbox: 'viewer',
  blacklist: 'viewer',
  consents: 'viewer',
  ledger: 'viewer',
  report: 'viewer',
  refusals: 'viewer',
  audit: 'owner',
} as const satisfies Record<string, Role>;
export type ExportKind = keyof typeof exportKinds;
export const exportRowsMax = 50_000;

/**
 * Uploads: POST /panel/api/upload (role owner), the raw file as body, its type in Content-Type, its name in
 * X-Peyk-File-Name (percent-encoded), in X-Peyk-Document-Kind the key of the document it is. Answer<UploadedDocument>. Download: GET /panel/api/document/<id>.
 */
export type UploadedDocument = { id: number; name: string; type: string; size: number; kind: string | null };

export type Mode = 'english' | 'turkish' | 'unicode';
export type Paged<T> = { rows: T[]; next: string | null };
