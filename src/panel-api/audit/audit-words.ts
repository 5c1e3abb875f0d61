// Descriptions of audit entries: actions, the names of their details and the values of these. The console and downloads use
// them, so nothing here depends on Node. audit-words.test.ts finds actions and details without a description.
import { turkeyOffsetMs } from '../../time/clock.ts';
import type { Both } from '../contract/shapes.ts';

export const auditActions: Record<string, Both> = {
  'account.create': { tr: 'Hesap açıldı', en: 'Account opened' },
  'account.set': { tr: 'Hesap ayarı değişti', en: 'Account setting changed' },
  'account.sign-up': { tr: 'Kayıt olundu', en: 'Signed up' },
  'application.ask': { tr: 'Başvuru için belge istendi', en: 'Document asked for' },
  'application.documents': { tr: 'Başvuruya belge eklendi', en: 'Documents added to an application' },
  'blacklist.add': { tr: 'Kara listeye eklendi', en: 'Added to the blacklist' },
  'blacklist.remove': { tr: 'Kara listeden çıkarıldı', en: 'Removed from the blacklist' },
  'list.import': { tr: 'Dosyadan liste alındı', en: 'List imported from a file' },
  'brand.add': { tr: 'Marka kodu eklendi', en: 'Brand code added' },
  'brand.remove': { tr: 'Marka kodu çıkarıldı', en: 'Brand code removed' },
  'carrier.callback': { tr: 'Operatörün rapor adresleri gösterildi', en: 'Callback addresses of a carrier shown' },
  'carrier.pause': { tr: 'Operatör duraklatıldı', en: 'Carrier paused' },
  'carrier.put': { tr: 'Operatör ayarı değişti', en: 'Carrier setting changed' },
  'carrier.reconnect': { tr: 'Operatöre yeniden bağlanıldı', en: 'Carrier reconnected' },
  'carrier.remove': { tr: 'Operatör silindi', en: 'Carrier removed' },
  'carrier.resume': { tr: 'Operatör sürdürüldü', en: 'Carrier resumed' },
  'carrier.test': { tr: 'Operatör bağlantısı denendi', en: 'Carrier connection tested' },
  'account.move': { tr: 'Hesap başka hücreye taşındı', en: 'Account moved to another cell' },
  'cell.add': { tr: 'Hücre eklendi', en: 'Cell added' },
  'cell.remove': { tr: 'Hücre çıkarıldı', en: 'Cell taken out' },
  'cell.drain': { tr: 'Hücreye yeni hesap alma değişti', en: 'Whether a cell takes new accounts changed' },
  'cell.address': { tr: 'Hücrenin adresi değişti', en: 'Address of a cell changed' },
  'cell.weight': { tr: 'Hücrenin ağırlığı değişti', en: 'Weight of a cell changed' },
  'consent.add': { tr: 'İzin eklendi', en: 'Consent added' },
  'credentials.create': { tr: 'API anahtarı oluşturuldu', en: 'API key made' },
  'credentials.delete': { tr: 'API anahtarı silindi', en: 'API key deleted' },
  'credentials.disable': { tr: 'API anahtarı kapatıldı', en: 'API key disabled' },
  'credentials.rename': { tr: 'API anahtarının adı değişti', en: 'API key renamed' },
  'credentials.limit': { tr: 'API anahtarının sınırları değişti', en: 'Limits of an API key changed' },
  'credentials.rotate': { tr: 'API anahtarı yenilendi', en: 'API key rotated' },
  'credit.grant': { tr: 'Kredi yüklendi', en: 'Credit granted' },
  'dispatch.hold': { tr: 'Gönderim durduruldu', en: 'Sending held' },
  'dispatch.release': { tr: 'Gönderim sürdürüldü', en: 'Sending released' },
  export: { tr: 'Liste indirildi', en: 'List downloaded' },
  'identity.begin': { tr: 'Kimlik doğrulama başlatıldı', en: 'Identity check begun' },
  'identity.finish': { tr: 'Kimlik doğrulama sonuçlandı', en: 'Identity check finished' },
  'identity.note': { tr: 'İşletmeci kimliği denetledi', en: 'Staff checked the identity' },
  'legal.accept': { tr: 'Metin kabul edildi', en: 'Text accepted' },
  'legal.acknowledge': { tr: 'Aydınlatma metninin okunduğu bildirildi', en: 'Privacy notice acknowledged as read' },
  'legal.publish': { tr: 'Metnin yeni sürümü yayımlandı', en: 'New version of a text published' },
  'number.add': { tr: 'Gelen numara eklendi', en: 'Inbound number added' },
  'number.remove': { tr: 'Gelen numara çıkarıldı', en: 'Inbound number removed' },
  'order.cancel': { tr: 'Sipariş iptal edildi', en: 'Order cancelled' },
  'order.reschedule': { tr: 'Siparişin zamanı değiştirildi', en: 'Order rescheduled' },
  'order.send': { tr: 'Sipariş verildi', en: 'Order sent' },
  'password.change': { tr: 'Parola değişti', en: 'Password changed' },
  'password.refused': { tr: 'Formda yanlış parola', en: 'Wrong password in a form' },
  'password.reset': { tr: 'Parola sıfırlandı', en: 'Password reset' },
  'password.reset-ask': { tr: 'Parola sıfırlama kodu istendi', en: 'Password reset code asked for' },
  'password.reset-refused': { tr: 'Yanlış parola sıfırlama kodu', en: 'Wrong password reset code' },
  'profile.mobile': { tr: 'Cep telefonu numarası değişti', en: 'Mobile number changed' },
  'privacy.erase': { tr: 'Numara istek üzerine silindi', en: 'Number erased on request' },
  'unrouted.delete': { tr: 'Sahipsiz gelen mesajlar silindi', en: 'Unrouted inbound messages deleted' },
  'quarantine.release': { tr: 'Karantinadaki mesajlar bırakıldı', en: 'Quarantined messages released' },
  'registry.sync': { tr: 'İYS eşitlemesi başlatıldı', en: 'Registry sync started' },
  'content.sealed': { tr: 'Kayıtlı metinlerin tümü mühürlendi', en: 'All stored texts sealed' },
  'content.plain': { tr: 'Kayıtlı metinlerin tümü açık saklanır oldu', en: 'All stored texts kept plainly' },
  'secrets.reseal': { tr: 'Saklanan sırlar yeniden mühürlendi', en: 'Stored secrets sealed anew' },
  'secrets.rotate': { tr: 'Sırların anahtarı yenilendi', en: 'Key of stored secrets rotated' },
  'sender.apply': { tr: 'Başlık başvurusu yapıldı', en: 'Sender ID applied for' },
  'sender.approved': { tr: 'Başlık onaylandı', en: 'Sender ID approved' },
  'sender.rejected': { tr: 'Başlık reddedildi', en: 'Sender ID rejected' },
  'session.refused': { tr: 'Başarısız giriş', en: 'Failed sign-in' },
  'session.sign-in': { tr: 'Giriş yapıldı', en: 'Signed in' },
  'settings.change': { tr: 'Ayar değişti', en: 'Setting changed' },
  'smpp.add': { tr: 'SMPP kullanıcısı eklendi', en: 'SMPP user added' },
  'smpp.change': { tr: 'SMPP kullanıcısı değişti', en: 'SMPP user changed' },
  'smpp.kick': { tr: 'SMPP bağlantısı kesildi', en: 'SMPP bind ended' },
  'smpp.remove': { tr: 'SMPP kullanıcısı kaldırıldı', en: 'SMPP user removed' },
  'smpp.rotate': { tr: 'SMPP parolası yenilendi', en: 'SMPP password rotated' },
  'staff.create': { tr: 'İşletmeci kullanıcısı açıldı', en: 'Staff user created' },
  'staff.remove': { tr: 'İşletmeci kullanıcısı silindi', en: 'Staff user removed' },
  'subscription.apply': { tr: 'Abonelik başvurusu yapıldı', en: 'Subscription applied for' },
  'subscription.approved': { tr: 'Abonelik onaylandı', en: 'Subscription approved' },
  'subscription.rejected': { tr: 'Abonelik reddedildi', en: 'Subscription rejected' },
  'support.reveal': { tr: 'İşletmeci numara ve metinleri açtı', en: 'Staff revealed numbers and texts' },
  'support.view': { tr: 'İşletmeci hesabı görüntüledi', en: 'Staff viewed the account' },
  'support.view-end': { tr: 'İşletmeci görüntülemeyi bitirdi', en: 'Staff ended the view' },
  'totp.disable': { tr: 'İki adımlı doğrulama kapandı', en: 'Two-step verification off' },
  'totp.enable': { tr: 'İki adımlı doğrulama açıldı', en: 'Two-step verification on' },
  'totp.recovery-codes': { tr: 'Kurtarma kodları yenilendi', en: 'Recovery codes renewed' },
  'totp.reset': { tr: 'İki adımlı doğrulama sıfırlandı', en: 'Two-step verification reset' },
  'user.invite': { tr: 'Kullanıcı davet edildi', en: 'User invited' },
  'user.invite-revoke': { tr: 'Davet geri alındı', en: 'Invitation revoked' },
  'user.join': { tr: 'Davet kabul edildi', en: 'Invitation accepted' },
  'user.remove': { tr: 'Kullanıcı çıkarıldı', en: 'User removed' },
  'user.role': { tr: 'Rol değişti', en: 'Role changed' },
  'webhook.add': { tr: 'Webhook adresi eklendi', en: 'Webhook address added' },
  'webhook.remove': { tr: 'Webhook adresi kaldırıldı', en: 'Webhook address removed' },
  'webhook.resend': { tr: 'Webhook olayı yeniden gönderildi', en: 'Event sent again' },
  'webhook.rotate-secret': { tr: 'İmza anahtarı yenilendi', en: 'Webhook secret rotated' },
  'webhook.save': { tr: 'Webhook adresi değişti', en: 'Webhook address changed' },
};

