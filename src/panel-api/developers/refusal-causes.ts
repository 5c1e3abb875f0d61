// Refused calls in words: the cause and the remedy. The wire answers 401 for four different causes; the account's owner sees
// which one it was.
import { statusTexts } from '../../status.ts';
import type { Both } from '../contract/shapes.ts';
import type { Remedy } from './contract.ts';

type Description = { sentence: Both; fix: Both; remedy: Remedy };

const operatorAddsBrand: Both = {
  tr: 'İşletmeciden marka kodunuzu tanımlamasını isteyin.',
  en: 'Ask the operator to add your brand code.',
};

const authentication: Record<string, Description> = {
  'api-off': {
    sentence: {
      tr: 'API kullanımı kapalı (Ayarlar → Güvenlik → Erişim izinleri).',
      en: 'API use is switched off (Settings → Security → Access permissions).',
    },
    fix: { tr: 'API kullanımını açın.', en: 'Switch API use on.' },
    remedy: { kind: 'enable-api' },
  },
  'old-login-off': {
    sentence: {
      tr: 'Kullanıcı adı ve parola ile giriş kapalı.',
      en: 'Logging in with user name and password is switched off.',
    },
    fix: {
      tr: 'İstemciyi anahtar ve hash’e geçirin, ya da girişi yeniden açın.',
      en: 'Move the client to key and hash, or switch that login on again.',
    },
    remedy: { kind: 'api-access' },
  },
  'wrong-old-password': {
    sentence: { tr: 'Eski istemci parolası hatalı.', en: 'The password for older clients is wrong.' },
    fix: {
      tr: 'Parola panelde verildiği gibi kullanılır; kaybolduysa yenisini üretin.',
      en: 'The password is used as issued; if it is lost, make a new one.',
    },
    remedy: { kind: 'api-access' },
  },
  'wrong-hash': {
    sentence: { tr: 'Hash bu anahtara ait değil.', en: 'The hash does not belong to this key.' },
    fix: {
      tr: 'Hash panelde verildiği gibi kullanılır, hesaplanmaz. Kaybolduysa anahtarı yenileyin.',
      en: 'The hash is used as issued, nothing is computed. If it is lost, rotate the key.',
    },
    remedy: { kind: 'api-access' },
  },
  'hash-with-blanks': {
    sentence: {
      tr: 'Hash doğru ama başında ya da sonunda boşluk var.',
      en: 'The hash is right but has a blank at its beginning or end.',
    },
    fix: { tr: 'Boşlukları silin.', en: 'Remove the blanks.' },
    remedy: { kind: 'api-access' },
  },
  'disabled-key': {
    sentence: { tr: 'Bu anahtar yenilendi ya da kapatıldı.', en: 'This key was rotated or disabled.' },
    fix: { tr: 'Güncel anahtarı ve hash’i kullanın.', en: 'Use the current key and hash.' },
    remedy: { kind: 'api-access' },
  },
  'key-scope': {
    sentence: { tr: 'Anahtarın bu işleme yetkisi yok.', en: 'The key may not call this operation.' },
    fix: {
      tr: 'Yetkisi olan bir anahtar kullanın ya da anahtarın yetkilerini değiştirin (peyk key limit).',
      en: 'Use a key that may, or change what this one may do (peyk key limit).',
    },
    remedy: { kind: 'api-access' },
  },
  'smpp-wrong-password': {
    sentence: { tr: 'SMPP parolası hatalı.', en: 'The SMPP password is wrong.' },
    fix: {
      tr: 'Parola panelde verildiği gibi kullanılır; kaybolduysa yenileyin.',
      en: 'The password is used as issued; if it is lost, rotate it.',
    },
    remedy: { kind: 'smpp' },
  },
  'smpp-user-off': {
    sentence: { tr: 'SMPP kullanıcısı kapalı.', en: 'The SMPP user is off.' },
    fix: { tr: 'Kullanıcıyı açın ya da istemciyi durdurun.', en: 'Turn the user on, or stop the client.' },
    remedy: { kind: 'smpp' },
  },
  'smpp-too-many-binds': {
    sentence: { tr: 'SMPP kullanıcısının bütün bağlantıları dolu.', en: 'All binds of the SMPP user are taken.' },
    fix: {
      tr: 'Kullanmadığınız bir bağlantıyı kesin ya da bağlantı sınırını yükseltin.',
      en: 'End a bind that you do not use, or raise the limit of binds.',
    },
    remedy: { kind: 'smpp' },
  },
  suspended: {
    sentence: { tr: 'Hesap askıya alındı.', en: 'The account is suspended.' },
    fix: { tr: 'İşletmeciye başvurun.', en: 'Contact the operator.' },
    remedy: { kind: 'none' },
  },
};

