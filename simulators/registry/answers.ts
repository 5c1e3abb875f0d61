// Refusals of the registry: code → HTTP status and sentence. Codes and statuses are the published ones; the sentences are the
// simulator's own, so that nobody depends on their wording.
export const refusals = {
  H014: { http: 400, message: 'İstek JSON olarak okunamadı' },
  H015: { http: 500, message: 'Beklenmeyen hata' },
  H084: { http: 429, message: 'Saatlik jeton isteği sınırı aşıldı' },
  H085: { http: 400, message: 'İzin ekleme isteği okunamadı' },
  H086: { http: 429, message: 'Saatlik tekil sorgu sınırı aşıldı' },
  H089: { http: 429, message: 'Saatlik geçmiş sorgusu sınırı aşıldı' },
  H091: { http: 422, message: 'Bir istekte en fazla 1000 izin eklenir' },
  H092: { http: 400, message: 'Çoklu izin ekleme isteği okunamadı' },
  H093: { http: 422, message: 'Bağlantının kullanıcı adı veya parolası eksik' },
  H097: { http: 400, message: 'İzin sorgulama isteği okunamadı' },
  H110: { http: 422, message: 'status eksik' },
  H111: { http: 422, message: 'type eksik' },
  H112: { http: 422, message: 'consentDate eksik' },
  H113: { http: 422, message: 'source eksik' },
  H114: { http: 422, message: 'recipient eksik' },
  H115: { http: 422, message: 'status ONAY veya RET olmalı' },
  H116: { http: 422, message: 'recipientType BIREYSEL veya TACIR olmalı' },
  H117: { http: 422, message: 'type ARAMA, MESAJ veya EPOSTA olmalı' },
  H118: { http: 422, message: 'Bilinmeyen alan' },
  H119: { http: 422, message: 'source bilinmiyor' },
  H120: { http: 422, message: 'recipient geçerli bir e-posta adresi değil' },
  H121: { http: 422, message: 'recipient E.164 biçiminde bir telefon numarası değil' },
  H122: { http: 422, message: 'recipient ne telefon numarası ne e-posta adresi' },
  H124: { http: 429, message: 'Saniyelik istek sınırı aşıldı' },
  H125: { http: 422, message: 'Tek seferde en fazla 1000 izin eklenir' },
  H155: { http: 422, message: 'HS_2015 yalnız 2015-05-01 00:00:00 tarihiyle kullanılır' },
  H156: { http: 422, message: 'consentDate 2015-05-01 tarihinden önce olamaz' },
  H157: { http: 422, message: 'consentDate var olmayan bir tarih' },
  H158: { http: 422, message: 'consentDate YYYY-MM-DD HH:mm:ss biçiminde olmalı' },
  H160: { http: 422, message: 'Telefon numarası 15 karakterden uzun' },
  H162: { http: 422, message: 'consentDate gelecekte' },
  H164: { http: 422, message: 'recipients boş' },
  H166: { http: 422, message: 'Telefon numarası 15 karakterden uzun' },
  H168: { http: 422, message: 'recipients eksik' },
  H170: { http: 422, message: 'recipientType eksik' },
  H174: { http: 400, message: 'Alıcının durumu zaten RET' },
  H175: { http: 400, message: 'Alıcının ilk kaydı RET olamaz' },
  H178: { http: 400, message: 'consentDate kayıtlı izinden daha yeni olmalı' },
  H182: { http: 422, message: 'limit geçersiz' },
  H183: { http: 422, message: 'offset geçersiz' },
  H186: { http: 422, message: 'limit en fazla 100 olabilir' },
  H187: { http: 422, message: 'limit sıfır olamaz' },
  H190: { http: 422, message: 'iysCode tam sayı olmalı' },
  H191: { http: 422, message: 'brandCode tam sayı olmalı' },
  H192: { http: 503, message: 'Servis şu anda yanıt veremiyor' },
  H193: { http: 422, message: 'Alıcı listede iki kez var' },
  H194: { http: 422, message: 'Aynı alıcı, alıcı tipi ve izin tipi listede iki kez var' },
  H198: { http: 422, message: 'requestId 36 karakterden uzun' },
  H351: { http: 401, message: 'Jeton eksik veya geçersiz' },
  H353: { http: 403, message: 'iysCode veya brandCode bu kullanıcıya ait değil' },
  H408: { http: 422, message: 'HS_KARAR yalnız RET ile kullanılır' },
  H437: { http: 404, message: 'Abonelik bulunamadı' },
  H462: { http: 400, message: 'Güncellemede consentDate gerekli' },
  H463: { http: 400, message: 'Güncellemede source gerekli' },
  H464: { http: 422, message: 'Alıcı, izin tipine uygun bir adres değil' },
  H467: { http: 422, message: 'consentDate üç iş gününden eski' },
  H478: { http: 422, message: 'recipients bir liste olmalı' },
  H486: { http: 400, message: 'HS_KARAR ilk kayıtta kullanılamaz' },
  H506: { http: 422, message: 'source IYS veya HS olmalı' },
  H507: { http: 422, message: 'limit en fazla 1000 olabilir' },
  H520: { http: 403, message: 'Abonelik duraklatılmış veya süresi dolmuş' },
  H521: { http: 403, message: 'Abonelik kapatılmış' },
  H524: { http: 403, message: 'Abonelik yok' },
  H525: { http: 422, message: 'Aboneliğin alıcı adresi sınırına ulaşıldı' },
  H530: { http: 422, message: 'Bağlantı kurulamadı' },
  H531: { http: 422, message: 'Bağlantı adresi https olmalı' },
  H586: { http: 403, message: 'Abonelik API kullanımını içermiyor' },
} as const satisfies Record<string, { http: number; message: string }>;

export type Code = keyof typeof refusals;
export type Fault = { code: Code; location?: (string | number)[]; value?: unknown; index?: number };
export type Answer = { http: number; body?: unknown };

export function ok(body: unknown, http = 200): Answer {
  return { http, body };
}

export function refuse(code: Code, detail: Omit<Fault, 'code'> = {}): Answer {
  return refuseAll([{ code, ...detail }]);
}

/** The status is the first fault's. The published samples of H353 spell the key `code:`, and so does the simulator. */
export function refuseAll(faults: Fault[]): Answer {
  const errors = faults.map(({ code, ...detail }) => ({
    [code === 'H353' ? 'code:' : 'code']: code,
    message: refusals[code].message,
    ...detail,
  }));
  return { http: refusals[faults[0]?.code ?? 'H015'].http, body: { errors } };
}
