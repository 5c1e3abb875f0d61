// The settings of a carrier as its contract sheet names them. The name used by the command line and the documentation
// stands below each label, so that one can be found by the other.
import { inOurs } from '../text/language.ts';

const labels: Record<string, { tr: string; en: string }> = {
  host: { tr: 'Sunucu adresi', en: 'Host' },
  port: { tr: 'Kapı (port)', en: 'Port' },
  tls: { tr: 'TLS', en: 'TLS' },
  'tls-verify': { tr: 'TLS sertifikası denetlensin', en: 'Verify the TLS certificate' },
  'system-id': { tr: 'Kullanıcı adı (system ID)', en: 'System ID' },
  'system-type': { tr: 'Sistem türü', en: 'System type' },
  bind: { tr: 'Bağlanma türü', en: 'Kind of bind' },
  binds: { tr: 'Bağlantı sayısı', en: 'Number of binds' },
  window: { tr: 'Pencere (yanıt bekleyen)', en: 'Window (awaiting answers)' },
  rate: { tr: 'Hız sınırı (SMS/sn, boş = yok)', en: 'Rate limit (SMS/s, empty = none)' },
  'source-ton': { tr: 'Gönderen TON', en: 'Source TON' },
  'source-npi': { tr: 'Gönderen NPI', en: 'Source NPI' },
  'destination-ton': { tr: 'Alıcı TON', en: 'Destination TON' },
  'destination-npi': { tr: 'Alıcı NPI', en: 'Destination NPI' },
  'answer-id': { tr: 'Yanıttaki kimlik biçimi', en: 'Form of the id in answers' },
  'receipt-id': { tr: 'Rapordaki kimlik biçimi', en: 'Form of the id in receipts' },
  'data-coding': { tr: 'Türkçe için data coding', en: 'Data coding for Turkish' },
  long: { tr: 'Uzun mesaj yöntemi', en: 'How long messages are sent' },
  validity: { tr: 'Geçerlilik süresi (sn)', en: 'Validity (s)' },
  prefixes: { tr: 'Yalnız bu numara başları', en: 'Only these prefixes' },
  priority: { tr: 'Öncelik (küçük olan önce)', en: 'Priority (lower first)' },
  unsure: { tr: 'Yanıtı yitmiş mesajlar', en: 'Messages whose answer was lost' },
};

const belowField = ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[];

/** The technical name stands below, so that fields in a row stay on one line. */
export function carrierField(setting: string) {
  const label = labels[setting];
  if (!label) return { label: setting };
  return { label: inOurs(label), description: setting, inputWrapperOrder: belowField };
}
