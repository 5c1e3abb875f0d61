// What the audit log records, in words: deeds and the names of their details. A deed that is not listed is shown as it
// was stored; audit-words.test.ts finds those that the program records and nobody has put into words.
import { inOurs } from '../text/language.ts';

type Words = { tr: string; en: string };

export const deeds: Record<string, Words> = {
  'account.create': { tr: 'Hesap açıldı', en: 'Account opened' },
  'account.set': { tr: 'Hesap ayarı değişti', en: 'Account setting changed' },
  'account.sign-up': { tr: 'Kayıt olundu', en: 'Signed up' },
  'blacklist.add': { tr: 'Kara listeye eklendi', en: 'Added to the blacklist' },
  'blacklist.remove': { tr: 'Kara listeden çıkarıldı', en: 'Removed from the blacklist' },
  'brand.add': { tr: 'Marka kodu eklendi', en: 'Brand code added' },
  'brand.remove': { tr: 'Marka kodu çıkarıldı', en: 'Brand code removed' },
  'carrier.pause': { tr: 'Operatör duraklatıldı', en: 'Carrier paused' },
  'carrier.put': { tr: 'Operatör ayarı değişti', en: 'Carrier setting changed' },
  'carrier.remove': { tr: 'Operatör silindi', en: 'Carrier removed' },
  'carrier.resume': { tr: 'Operatör sürdürüldü', en: 'Carrier resumed' },
  'consent.add': { tr: 'İzin eklendi', en: 'Consent added' },
  'credentials.rotate': { tr: 'API anahtarı yenilendi', en: 'API key rotated' },
  'credit.grant': { tr: 'Kredi yüklendi', en: 'Credit granted' },
  'dispatch.hold': { tr: 'Gönderim durduruldu', en: 'Sending held' },
  'dispatch.release': { tr: 'Gönderim sürdürüldü', en: 'Sending released' },
  'number.add': { tr: 'Gelen numara eklendi', en: 'Inbound number added' },
  'number.remove': { tr: 'Gelen numara çıkarıldı', en: 'Inbound number removed' },
  'order.cancel': { tr: 'Sipariş iptal edildi', en: 'Order cancelled' },
  'order.reschedule': { tr: 'Siparişin zamanı değiştirildi', en: 'Order rescheduled' },
  'order.send': { tr: 'Sipariş verildi', en: 'Order sent' },
  'password.change': { tr: 'Şifre değişti', en: 'Password changed' },
  'password.reset': { tr: 'Şifre sıfırlandı', en: 'Password reset' },
  'quarantine.release': { tr: 'Karantinadaki mesajlar bırakıldı', en: 'Quarantined messages released' },
  'registry.sync': { tr: 'İYS eşitlemesi başlatıldı', en: 'Registry sync started' },
  'sender.apply': { tr: 'Başlık başvurusu yapıldı', en: 'Sender ID applied for' },
  'sender.approved': { tr: 'Başlık onaylandı', en: 'Sender ID approved' },
  'sender.rejected': { tr: 'Başlık reddedildi', en: 'Sender ID rejected' },
  'session.sign-in': { tr: 'Giriş yapıldı', en: 'Signed in' },
  'settings.change': { tr: 'Ayar değişti', en: 'Setting changed' },
  'staff.create': { tr: 'İşletmeci kullanıcısı açıldı', en: 'Staff user created' },
  'staff.remove': { tr: 'İşletmeci kullanıcısı silindi', en: 'Staff user removed' },
  'subscription.apply': { tr: 'Abonelik başvurusu yapıldı', en: 'Subscription applied for' },
  'subscription.approved': { tr: 'Abonelik onaylandı', en: 'Subscription approved' },
  'subscription.rejected': { tr: 'Abonelik reddedildi', en: 'Subscription rejected' },
  'totp.off': { tr: 'İki adımlı doğrulama kapandı', en: 'Two-step verification off' },
  'totp.on': { tr: 'İki adımlı doğrulama açıldı', en: 'Two-step verification on' },
  'totp.reset': { tr: 'İki adımlı doğrulama sıfırlandı', en: 'Two-step verification reset' },
  'user.invite': { tr: 'Kullanıcı davet edildi', en: 'User invited' },
  'user.invite-revoke': { tr: 'Davet geri alındı', en: 'Invitation revoked' },
  'user.join': { tr: 'Davet kabul edildi', en: 'Invitation accepted' },
  'user.remove': { tr: 'Kullanıcı çıkarıldı', en: 'User removed' },
  'user.role': { tr: 'Rol değişti', en: 'Role changed' },
  'webhook.resend': { tr: 'Bildirim yeniden gönderildi', en: 'Event sent again' },
  'webhook.rotate-secret': { tr: 'İmza anahtarı yenilendi', en: 'Webhook secret rotated' },
  'webhook.save': { tr: 'Bildirim adresi değişti', en: 'Webhook address changed' },
};

const details: Record<string, Words> = {
  orderId: { tr: 'sipariş', en: 'order' },
  applicationId: { tr: 'başvuru', en: 'application' },
  name: { tr: 'ad', en: 'name' },
  reason: { tr: 'sebep', en: 'reason' },
  role: { tr: 'rol', en: 'role' },
  email: { tr: 'e-posta', en: 'e-mail' },
  number: { tr: 'numara', en: 'number' },
  numbers: { tr: 'numara', en: 'numbers' },
  keyword: { tr: 'anahtar kelime', en: 'keyword' },
  brand: { tr: 'marka', en: 'brand' },
  records: { tr: 'kayıt', en: 'records' },
  added: { tr: 'eklenen', en: 'added' },
  removed: { tr: 'çıkarılan', en: 'removed' },
  recipients: { tr: 'alıcı', en: 'recipients' },
  rate: { tr: 'hız', en: 'rate' },
  status: { tr: 'durum', en: 'status' },
  sms: { tr: 'kredi', en: 'credits' },
  code: { tr: 'kod', en: 'code' },
  quota: { tr: 'kota', en: 'quota' },
};

// What a detail holds where that is a word of the program; everything else is shown as it was stored.
const values: Record<string, Words> = {
  'role=owner': { tr: 'sahip', en: 'owner' },
  'role=sender': { tr: 'gönderici', en: 'sender' },
  'role=viewer': { tr: 'izleyici', en: 'viewer' },
  'status=active': { tr: 'etkin', en: 'active' },
  'status=suspended': { tr: 'askıda', en: 'suspended' },
};

// Whoever acted in the operator's name is told to customers by this word only.
const operator = { tr: 'işletmeci', en: 'operator' };

export const actorName = (actor: string): string => (actor === operator.tr ? inOurs(operator) : actor);
export const deedName = (action: string): string => (Object.hasOwn(deeds, action) ? inOurs(deeds[action]!) : action);
// Names of a download's filter stand in its deed, and whoever asks for it may call them `constructor`.
export const detailName = (key: string): string => (Object.hasOwn(details, key) ? inOurs(details[key]!) : key);

export function detailValue(key: string, value: unknown): string {
  const known = values[`${key}=${value}`];
  if (known) return inOurs(known);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