/** Causes whose sentence names the address. */
const fromAddress: Record<string, (address: string) => Description> = {
  'address-not-listed': address => ({
    sentence: { tr: `${address} sabit IP listesinde değil.`, en: `${address} is not on the static IP list.` },
    fix: { tr: 'Adresi API listesine ekleyin.', en: 'Add the address to the API list.' },
    remedy: { kind: 'add-address', address },
  }),
  'smpp-address-not-listed': address => ({
    sentence: {
      tr: `${address} SMPP kullanıcısının adres listesinde değil.`,
      en: `${address} is not on the SMPP user’s list of addresses.`,
    },
    fix: { tr: 'Adresi SMPP kullanıcısına ekleyin.', en: 'Add the address to the SMPP user.' },
    remedy: { kind: 'smpp' },
  }),
  'smpp-banned': address => ({
    sentence: {
      tr: `${address} bu kullanıcının parolasını art arda yanlış verdiği için beş dakika engellendi.`,
      en: `${address} gave wrong passwords of this user too often and is banned for it for five minutes.`,
    },
    fix: {
      tr: 'Parolayı düzeltin; engel kendiliğinden kalkar.',
      en: 'Correct the password; the ban ends by itself.',
    },
    remedy: { kind: 'smpp' },
  }),
};

const byCode: Record<number, { en: string; fix: Both; remedy: Remedy }> = {
  400: {
    en: 'The request could not be read.',
    fix: { tr: 'Gövde JSON olmalı ve işlemin nesnesini içermeli.', en: 'Send JSON with the operation’s object.' },
    remedy: { kind: 'none' },
  },
  402: {
    en: 'Not enough credit.',
    fix: { tr: 'Kredi yükleyin ya da alıcı sayısını azaltın.', en: 'Add credit or send to fewer recipients.' },
    remedy: { kind: 'balance' },
  },
  403: {
    en: 'The account has no active registry subscription.',
    fix: operatorAddsBrand,
    remedy: { kind: 'consent' },
  },
  405: {
    en: 'The monthly consent quota is used up.',
    fix: { tr: 'Kota ay başında yenilenir.', en: 'The quota begins again with the month.' },
    remedy: { kind: 'consent' },
  },
  450: {
    en: 'The sender ID cannot be used.',
    fix: {
      tr: 'Yalnız onaylı başlıklar; büyük-küçük harf ve boşluk önemlidir. APITEST, başlık onaylanınca kapanır.',
      en: 'Only approved sender IDs; case and blanks matter. APITEST ends with the first approval.',
    },
    remedy: { kind: 'senders' },
  },
  451: {
    en: 'The same order came within 10 minutes.',
    fix: { tr: 'Yinelemeler için Idempotency-Key kullanın.', en: 'Use Idempotency-Key for repeats.' },
    remedy: { kind: 'none' },
  },
  452: {
    en: 'No valid recipient.',
    fix: {
      tr: 'Numara biçimlerine bakın; yabancı numaralar için yurt dışı modu gerekir.',
      en: 'Check the numbers; foreign ones need abroad mode.',
    },
    remedy: { kind: 'sending' },
  },
  453: {
    en: 'The text is longer than 7 parts.',
    fix: { tr: 'Metni kısaltın.', en: 'Shorten the text.' },
    remedy: { kind: 'none' },
  },
  454: {
    en: 'The text is empty.',
    fix: {
      tr: 'İngilizce modda emoji düşer; yalnız emojiden oluşan metin boş kalır.',
      en: 'Emoji are dropped in English mode, which leaves a text of emoji empty.',
    },
    remedy: { kind: 'sending' },
  },
  455: {
    en: 'There is no such order in this account.',
    fix: {
      tr: 'send-sms yanıtındaki sipariş numarasını, siparişi veren hesabın anahtarıyla gönderin.',
      en: 'Send the order id that send-sms answered, with a key of the account that sent the order.',
    },
    remedy: { kind: 'orders' },
  },
  456: {
    en: 'The order is scheduled and not sent yet.',
    fix: {
      tr: 'Raporu gönderim zamanından sonra isteyin; planlı siparişin durumu panelde, Siparişler sayfasındadır.',
      en: 'Ask for the report after its time to be sent; until then the order stands under Orders in the panel.',
    },
    remedy: { kind: 'orders' },
  },
  457: {
    en: 'The time to send at cannot be read.',
    fix: {
      tr: 'Zamanı Türkiye saatiyle GG/AA/YYYY SS:DD biçiminde gönderin.',
      en: 'Send Turkey’s time as DD/MM/YYYY HH:MM.',
    },
    remedy: { kind: 'none' },
  },
  466: {
    en: 'The number is not a mobile number.',
    fix: {
      tr: 'Numarayı 5XXXXXXXXX biçiminde gönderin: cep numarası olmalı, içinde harf bulunmamalı.',
      en: 'Send the number as 5XXXXXXXXX: a mobile number, without letters.',
    },
    remedy: { kind: 'none' },
  },
  469: {
    en: 'The consent list is missing, or nobody has given consent.',
    fix: { tr: 'iysList gönderin; alıcıların izinlerine bakın.', en: 'Send iysList; check the recipients’ consent.' },
    remedy: { kind: 'consent' },
  },
  470: {
    en: 'The account has no brand code.',
    fix: operatorAddsBrand,
    remedy: { kind: 'consent' },
  },
};