export const details: Record<string, Both> = {
  abroad: { tr: 'yurt dışı', en: 'abroad' },
  addresses: { tr: 'adresler', en: 'addresses' },
  duplicates: { tr: 'tekrar denetimi', en: 'duplicate rule' },
  iys: { tr: 'İYS listesi', en: 'consent list' },
  'receipt-window': { tr: 'rapor penceresi', en: 'receipt window' },
  systemId: { tr: 'SMPP kullanıcısı', en: 'SMPP user' },
  active: { tr: 'etkin', en: 'active' },
  added: { tr: 'eklenen', en: 'added' },
  address: { tr: 'adres', en: 'address' },
  amount: { tr: 'tutar', en: 'amount' },
  api: { tr: 'API erişimi', en: 'API access' },
  applicationId: { tr: 'başvuru', en: 'application' },
  brand: { tr: 'marka', en: 'brand' },
  cause: { tr: 'sebep', en: 'cause' },
  cell: { tr: 'hücre', en: 'cell' },
  isGone: { tr: 'veritabanı artık yok', en: 'its database is gone' },
  weight: { tr: 'ağırlık', en: 'weight' },
  draining: { tr: 'yeni hesap almıyor', en: 'takes no new accounts' },
  closed: { tr: 'gönderilmeden bitirilen mesaj', en: 'messages ended unsent' },
  code: { tr: 'kod', en: 'code' },
  documents: { tr: 'belge', en: 'documents' },
  email: { tr: 'e-posta', en: 'e-mail' },
  events: { tr: 'olay', en: 'events' },
  force: { tr: 'ısrarla', en: 'by force' },
  from: { tr: 'önce', en: 'from' },
  inbound: { tr: 'gelen mesajlar', en: 'inbound messages' },
  ips: { tr: 'API adresleri', en: 'API addresses' },
  keyword: { tr: 'anahtar kelime', en: 'keyword' },
  kind: { tr: 'liste', en: 'list' },
  'low-balance': { tr: 'düşük bakiye uyarısı', en: 'low balance notice' },
  'low-balance-sms': { tr: 'düşük bakiyede SMS', en: 'SMS at low balance' },
  messages: { tr: 'mesaj', en: 'messages' },
  erasure: { tr: 'silme no.', en: 'erasure' },
  digest: { tr: 'özet', en: 'digest' },
  mode: { tr: 'karakter modu', en: 'character mode' },
  name: { tr: 'ad', en: 'name' },
  key: { tr: 'anahtar', en: 'key' },
  keepHours: { tr: 'eskisi geçerli (saat)', en: 'old one good for (hours)' },
  number: { tr: 'numara', en: 'number' },
  numbers: { tr: 'numara', en: 'numbers' },
  'opt-out': { tr: 'ret kelimeleri', en: 'opt-out words' },
  orderId: { tr: 'sipariş', en: 'order' },
  orders: { tr: 'sipariş', en: 'orders' },
  outcome: { tr: 'sonuç', en: 'outcome' },
  'panel-ips': { tr: 'panel adresleri', en: 'panel addresses' },
  password: { tr: 'parola', en: 'password' },
  quota: { tr: 'kota', en: 'quota' },
  reason: { tr: 'sebep', en: 'reason' },
  recipients: { tr: 'alıcı', en: 'recipients' },
  recipientsMax: { tr: 'çağrıda alıcı', en: 'recipients a call' },
  dailyMax: { tr: 'günde mesaj', en: 'messages a day' },
  scopes: { tr: 'yetkiler', en: 'scopes' },
  records: { tr: 'kayıt', en: 'records' },
  removed: { tr: 'çıkarılan', en: 'removed' },
  role: { tr: 'rol', en: 'role' },
  sms: { tr: 'kredi', en: 'credits' },
  state: { tr: 'durum', en: 'state' },
  status: { tr: 'durum', en: 'status' },
  to: { tr: 'sonra', en: 'to' },
  url: { tr: 'adres', en: 'address' },
  version: { tr: 'sürüm', en: 'version' },
  was: { tr: 'önceki', en: 'before' },
  webhook: { tr: 'webhook adresi', en: 'webhook address' },
  which: { tr: 'hangisi', en: 'which' },
  // Settings of a carrier.
  secret: { tr: 'gizli değer', en: 'secret' },
  preset: { tr: 'sağlayıcı', en: 'provider' },
  user: { tr: 'kullanıcı', en: 'user' },
  private: { tr: 'özel ağda', en: 'private address' },
  definition: { tr: 'tanım', en: 'description' },
  'answer-id': { tr: 'yanıttaki kimlik biçimi', en: 'id in answers' },
  bind: { tr: 'bağlanma türü', en: 'kind of bind' },
  binds: { tr: 'bağlantı sayısı', en: 'binds' },
  'data-coding': { tr: 'data coding', en: 'data coding' },
  'destination-npi': { tr: 'alıcı NPI', en: 'destination NPI' },
  'destination-ton': { tr: 'alıcı TON', en: 'destination TON' },
  host: { tr: 'sunucu', en: 'host' },
  long: { tr: 'uzun mesaj yöntemi', en: 'long messages' },
  port: { tr: 'kapı', en: 'port' },
  prefixes: { tr: 'numara başları', en: 'prefixes' },
  priority: { tr: 'öncelik', en: 'priority' },
  rate: { tr: 'hız', en: 'rate' },
  'receipt-id': { tr: 'rapordaki kimlik biçimi', en: 'id in receipts' },
  'source-npi': { tr: 'gönderen NPI', en: 'source NPI' },
  'source-ton': { tr: 'gönderen TON', en: 'source TON' },
  'system-id': { tr: 'kullanıcı adı', en: 'system ID' },
  'system-type': { tr: 'sistem türü', en: 'system type' },
  tls: { tr: 'TLS', en: 'TLS' },
  'tls-verify': { tr: 'sertifika denetimi', en: 'certificate check' },
  unsure: { tr: 'yanıtı yitenler', en: 'lost answers' },
  validity: { tr: 'geçerlilik (sn)', en: 'validity (s)' },
  window: { tr: 'pencere', en: 'window' },
  // Filters of a downloaded list.
  byOrder: { tr: 'sipariş başına', en: 'by order' },
  commercial: { tr: 'ticari', en: 'commercial' },
  id: { tr: 'no', en: 'id' },
  operation: { tr: 'işlem', en: 'operation' },
  operator: { tr: 'operatör', en: 'operator' },
  origin: { tr: 'geliş yolu', en: 'origin' },
  recipient: { tr: 'alıcı', en: 'recipient' },
  recipientType: { tr: 'alıcı türü', en: 'recipient type' },
  search: { tr: 'aranan', en: 'searched' },
  sender: { tr: 'başlık', en: 'sender ID' },
  source: { tr: 'kaynak', en: 'source' },
  syncState: { tr: 'İYS durumu', en: 'registry state' },
  text: { tr: 'metin', en: 'text' },
  type: { tr: 'tür', en: 'type' },
};

