// The registry's codes: what each means for the work, and the sentence a customer reads. `record` is a fault of the record,
// `request` of our call, `subscription` and `quota` of the brand, whose records wait until it is corrected; `later` allows the
// same call after a pause.
export type CodeClass = 'record' | 'request' | 'subscription' | 'quota' | 'token' | 'later';
type Row = { class: CodeClass; tr: string; en: string };

const later = {
  tr: 'İYS şu anda yanıt veremiyor; kayıt daha sonra yeniden gönderilecek.',
  en: 'The registry cannot answer now; the record will be sent again later.',
};
const pace = {
  tr: 'İYS istek sınırına ulaşıldı; işlem birazdan sürecek.',
  en: 'The registry’s request limit is reached; the work goes on shortly.',
};
const unreadable = {
  tr: 'İYS gönderilen isteği okuyamadı.',
  en: 'The registry could not read the request.',
};

export const registryCodes = {
  H014: { class: 'request', ...unreadable },
  H015: { class: 'later', ...later },
  H083: { class: 'later', ...pace },
  H084: { class: 'later', ...pace },
  H085: { class: 'request', ...unreadable },
  H086: { class: 'later', ...pace },
  H089: { class: 'later', ...pace },
  H091: {
    class: 'request',
    tr: 'Tek istekte en fazla 1000 kayıt gönderilebilir.',
    en: 'At most 1000 records a request.',
  },
  H092: { class: 'request', ...unreadable },
  H093: { class: 'request', tr: 'Bağlantı bilgileri eksik.', en: 'Connection details are missing.' },
  H097: { class: 'request', ...unreadable },
  H100: { class: 'later', ...later },
  H101: { class: 'later', ...later },
  H102: { class: 'later', ...later },
  H103: { class: 'later', ...later },
  H110: { class: 'record', tr: 'İzin durumu (ONAY veya RET) eksik.', en: 'The status is missing.' },
  H111: { class: 'record', tr: 'İzin tipi eksik.', en: 'The type is missing.' },
  H112: { class: 'record', tr: 'İzin tarihi eksik.', en: 'The consent date is missing.' },
  H113: { class: 'record', tr: 'İzin kaynağı eksik.', en: 'The source is missing.' },
  H114: { class: 'record', tr: 'Alıcı adresi eksik.', en: 'The recipient is missing.' },
  H115: { class: 'record', tr: 'İzin durumu ONAY veya RET olmalıdır.', en: 'The status must be ONAY or RET.' },
  H116: {
    class: 'record',
    tr: 'Alıcı tipi BIREYSEL veya TACIR olmalıdır.',
    en: 'The recipient type must be BIREYSEL or TACIR.',
  },
  H117: {
    class: 'record',
    tr: 'İzin tipi ARAMA, MESAJ veya EPOSTA olmalıdır.',
    en: 'The type must be ARAMA, MESAJ or EPOSTA.',
  },
  H118: { class: 'record', tr: 'Kayıtta İYS’nin tanımadığı bir alan var.', en: 'The record has an unknown field.' },
  H119: { class: 'record', tr: 'İzin kaynağı İYS’de tanımlı değil.', en: 'The registry does not know the source.' },
  H120: { class: 'record', tr: 'E-posta adresi geçerli değil.', en: 'The e-mail address is not valid.' },
  H121: { class: 'record', tr: 'Telefon numarası geçerli değil.', en: 'The phone number is not valid.' },
  H122: {
    class: 'record',
    tr: 'Alıcı geçerli bir telefon numarası veya e-posta adresi değil.',
    en: 'The recipient is neither a valid phone number nor an e-mail address.',
  },
  H123: { class: 'later', ...later },
  H124: { class: 'later', ...pace },
  H125: {
    class: 'request',
    tr: 'Tek istekte en fazla 1000 kayıt gönderilebilir.',
    en: 'At most 1000 records a request.',
  },
  H155: {
    class: 'record',
    tr: 'HS_2015 kaynağı yalnız 1 Mayıs 2015 00:00:00 izin tarihiyle kullanılabilir.',
    en: 'HS_2015 goes only with the consent date 2015-05-01 00:00:00.',
  },
  H156: {
    class: 'record',
    tr: 'İzin tarihi 1 Mayıs 2015’ten önce olamaz.',
    en: 'The consent date is before 1 May 2015.',
  },
  H157: { class: 'record', tr: 'İzin tarihi takvimde yok.', en: 'The consent date does not exist.' },
  H158: { class: 'record', tr: 'İzin tarihinin biçimi hatalı.', en: 'The form of the consent date is wrong.' },
  H160: {
    class: 'record',
    tr: 'Telefon numarası 15 karakterden uzun.',
    en: 'The phone number is longer than 15 characters.',
  },
  H162: { class: 'record', tr: 'İzin tarihi gelecekte olamaz.', en: 'The consent date is in the future.' },
  H164: { class: 'request', tr: 'Alıcı listesi boş.', en: 'The list of recipients is empty.' },
  H166: {
    class: 'record',
    tr: 'Telefon numarası 15 karakterden uzun.',
    en: 'The phone number is longer than 15 characters.',
  },
  H168: { class: 'request', tr: 'Alıcı listesi eksik.', en: 'The list of recipients is missing.' },
  H170: { class: 'record', tr: 'Alıcı tipi eksik.', en: 'The recipient type is missing.' },
  H174: {
    class: 'record',
    tr: 'Alıcı İYS’de zaten bu durumda; aynı durum yeniden kaydedilmez.',
    en: 'The recipient already has this status in the registry.',
  },
  H175: {
    class: 'record',
    tr: 'Alıcının İYS’deki ilk kaydı RET olamaz; önce ONAY kaydı gerekir.',
    en: 'A recipient’s first record in the registry may not be RET.',
  },
  H178: {
    class: 'record',
    tr: 'İYS’de bu alıcı için aynı veya daha yeni tarihli bir kayıt var.',
    en: 'The registry holds a record of the same or a later date.',
  },
  H182: { class: 'request', tr: 'Sayfa büyüklüğü geçersiz.', en: 'The page size is not valid.' },
  H183: { class: 'request', tr: 'Sayfa başlangıcı geçersiz.', en: 'The page start is not valid.' },
  H186: { class: 'request', tr: 'Sayfa büyüklüğü en fazla 100 olabilir.', en: 'The page size is at most 100.' },
  H187: { class: 'request', tr: 'Sayfa büyüklüğü sıfır olamaz.', en: 'The page size may not be zero.' },
  H190: { class: 'request', tr: 'İYS kodu sayı olmalıdır.', en: 'The registry code must be a number.' },
  H191: {
    class: 'request',
    tr: 'Marka kodu geçersiz veya bağlantı zaman aşımına uğradı.',
    en: 'The brand code is not valid, or the connection timed out.',
  },
  H192: { class: 'later', ...later },
  H193: { class: 'request', tr: 'Alıcı listede birden çok kez var.', en: 'A recipient is listed more than once.' },
  H194: {
    class: 'record',
    tr: 'Alıcı aynı istekte birden çok kez var.',
    en: 'The recipient is in the same request more than once.',
  },
  H198: { class: 'request', tr: 'İstek numarası geçersiz.', en: 'The request id is not valid.' },
  H199: { class: 'request', tr: 'İstek numarası geçersiz.', en: 'The request id is not valid.' },
  H251: { class: 'token', tr: 'İYS kullanıcı bilgileri hatalı.', en: 'The registry login is wrong.' },
  H351: { class: 'token', tr: 'İYS oturumu geçersiz.', en: 'The registry session is not valid.' },
  H353: {
    class: 'subscription',
    tr: 'Marka kodu İYS hesabınızla eşleşmiyor.',
    en: 'The brand code does not belong to the registry account.',
  },
  H400: { class: 'request', tr: 'İstek numarası geçersiz.', en: 'The request id is not valid.' },
  H408: {
    class: 'record',
    tr: 'HS_KARAR kaynağı yalnız RET kaydında kullanılabilir.',
    en: 'HS_KARAR goes only with RET.',
  },
  H412: { class: 'later', ...later },
  H437: { class: 'subscription', tr: 'İYS aboneliği bulunamadı.', en: 'There is no registry subscription.' },
  H462: { class: 'record', tr: 'Güncelleme kaydında izin tarihi gereklidir.', en: 'An update needs a consent date.' },
  H463: { class: 'record', tr: 'Güncelleme kaydında izin kaynağı gereklidir.', en: 'An update needs a source.' },
  H464: {
    class: 'request',
    tr: 'Alıcı, izin tipine uygun bir adres değil.',
    en: 'The recipient is not an address of this type.',
  },
  H467: {
    class: 'record',
    tr: 'İzin, alındığı tarihten sonra üç iş günü içinde İYS’ye kaydedilmedi.',
    en: 'The consent is older than three business days.',
  },
  H470: { class: 'later', ...later },
  H476: { class: 'later', ...later },
  H478: { class: 'request', tr: 'Alıcı listesi okunamadı.', en: 'The list of recipients could not be read.' },
  H486: {
    class: 'record',
    tr: 'Alıcının ilk kaydında bu izin kaynağı kullanılamaz.',
    en: 'This source may not be used for a first record.',
  },
  H506: { class: 'request', tr: 'Hareket kaynağı geçersiz.', en: 'The source of changes is not valid.' },
  H507: { class: 'request', tr: 'Sayfa büyüklüğü en fazla 1000 olabilir.', en: 'The page size is at most 1000.' },
  H520: {
    class: 'subscription',
    tr: 'İYS aboneliğiniz duraklatılmış veya süresi dolmuş.',
    en: 'The registry subscription is paused or has expired.',
  },
  H521: { class: 'subscription', tr: 'İYS aboneliğiniz kapatılmış.', en: 'The registry subscription is closed.' },
  H524: { class: 'subscription', tr: 'İYS aboneliğiniz bulunmuyor.', en: 'There is no registry subscription.' },
  H525: {
    class: 'quota',
    tr: 'İYS aboneliğinizin alıcı adresi sınırına ulaşıldı.',
    en: 'The subscription’s limit of addresses is reached.',
  },
  H530: { class: 'request', tr: 'Bildirim bağlantısı kurulamadı.', en: 'The push connection could not be made.' },
  H531: { class: 'request', tr: 'Bildirim adresi https olmalıdır.', en: 'The push address must be https.' },
  H586: {
    class: 'subscription',
    tr: 'İYS aboneliğiniz API kullanımını içermiyor.',
    en: 'The registry subscription does not include the API.',
  },
} as const satisfies Record<string, Row>;

/** The HTTP status decides about an unknown code. */
export function classOf(code: string, http: number): CodeClass {
  if (Object.hasOwn(registryCodes, code)) return registryCodes[code as keyof typeof registryCodes].class;
  if (http === 401) return 'token';
  if (http === 403) return 'subscription';
  if (http === 429 || http >= 500) return 'later';
  // A registry code with 400 or 422 concerns the content; an answer without a code concerns our call.
  return /^H\d{3,4}$/.test(code) && (http === 400 || http === 422) ? 'record' : 'request';
}

/** The Turkish sentence of a code. An unknown code is named, because the registry's own text may be anything. */
export function reasonOf(code: string, language: 'tr' | 'en' = 'tr'): string {
  if (Object.hasOwn(registryCodes, code)) return registryCodes[code as keyof typeof registryCodes][language];
  return language === 'tr' ? `İYS kaydı kabul etmedi (${code}).` : `The registry refused the record (${code}).`;
}
