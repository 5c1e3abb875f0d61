// The reasons for status 112, by their stored number: one table for reports, panel and exports. shared-rules.test.ts compares it
// with the numbers in functions of the database. `filtered`: we held the message back before any carrier saw it.
export const reasons = {
  0: { key: 'none', filtered: false, tr: '', en: '' },
  1: {
    key: 'bad-number',
    filtered: true,
    tr: 'Numaraya SMS gönderilemez: hane hatası, sabit hat ya da kapalı olan yurt dışı.',
    en: 'The number cannot get an SMS: wrong digits, a landline, or abroad while that is off.',
  },
  2: { key: 'blacklisted', filtered: true, tr: 'Numara kara listede.', en: 'The number is on the blacklist.' },
  3: { key: 'no-consent', filtered: true, tr: 'İYS izni yok.', en: 'There is no consent in the registry.' },
  4: {
    key: 'sender-revoked',
    filtered: true,
    tr: 'Başlık artık onaylı değil.',
    en: 'The sender ID is no longer approved.',
  },
  9: {
    key: 'cancelled',
    filtered: true,
    tr: 'Sipariş gönderilmeden iptal edildi.',
    en: 'The order was cancelled before it was sent.',
  },
  10: {
    key: 'absent',
    filtered: false,
    tr: 'Telefon kapalı ya da kapsama dışında.',
    en: 'The phone is off or out of coverage.',
  },
  11: {
    key: 'expired',
    filtered: false,
    tr: 'Geçerlilik süresi doldu, operatör teslim edemedi.',
    en: 'The validity period ended before the carrier could deliver.',
  },
  12: { key: 'unknown-subscriber', filtered: false, tr: 'Numara kullanımda değil.', en: 'The number is not in use.' },
  13: {
    key: 'rejected',
    filtered: false,
    tr: 'Operatör mesajı kabul etmedi.',
    en: 'The carrier did not accept the message.',
  },
  14: { key: 'no-receipt', filtered: false, tr: 'Operatör sonuç bildirmedi.', en: 'The carrier reported no outcome.' },
  15: {
    key: 'outcome-unknown',
    filtered: false,
    tr: 'Operatörün yanıtı alınamadı; iletilip iletilmediği bilinmiyor.',
    en: 'The carrier’s answer was lost; whether the message was delivered is unknown.',
  },
  16: { key: 'deleted', filtered: false, tr: 'Operatör mesajı sildi.', en: 'The carrier deleted the message.' },
  17: {
    key: 'carrier-busy',
    filtered: false,
    tr: 'Operatör yoğun; denemeler sonuç vermedi.',
    en: 'The carrier was busy; all attempts failed.',
  },
  18: {
    key: 'never-sent',
    filtered: false,
    tr: 'Geçerlilik süresi içinde hiçbir operatöre verilemedi.',
    en: 'No carrier could be reached within the validity period.',
  },
  19: {
    key: 'bad-message',
    filtered: false,
    tr: 'Mesaj operatöre uygun biçimde değil.',
    en: 'The carrier found the message malformed.',
  },
} as const satisfies Record<number, { key: string; filtered: boolean; tr: string; en: string }>;

export type Reason = keyof typeof reasons;

const filtered = Object.entries(reasons).filter(([, one]) => one.filtered);

/** For a statement: whether the reason in this column is a filtered one. */
export function isFiltered(column: string): string {
  return `${column} in (${filtered.map(([no]) => no).join(', ')})`;
}
