// Titles and words of exported files, Turkish and English.

import { toTurkeyTime } from '../../time/clock.ts';
import type { ExportKind } from '../contract/facts.ts';
import type { Both, Language } from '../contract/shapes.ts';

const titles: Record<ExportKind, [tr: string, en: string][]> = {
  orders: [
    ['Sipariş', 'Order'],
    ['Durum', 'State'],
    ['Veriliş', 'Submitted'],
    ['Gönderim', 'To be sent'],
    ['Başlık', 'Sender ID'],
    ['Metin', 'Text'],
    ['Ticari ileti', 'Commercial'],
    ['Kaynak', 'Source'],
    ['Alıcı', 'Recipients'],
    ['İletildi', 'Delivered'],
    ['İletilemedi', 'Not delivered'],
    ['Elendi', 'Filtered'],
    ['Bekleyen', 'Waiting'],
    ['Teslim oranı (%)', 'Delivery rate (%)'],
    ['Kredi', 'Credits'],
  ],
  recipients: [
    ['Numara', 'Number'],
    ['Operatör', 'Network'],
    ['Durum', 'State'],
    ['Sebep', 'Reason'],
    ['Öneri', 'Advice'],
    ['Kredi', 'Credits'],
    ['Sonuç zamanı', 'Ended'],
    ['Metin', 'Text'],
  ],
  inbox: [
    ['Zaman', 'Time'],
    ['Numara', 'Number'],
    ['Alan', 'To'],
    ['Metin', 'Text'],
    ['Etki', 'Effect'],
  ],
  blacklist: [
    ['Numara', 'Number'],
    ['Kaynak', 'Source'],
    ['Eklenme', 'Added'],
    ['Not', 'Note'],
  ],
  consents: [
    ['Marka kodu', 'Brand code'],
    ['Alıcı', 'Recipient'],
    ['Liste', 'List'],
    ['Tür', 'Type'],
    ['İzin', 'Consent'],
    ['Kaynak', 'Source'],
    ['İzin tarihi', 'Consent date'],
    ['Geliş yolu', 'Origin'],
    ['Geliş zamanı', 'Arrived'],
    ['İYS durumu', 'Registry state'],
    ['İYS kodu', 'Registry code'],
    ['Sebep', 'Reason'],
  ],
  ledger: [
    ['Zaman', 'Time'],
    ['Tür', 'Kind'],
    ['Sipariş', 'Order'],
    ['Değişim', 'Change'],
    ['Rezerv değişimi', 'Reserve change'],
    ['Sonraki bakiye', 'Balance after'],
    ['Açıklama', 'Reason'],
    ['Yapan', 'By'],
  ],
  report: [
    ['Kırılım', 'By'],
    ['Sipariş', 'Orders'],
    ['Alıcı', 'Recipients'],
    ['İletildi', 'Delivered'],
    ['İletilemedi', 'Not delivered'],
    ['Elendi', 'Filtered'],
    ['Bekleyen', 'Waiting'],
    ['Teslim oranı (%)', 'Delivery rate (%)'],
    ['Kredi', 'Credits'],
  ],
  refusals: [
    ['Zaman', 'Time'],
    ['İşlem', 'Operation'],
    ['Kod', 'Code'],
    ['Sebep', 'Cause'],
    ['Çözüm', 'Remedy'],
    ['Adres', 'Address'],
    ['İstemci', 'Agent'],
  ],
  audit: [
    ['Zaman', 'Time'],
    ['Kim', 'Who'],
    ['İşlem', 'Action'],
    ['Ayrıntı', 'Detail'],
    ['Adres', 'Address'],
  ],
};

/** Recipients of an SMPP order. */
export const smppTitle: Both = { tr: 'SMPP yanıtındaki mesaj no', en: 'Message id answered over SMPP' };

export function titlesOf(kind: ExportKind, language: Language): string[] {
  return titles[kind].map(([tr, en]) => (language === 'tr' ? tr : en));
}

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
