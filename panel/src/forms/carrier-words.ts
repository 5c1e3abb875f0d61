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

/** Settings that take one of a few values, with what each of them costs. */
const choices: Record<string, { value: string; tr: string; en: string }[]> = {
  unsure: [
    {
      value: 'lane',
      tr: 'Türüne göre: bilgilendirme bir kez daha, kampanya asla',
      en: 'By kind: codes once more, campaigns never',
    },
    { value: 'resend', tr: 'Her zaman bir kez daha', en: 'Always once more' },
    { value: 'fail', tr: 'Asla ikinci kez', en: 'Never twice' },
  ],
};
const prices: Record<string, { tr: string; en: string }> = {
  unsure: {
    tr: 'Bağlantı ya da süreç, yanıt gelmeden koparsa mesajın gidip gitmediği bilinmez. "Asla ikinci kez": kimse aynı mesajı iki kez almaz; bedeli, hiç çıkmamış olanların da ulaşmamış sayılmasıdır (kredisi iade edilir). "Bir kez daha": hiçbiri yitmez; bedeli, bazı alıcıların aynı mesajı iki kez almasıdır (bir kez ücretlenir, operatör ikisini de sayabilir). Söz konusu olan, kopuş anında yanıt bekleyenlerdir: pencere kadar mesaj ve birkaç fazlası.',
    en: 'When a link or a process is lost before the answer, nobody knows whether the message left. "Never twice": nobody gets it twice; the price is that those which never left count as undelivered too (their credit goes back). "Once more": none is lost; the price is that some recipients get it twice (charged once; the carrier may count both). Concerned are those that awaited an answer at that moment: a window of messages and a few more.',
  },
};

export function carrierChoices(setting: string): { value: string; label: string }[] | null {
  return choices[setting]?.map(one => ({ value: one.value, label: inOurs(one) })) ?? null;
}

const belowField = ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[];

/** The technical name stands below, so that fields in a row stay on one line. */
export function carrierField(setting: string) {
  const label = labels[setting];
  if (!label) return { label: setting };
  const price = prices[setting];
  const description = price ? `${setting}. ${inOurs(price)}` : setting;
  return { label: inOurs(label), description, inputWrapperOrder: belowField };
}
