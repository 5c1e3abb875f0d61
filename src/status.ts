// The answer codes of the v1 interface with their Turkish texts, and the error that refuses a request.
export const statusTexts = {
  200: 'İşlem başarılı',
  400: 'İstek çözümlenemedi',
  401: 'Üyelik bilgileri hatalı',
  402: 'Bakiye yetersiz',
  403: 'Aktif abonelik bulunamadı',
  404: 'API istek yapılan yönteme sahip değil',
  405: 'Aylık izin kayıt kotanız doldu',
  422: 'İstekte gönderilen bazı değerler doğrulanamadı',
  450: 'Gönderilen başlık kullanıma uygun değil',
  451: 'Tekrar eden sipariş',
  452: 'Mesaj alıcıları hatalı',
  453: 'Sipariş boyutu aşıldı',
  454: 'Mesaj metni boş',
  455: 'Sipariş bulunamadı',
  456: 'Sipariş gönderim tarihi henüz gelmedi',
  457: 'Mesaj gönderim tarihinin formatı hatalı',
  458: 'Tarih aralığı hatalı',
  464: 'Page değeri 1 den başlamalı.',
  466: 'Hatalı numara',
  468: 'IYS üzerinden sorgulama yapılıp, yapılmayacağını ayarlamalısınız.',
  469: 'IYS listenizi seçmelisiniz, BIREYSEL veya TACIR.',
  470: 'IYS kodunuzu ayarlamalısınız.',
  474: 'Bu numara üzerindeki engelleme kaldırılamaz',
  475: 'Alıcı sayısı 5000 kişiyi geçemez',
  503: 'Sunucu geçici olarak servis dışı',
} as const;

export type StatusCode = keyof typeof statusTexts;

/** Only this code has two causes: if a list was given, 469 says what is missing then. */
export const nobodyConsents = 'Alıcıların hiçbirinin İYS onayı yok.';

/** Thrown inside a request; rolls its transaction back and is rendered once, in api/call. Its message is the status text. */
export class Refusal extends Error {
  readonly code: StatusCode;
  /** Field → Turkish text, sent as `response.errors` (422 only). */
  readonly errors: Record<string, string> | undefined;
  constructor(code: StatusCode, errors?: Record<string, string>, text: string = statusTexts[code]) {
    super(text);
    this.code = code;
    this.errors = errors;
  }
}

const phrases = new Map<string, string>();

/**
 * The HTTP reason phrase: from 400 on the status text in ASCII letters, because some clients show nothing else and the runtime
 * would say "unknown", or for 451 something about the law.
 */
export function reasonPhrase(code: number, text: string): string {
  if (code < 400) return 'OK';
  let phrase = phrases.get(text);
  // Texts are few: those of the table above.
  if (phrase === undefined) {
    phrase = inPlainLetters(text);
    phrases.set(text, phrase);
  }
  return phrase;
}

function inPlainLetters(text: string): string {
  const bare = text.normalize('NFD').replace(/\p{M}/gu, '');
  return bare.replaceAll('ı', 'i').replace(/[^\x20-\x7e]/g, '?');
}