/** A submit that SMPP itself forbids: the cause is the name of its status (ESME_RINVEXPIRY). */
const protocolFix: Both = {
  tr: 'İsteğin alanlarını SMPP belgesiyle karşılaştırın.',
  en: 'Compare the fields of the submit with the SMPP reference.',
};

export function describeRefusal(code: number, cause: string, address: string | null): Description {
  if (code === 401 && Object.hasOwn(fromAddress, cause)) return fromAddress[cause]!(address ?? '');
  const known = code === 401 && Object.hasOwn(authentication, cause) ? authentication[cause] : undefined;
  if (known) return known;
  if (code === 400 && cause.startsWith('ESME_'))
    return {
      sentence: { tr: `SMPP isteği geçersiz (${cause}).`, en: `The SMPP submit is not valid (${cause}).` },
      fix: protocolFix,
      remedy: { kind: 'smpp' },
    };
  const row = byCode[code];
  const errors = fieldErrors(cause);
  const sentence = errors ? Object.values(errors).join(' ').slice(0, 300) : cause;
  return {
    sentence: { tr: sentence, en: errors ? sentence : (row?.en ?? sentence) },
    fix: row?.fix ?? { tr: 'İsteği API belgesiyle karşılaştırın.', en: 'Compare the call with the API reference.' },
    remedy: row?.remedy ?? { kind: 'none' },
  };
}

/** Many refusals of one cause: a 422 without its fields, an address by one example. */
export function describeRefusals(group: { code: number; cause: string; addresses: string[] | null }): Description {
  if (group.code === 422) return describeRefusal(422, statusTexts[422], null);
  return describeRefusal(group.code, group.cause, group.addresses?.[0] ?? null);
}

/** A 422 stores its fields as JSON, cut at 500 characters. */
export function fieldErrors(cause: string): Record<string, string> | null {
  if (!cause.startsWith('{')) return null;
  try {
    return JSON.parse(cause) as Record<string, string>;
  } catch {
    return { '…': cause.replace(/[{}"]/g, ' ').trim() };
  }
}