// Values that are words of the program; all others are shown as stored.
const values: Record<string, Both> = {
  'role=owner': { tr: 'sahip', en: 'owner' },
  'role=sender': { tr: 'gönderici', en: 'sender' },
  'role=viewer': { tr: 'izleyici', en: 'viewer' },
  'status=active': { tr: 'etkin', en: 'active' },
  'status=suspended': { tr: 'askıda', en: 'suspended' },
  'mode=english': { tr: 'İngilizce', en: 'English' },
  'mode=turkish': { tr: 'Türkçe', en: 'Turkish' },
  'mode=unicode': { tr: 'Unicode', en: 'Unicode' },
  'password=changed': { tr: 'değişti', en: 'changed' },
  'which=failed': { tr: 'başarısız olanlar', en: 'failed ones' },
  'url=': { tr: 'kaldırıldı', en: 'removed' },
  'webhook=': { tr: 'kaldırıldı', en: 'removed' },
  'ips=': { tr: 'boş (her adres)', en: 'empty (any address)' },
  'panel-ips=': { tr: 'boş (her adres)', en: 'empty (any address)' },
  'rate=none': { tr: 'sınırsız', en: 'no limit' },
  'iys=none': { tr: 'yok (bilgilendirme)', en: 'none (transactional)' },
  'addresses=': { tr: 'boş (kimse bağlanamaz)', en: 'empty (nobody may bind)' },
  'rate=': { tr: 'sınırsız', en: 'no limit' },
  'prefixes=': { tr: 'hepsi', en: 'all' },
  'outcome=bound': { tr: 'bağlandı', en: 'bound' },
  'outcome=sent': { tr: 'bağlandı, deneme mesajı kabul edildi', en: 'bound, test message accepted' },
  'outcome=confirmed': { tr: 'doğrulandı', en: 'confirmed' },
  'outcome=refused': { tr: 'doğrulanmadı', en: 'refused' },
  'outcome=failed': { tr: 'başarısız', en: 'failed' },
  'cause=wrong-credentials': { tr: 'e-posta ya da parola yanlış', en: 'wrong e-mail or password' },
  'cause=wrong-code': { tr: 'doğrulama kodu yanlış', en: 'wrong verification code' },
  'cause=address-not-listed': { tr: 'IP adresi listede değil', en: 'IP address not on the list' },
  'text=terms': { tr: 'hizmet koşulları', en: 'terms of use' },
  'text=privacy': { tr: 'aydınlatma metni', en: 'privacy notice' },
  'events=accepted': { tr: 'kabul edildi', en: 'accepted' },
  'events=delivered': { tr: 'iletildi', en: 'delivered' },
  'events=undelivered': { tr: 'iletilemedi', en: 'not delivered' },
  'events=inbound': { tr: 'gelen mesaj', en: 'inbound message' },
  'kind=orders': { tr: 'siparişler', en: 'orders' },
  'kind=recipients': { tr: 'alıcılar', en: 'recipients' },
  'kind=inbox': { tr: 'gelen kutusu', en: 'inbox' },
  'kind=blacklist': { tr: 'kara liste', en: 'blacklist' },
  'kind=consents': { tr: 'izinler', en: 'consents' },
  'kind=ledger': { tr: 'bakiye hareketleri', en: 'ledger' },
  'kind=refusals': { tr: 'API günlüğü', en: 'API log' },
  'kind=audit': { tr: 'denetim kaydı', en: 'audit log' },
};
/** Details that count something: they have thousands separators. All other numbers are ids, codes or ports. */
const counts = new Set(
  'added amount closed documents low-balance messages numbers orders quota rate recipients recipientsMax dailyMax records removed sms window receipt-window'.split(
    ' ',
  ),
);
const locales: Record<Language, string> = { tr: 'tr-TR', en: 'en-GB' };
/** Actors that are not a person of the account: stored word → description. */
const actors: Record<string, Both> = {
  işletmeci: { tr: 'işletmeci', en: 'staff' },
  'operator (command line)': { tr: 'işletmeci (komut satırı)', en: 'staff (command line)' },
  peyk: { tr: 'Peyk', en: 'Peyk' },
};
const on: Both = { tr: 'açık', en: 'on' };
const off: Both = { tr: 'kapalı', en: 'off' };

