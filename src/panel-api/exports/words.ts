// Words of exported files, Turkish and English.

import { toTurkeyTime } from '../../time/clock.ts';
import type { ExportKind } from '../contract/facts.ts';
import type { Both, Language } from '../contract/shapes.ts';

/** Recipients of an SMPP order. */
export const smppTitle: Both = { tr: 'SMPP yanıtındaki mesaj no', en: 'Message id answered over SMPP' };

/** For file names: ASCII letters only, which every file system accepts. */
export const fileWords: Record<ExportKind | 'order', Both> = {
  orders: { tr: 'siparisler', en: 'orders' },
  recipients: { tr: 'alicilar', en: 'recipients' },
  inbox: { tr: 'gelen-kutusu', en: 'inbox' },
  blacklist: { tr: 'kara-liste', en: 'blacklist' },
  consents: { tr: 'izinler', en: 'consents' },
  ledger: { tr: 'hareketler', en: 'ledger' },
  report: { tr: 'rapor', en: 'report' },
  refusals: { tr: 'api-retleri', en: 'api-refusals' },
  audit: { tr: 'denetim-kaydi', en: 'audit-log' },
  order: { tr: 'siparis', en: 'order' },
};

const words: Record<string, Both> = {
  scheduled: { tr: 'Planlandı', en: 'Scheduled' },
  sending: { tr: 'Gönderiliyor', en: 'Sending' },
  finished: { tr: 'Tamamlandı', en: 'Finished' },
  cancelled: { tr: 'İptal edildi', en: 'Cancelled' },
  failed: { tr: 'Gönderilemedi', en: 'Not sent' },
  queued: { tr: 'Kuyrukta', en: 'Queued' },
  'with-carrier': { tr: 'Operatörde', en: 'With carrier' },
  delivered: { tr: 'İletildi', en: 'Delivered' },
  undelivered: { tr: 'İletilemedi', en: 'Not delivered' },
  filtered: { tr: 'Elendi', en: 'Filtered' },
  turkcell: { tr: 'Turkcell', en: 'Turkcell' },
  vodafone: { tr: 'Vodafone', en: 'Vodafone' },
  turktelekom: { tr: 'Türk Telekom', en: 'Türk Telekom' },
  other: { tr: 'Diğer', en: 'Other' },
  blacklisted: { tr: 'Kara listeye eklendi', en: 'Added to the blacklist' },
  api: { tr: 'API', en: 'API' },
  smpp: { tr: 'SMPP', en: 'SMPP' },
  yes: { tr: 'Evet', en: 'Yes' },
  no: { tr: 'Hayır', en: 'No' },
  panel: { tr: 'Panel', en: 'Panel' },
  registry: { tr: 'İYS', en: 'Registry' },
  optout: { tr: 'RET sms’i', en: 'Opt-out SMS' },
  sum: { tr: 'Toplam', en: 'Total' },
  none: { tr: 'Geçersiz numara', en: 'Malformed number' },
  import: { tr: 'İçe aktarma', en: 'Import' },
  operator: { tr: 'İşletmeci', en: 'Staff' },
  sent: { tr: 'Gönderildi', en: 'Sent' },
  accepted: { tr: 'Kabul edildi', en: 'Accepted' },
  refused: { tr: 'Reddedildi', en: 'Refused' },
  grant: { tr: 'Yükleme', en: 'Grant' },
  reserve: { tr: 'Rezerv', en: 'Reserve' },
  consume: { tr: 'Kullanım', en: 'Use' },
  release: { tr: 'İade', en: 'Refund' },
  correct: { tr: 'Düzeltme', en: 'Correction' },
};

export function wordOf(key: string, language: Language): string {
  return Object.hasOwn(words, key) ? words[key]![language] : key;
}

/** `18.11.2026 22:44:13` in Turkish, `18/11/2026 22:44:13` in English, in Turkey's time. */
export function shownTime(time: Date, language: Language): string {
  const [day, clock] = toTurkeyTime(time).split(' ') as [string, string];
  return `${shownDay(day, language)} ${clock}`;
}

/** Formats a stored day or month (2026-11-18, 2026-11); other values stay unchanged. */
export function shownDay(key: string, language: Language): string {
  if (!/^\d{4}-\d\d(-\d\d)?$/.test(key)) return key;
  return key
    .split('-')
    .reverse()
    .join(language === 'tr' ? '.' : '/');
}
