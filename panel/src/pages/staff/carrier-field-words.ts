// The settings of a carrier as its contract sheet names them, with what to write below each.
import { inOurs } from '../../text/language.ts';

const labels: Record<string, { tr: string; en: string }> = {
  kind: { tr: 'Bağlantı türü', en: 'Kind of connection' },
  preset: { tr: 'Sağlayıcı', en: 'Provider' },
  url: { tr: 'Sağlayıcı adresi (boş = bilinen adres)', en: 'Address (empty = the known one)' },
  user: { tr: 'Kullanıcı adı ya da anahtar', en: 'User name or key' },
  private: { tr: 'Özel ağda ya da http ile', en: 'At a private address, or over plain http' },
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

export const carrierFieldNames = Object.keys(labels);

const idForms = [
  { value: 'text', tr: 'Olduğu gibi', en: 'As it is' },
  { value: 'decimal', tr: 'Onluk sayı', en: 'Decimal number' },
  { value: 'hex', tr: 'Onaltılık sayı', en: 'Hexadecimal number' },
];

/** Settings that take one of a few values, with what each of them costs. */
const choices: Record<string, { value: string; tr: string; en: string }[]> = {
  kind: [
    { value: 'smpp', tr: 'SMPP (operatör bağlantısı)', en: 'SMPP' },
    { value: 'http', tr: 'HTTP (sağlayıcı arayüzü)', en: 'HTTP' },
  ],
  preset: [{ value: '', tr: 'Kendi tanımım (JSON)', en: 'A description of my own (JSON)' }],
  bind: [
    { value: 'transceiver', tr: 'Alıcı-verici (transceiver)', en: 'Transceiver' },
    { value: 'transmitter', tr: 'Yalnız verici (transmitter)', en: 'Transmitter only' },
    { value: 'separate', tr: 'Ayrı verici ve alıcı', en: 'Separate transmitter and receiver' },
  ],
  'answer-id': idForms,
  'receipt-id': idForms,
  long: [
    { value: 'udh', tr: 'UDH başlığı (olağan)', en: 'UDH header (usual)' },
    { value: 'sar', tr: 'SAR alanları', en: 'SAR fields' },
  ],
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

export function optionLabel(setting: string, value: string): string {
  const found = choices[setting]?.find(one => one.value === value);
  return found ? inOurs(found) : value;
}

// What to write where a contract sheet does not say it in so many words.
const helps: Record<string, { tr: string; en: string }> = {
  kind: { tr: 'Eklendikten sonra değişmez', en: 'Cannot be changed afterwards' },
  preset: { tr: 'İstek ve yanıtların tanımı', en: 'Describes requests and answers' },
  url: { tr: 'https ile başlar', en: 'Begins with https' },
  user: { tr: 'Sağlayıcının verdiği', en: 'As the provider gave it' },
  private: { tr: 'Yalnız kendi ağınızdaki sağlayıcı için', en: 'Only for a gateway of your own' },
  host: { tr: 'Operatörün SMSC adı ya da IP adresi', en: 'Name or address of the carrier’s SMSC' },
  port: { tr: 'Çoğu operatörde 2775; TLS ile 3550', en: 'Usually 2775; 3550 with TLS' },
  tls: { tr: 'Operatör istiyorsa açın', en: 'On where the carrier asks for it' },
  'tls-verify': { tr: 'Yalnız kendi imzalı sertifikada kapatın', en: 'Off only for a self-signed certificate' },
  'system-id': { tr: 'Bağlanma kullanıcısı, en çok 15 karakter', en: 'User of the bind, at most 15 characters' },
  'system-type': { tr: 'Operatör vermediyse boş bırakın', en: 'Empty unless the carrier gave one' },
  bind: { tr: 'Raporlar aynı bağlantıdan gelir', en: 'Receipts come over the same bind' },
  binds: { tr: 'Operatörün izin verdiği kadar, 1–32', en: 'As many as the carrier grants, 1 to 32' },
  window: { tr: 'Bağlantı başına, 1–1.000', en: 'Per bind, 1 to 1,000' },
  rate: { tr: 'Bütün bağlantılar birlikte', en: 'Over all binds together' },
  'source-ton': { tr: 'Alfasayısal başlıkta 5', en: '5 for alphanumeric senders' },
  'source-npi': { tr: 'Alfasayısal başlıkta 0', en: '0 for alphanumeric senders' },
  'destination-ton': { tr: 'Uluslararası biçimde 1', en: '1 for international numbers' },
  'destination-npi': { tr: 'E.164 için 1', en: '1 for E.164' },
  'answer-id': { tr: 'Raporlar eşleşmiyorsa değiştirin', en: 'Change it when receipts do not match' },
  'receipt-id': { tr: 'Raporlar eşleşmiyorsa değiştirin', en: 'Change it when receipts do not match' },
  'data-coding': { tr: 'Operatör başka bir değer istemedikçe 0', en: '0 unless the carrier asks for another' },
  long: { tr: 'Uzun mesajların parçaları nasıl birleşir', en: 'How parts of long messages are joined' },
  validity: { tr: '60–604.800; bir gün 86.400', en: '60 to 604,800; a day is 86,400' },
  prefixes: { tr: '9053,9054; boş = hepsi, 0 = hiçbiri', en: '9053,9054; empty = all, 0 = none' },
  priority: { tr: '0–1.000', en: '0 to 1,000' },
};

/** Help stands below, so that fields in a row stay on one line. */
export function carrierField(setting: string) {
  const label = labels[setting];
  const price = prices[setting];
  const help = price ?? helps[setting];
  return {
    label: label ? inOurs(label) : setting,
    description: help && inOurs(help),
    isLong: price !== undefined,
  };
}