type Language = keyof Both;

export const actionName = (action: string, language: Language): string =>
  Object.hasOwn(auditActions, action) ? auditActions[action]![language] : action;

// Names of a download's filter are part of its entry, and a caller may send a name like `constructor`.
const detailName = (key: string, language: Language): string =>
  Object.hasOwn(details, key) ? details[key]![language] : key;

export const actorName = (actor: string, language: Language): string =>
  Object.hasOwn(actors, actor) ? actors[actor]![language] : actor;

/** One line for people: absent details are omitted, and values are written for readers. */
export function detailLine(detail: Record<string, unknown>, language: Language): string {
  const { was, ...now } = detail;
  const before = (was ?? {}) as Record<string, unknown>;
  return Object.entries(now)
    .map(([key, value]) => [key, detailValue(key, value, language)] as const)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${detailName(key, language)}: ${oldValue(key, before, language)}${value}`)
    .join(' · ');
}

/** `was`: the previous value of a changed setting. */
function oldValue(key: string, before: Record<string, unknown>, language: Language): string {
  return Object.hasOwn(before, key) ? `${detailValue(key, before[key], language) || '–'} → ` : '';
}

function detailValue(key: string, value: unknown, language: Language): string {
  if (value === null || value === undefined) return '';
  const known = `${key}=${value}`;
  if (typeof value !== 'object' && Object.hasOwn(values, known)) return values[known]![language];
  const several = typeof value === 'string' ? value.split(', ') : [];
  if (several.length > 1 && several.every(one => Object.hasOwn(values, `${key}=${one}`)))
    return detailValue(key, several, language);
  if (value === true || value === 'on') return on[language];
  if (value === false || value === 'off') return off[language];
  if (Array.isArray(value)) return value.map(one => detailValue(key, one, language)).join(', ');
  if (typeof value === 'object') return detailLine(value as Record<string, unknown>, language);
  if (counts.has(key) && /^-?\d+$/.test(String(value))) return Number(value).toLocaleString(locales[language]);
  return turkeyTime(String(value));
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

/** Times in local form; everything else unchanged. */
function turkeyTime(text: string): string {
  const time = instant.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) return text;
  const [day, clock] = new Date(time + turkeyOffsetMs).toISOString().split('T') as [string, string];
  return `${day.split('-').reverse().join('.')} ${clock.slice(0, 5)}`;
}
