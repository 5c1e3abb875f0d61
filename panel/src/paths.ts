// The only place that knows the addresses of the console, below /panel. Turkish words in ASCII, so that a link can be
// read over the telephone; paths.test.ts pins all of them, because people keep links to orders in their mail.
export const paths = {
  overview: () => '/',
  start: () => '/baslarken',
  send: () => '/gonder',
  orders: () => '/siparisler',
  order: (id: string) => `/siparisler/${id}`,
  reports: () => '/raporlar',
  scheduled: () => '/zamanlanmis',
  inbox: () => '/gelen-kutusu',
  consents: () => '/izinler',
  consentImport: () => '/izinler/ice-aktar',
  blacklist: () => '/kara-liste',
  number: (number: string) => `/numara/${number}`,
  senders: () => '/basliklar',
  senderApply: () => '/basliklar/basvur',
  subscription: () => '/basliklar/abonelik',
  balance: () => '/bakiye',
  apiLog: () => '/gelistirici/gunluk',
  webhook: () => '/gelistirici/bildirim',
  smpp: () => '/gelistirici/smpp',
  apiDocs: () => '/gelistirici/belge',
  settings: () => '/ayarlar',
  access: () => '/ayarlar/guvenlik/erisim',
  apiAccess: () => '/ayarlar/guvenlik/api',
  staticIp: () => '/ayarlar/guvenlik/ip',
  sending: () => '/ayarlar/gonderim',
  users: () => '/ayarlar/kullanicilar',
  audit: () => '/ayarlar/denetim',
  profile: () => '/ayarlar/profil',
  myTexts: () => '/ayarlar/metinler',
  staffStatus: () => '/isletmeci',
  staffAccounts: () => '/isletmeci/hesaplar',
  staffAccount: (id: string) => `/isletmeci/hesaplar/${id}`,
  staffApplications: () => '/isletmeci/basvurular',
  staffCarriers: () => '/isletmeci/operatorler',
  staffCarrier: (name: string) => `/isletmeci/operatorler/${name}`,
  staffHealth: () => '/isletmeci/saglik',
  staffQueue: () => '/isletmeci/kuyruk',
  staffUnrouted: () => '/isletmeci/sahipsiz',
  staffWebhooks: () => '/isletmeci/bildirimler',
  staffRegistry: () => '/isletmeci/iys',
  staffAudit: () => '/isletmeci/denetim',
  staffTexts: () => '/isletmeci/metinler',
  signIn: () => '/giris',
  signUp: () => '/kayit',
  reset: () => '/sifre',
  texts: () => '/metinler',
  invite: (token: string) => `/davet/${token}`,
};

export const base = '/panel';

let publicUrl = '';

/** What the operator calls this server; the session tells. */
export function learnPublicUrl(url: string): void {
  publicUrl = url;
}

/** Scheme and host for others: what the operator says, or what the browser shows. */
export function serverAddress(): string {
  return publicUrl || window.location.origin;
}

/** The address of a page, to be copied for others. */
export function fullAddress(path: string): string {
  return `${serverAddress()}${base}${path}`;
}
