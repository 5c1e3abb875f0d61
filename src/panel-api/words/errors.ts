// Every refusal of the panel: HTTP status and sentence in both languages. Causes of the accounts folder and codes of the
// interface also have their rows here, so that the browser composes no texts.
import type { DenialCode } from '../../people/denial.ts';
import { nobodyConsents, type Refusal, type StatusCode, statusTexts } from '../../status.ts';
import type { PanelError } from '../contract/shapes.ts';
import { aboutHowLong } from './waits.ts';

/** Replaces `{wait}` in a sentence if the refusal itself gives no duration. */
type Row = { status: number; tr: string; en: string; waitMs?: number };

const denials = {
  'address-not-listed': {
    status: 403,
    tr: 'Bulunduğunuz IP adresi bu hesabın panel listesinde değil.',
    en: 'Your IP address is not on this account’s panel list.',
  },
  'already-member': {
    status: 409,
    tr: 'Bu kişi zaten hesabın kullanıcısı.',
    en: 'This person is already a user of the account.',
  },
  'bad-email': { status: 422, tr: 'E-posta adresi geçerli değil.', en: 'The e-mail address is not valid.' },
  'bad-mobile': {
    status: 422,
    tr: 'Cep telefonu numarası geçerli değil (5XX XXX XX XX).',
    en: 'The mobile number is not valid (5XX XXX XX XX).',
  },
  'bad-name': { status: 422, tr: 'Ad geçerli değil.', en: 'The name is not valid.' },
  'email-taken': {
    status: 409,
    tr: 'Bu e-posta adresiyle bir kullanıcı var.',
    en: 'There is already a user with this e-mail address.',
  },
  'invite-gone': {
    status: 404,
    tr: 'Davet kullanılmış, süresi dolmuş ya da geri alınmış.',
    en: 'The invitation was used, withdrawn, or has expired.',
  },
  'last-owner': {
    status: 409,
    tr: 'Hesapta en az bir sahip kalmalıdır.',
    en: 'An account must have at least one owner.',
  },
  'no-pending-totp': {
    status: 409,
    tr: 'Önce iki adımlı doğrulamayı başlatın.',
    en: 'Start setting up two-step verification first.',
  },
  'not-found': { status: 404, tr: 'Kayıt bulunamadı.', en: 'Not found.' },
  'slow-down': {
    status: 429,
    tr: 'Çok fazla deneme yapıldı; {wait} sonra yeniden deneyin.',
    en: 'Too many attempts; try again in {wait}.',
    waitMs: 60_000,
  },
  'too-many-users': {
    status: 409,
    tr: 'Hesapta en fazla 100 kullanıcı olabilir.',
    en: 'An account can have at most 100 users.',
  },
  'totp-required': {
    status: 401,
    tr: 'Doğrulama uygulamanızdaki kodu girin.',
    en: 'Enter the code of your authenticator app.',
  },
  'terms-changed': {
    status: 409,
    tr: 'Koşullar ya da aydınlatma metni bu arada değişti; yeni metni okuyup kabul edin.',
    en: 'The terms or the privacy notice have changed meanwhile; read and accept the new text.',
  },
  'weak-password': {
    status: 422,
    tr: 'Parola en az 10 karakter olmalı, tekrarlardan ya da e-posta adresinden oluşmamalıdır.',
    en: 'A password has at least 10 characters and is neither a repetition nor the e-mail address.',
  },
  'wrong-code': { status: 401, tr: 'Kod hatalı ya da süresi dolmuş.', en: 'The code is wrong or has expired.' },
  'wrong-credentials': {
    status: 401,
    tr: 'E-posta adresi ya da parola hatalı.',
    en: 'The e-mail address or the password is wrong.',
  },
  'wrong-password': { status: 401, tr: 'Parola hatalı.', en: 'The password is wrong.' },
} satisfies Record<DenialCode, Row>;

const panel = {
  'draft-changed': {
    status: 409,
    tr: 'Taslak bu arada değişti; özeti yeniden inceleyin.',
    en: 'The draft has changed in the meantime; review the summary again.',
  },
  'list-incomplete': {
    status: 409,
    tr: 'Alıcı listesinin tamamı henüz ulaşmadı; dosyayı yeniden yükleyin.',
    en: 'The recipient list has not arrived in full; upload the file again.',
  },
  'list-outdated': {
    status: 409,
    tr: 'Bu listenin yerini başka bir liste aldı.',
    en: 'Another list has replaced this one.',
  },
  'list-too-large': { status: 413, tr: 'Liste çok büyük.', en: 'The list is too large.' },
  'too-many-drafts': {
    status: 409,
    tr: 'Hesapta en fazla 50 taslak olabilir; birini silin.',
    en: 'An account can keep at most 50 drafts; delete one.',
  },
  'key-ended': {
    status: 409,
    tr: 'Bu anahtar zaten yenilendi ya da kapatıldı.',
    en: 'This key was rotated or disabled already.',
  },
  'key-active': {
    status: 409,
    tr: 'Çalışan bir anahtar silinemez; önce kapatın.',
    en: 'A key that works cannot be deleted; disable it first.',
  },
  'too-many-keys': {
    status: 409,
    tr: 'Hesapta en fazla 20 anahtar çalışabilir; kullanmadığınız birini kapatın.',
    en: 'At most 20 keys of an account work at a time; disable one that you do not use.',
  },
  'bad-input': { status: 422, tr: 'Bu değer kullanılamaz.', en: 'This value cannot be used.' },
  'bad-request': { status: 400, tr: 'İstek çözümlenemedi.', en: 'The request could not be read.' },
  'cross-site': {
    status: 403,
    tr: 'İstek panelin kendisinden gelmedi.',
    en: 'The request did not come from the panel.',
  },
  'signed-out': { status: 401, tr: 'Oturum kapalı; yeniden giriş yapın.', en: 'Signed out; please sign in again.' },
  'no-account': { status: 403, tr: 'Bir hesap seçilmedi.', en: 'No account is selected.' },
  forbidden: { status: 403, tr: 'Rolünüz bu işleme izin vermiyor.', en: 'Your role does not allow this.' },
  'second-factor-needed': {
    status: 403,
    tr: 'İşletmeci sayfaları iki adımlı giriş ister; önce Profil sayfasından açın.',
    en: 'Staff pages need two-step sign-in; turn it on in your profile first.',
  },
  'no-such-operation': { status: 404, tr: 'Böyle bir işlem yok.', en: 'There is no such operation.' },
  suspended: {
    status: 403,
    tr: 'Hesap askıya alındı; değişiklik yapılamaz ve gönderim kapalı.',
    en: 'The account is suspended; nothing can be changed or sent.',
  },
  viewing: {
    status: 403,
    tr: 'Hesabı müşterinin gözünden, salt okunur görüntülüyorsunuz; değişiklik yapmak ya da dosya indirmek için önce görüntülemeyi bitirin.',
    en: 'You are looking at the account as its people see it, read-only; end the view before you change or download anything.',
  },
  'not-viewing': {
    status: 409,
    tr: 'Görüntüleme bitmiş; hesabın sayfasından yeniden başlatın.',
    en: 'The view has ended; begin it again from the account’s page.',
  },
  'terms-pending': {
    status: 403,
    tr: 'Hizmet koşulları ya da aydınlatma metni yenilendi; kabul etmeden değişiklik yapılamaz.',
    en: 'The terms of use or the privacy notice are new; nothing can be changed before they are accepted.',
  },
  'legal-outdated': {
    status: 409,
    tr: 'Bu metnin daha yeni bir sürümü yayımlandı; sayfayı yenileyip ona göre düzenleyin.',
    en: 'A newer version of this text was published; reload the page and edit that one.',
  },
  'would-lock-out': {
    status: 422,
    tr: 'Kendi adresiniz listede yok; kaydetseydik panele giremezdiniz.',
    en: 'Your own address is not on the list; saving it would lock you out.',
  },
  'bad-address': { status: 422, tr: 'IP adresi geçerli değil.', en: 'The IP address is not valid.' },
  'bad-keyword': {
    status: 422,
    tr: 'Kelimeler 2-20 harf ya da rakam olmalı, en fazla 20 kelime.',
    en: 'Keywords are words of 2 to 20 letters or digits, at most 20.',
  },
  'bad-webhook-url': { status: 422, tr: 'Webhook adresi kullanılamaz.', en: 'The webhook URL cannot be used.' },
  'webhook-off': { status: 409, tr: 'Bu adres kapalı; önce açın.', en: 'This address is off; turn it on first.' },
  'webhook-duplicate': { status: 409, tr: 'Bu adres zaten listede.', en: 'This address is on the list already.' },
  'webhooks-full': { status: 409, tr: 'En çok 10 webhook adresi olabilir.', en: 'At most 10 webhook addresses.' },
  'smpp-users-full': { status: 409, tr: 'En çok 20 SMPP kullanıcısı olabilir.', en: 'At most 20 SMPP users.' },
  'smpp-addresses-full': { status: 422, tr: 'En çok 20 adres ya da ağ olabilir.', en: 'At most 20 addresses.' },
  'sender-form': {
    status: 422,
    tr: 'Başlık 3-11 karakter olmalı; yalnız Latin harfleri, rakam ve boşluk, Türkçe harf yok, uçlarda boşluk yok.',
    en: 'A sender ID has 3 to 11 characters: Latin letters, digits and inner blanks, no Turkish letters.',
  },
  'sender-generic': {
    status: 422,
    tr: 'Genel kelimeler başlık olamaz; firmanızı ya da markanızı anlatan bir başlık seçin.',
    en: 'Generic words cannot be a sender ID; choose one that names your company or brand.',
  },
  'sender-exists': {
    status: 409,
    tr: 'Bu başlık için onaylı bir kayıt ya da bekleyen bir başvuru var.',
    en: 'This sender ID is already approved or applied for.',
  },
  'subscription-missing': {
    status: 409,
    tr: 'Önce abonelik başvurusu yapılmalıdır.',
    en: 'Apply for the subscription first.',
  },
  'subscription-exists': {
    status: 409,
    tr: 'Abonelik onaylı ya da başvurusu bekliyor.',
    en: 'The subscription is already approved or applied for.',
  },
  'subscription-not-approved': {
    status: 409,
    tr: 'Hesabın aboneliği onaylanmadan başlık onaylanamaz.',
    en: 'A sender ID cannot be approved before the account’s subscription.',
  },
  'documents-missing': { status: 422, tr: 'Belge ekleyin.', en: 'Add the documents.' },
  'document-type': {
    status: 422,
    tr: 'Belge PDF, PNG ya da JPEG olmalıdır.',
    en: 'A document is a PDF, PNG or JPEG file.',
  },
  'document-size': { status: 422, tr: 'Belge en fazla 5 MB olabilir.', en: 'A document can be at most 5 MB.' },
  'too-many-documents': {
    status: 409,
    tr: 'Başvuruya bağlanmamış çok fazla belge var.',
    en: 'Too many documents belong to no application.',
  },
  'identity-manual': {
    status: 409,
    tr: 'Kimliği işletmeci belgelerden denetler; sizin yapmanız gereken bir adım yok.',
    en: 'The operator checks the identity by the documents; there is no step for you to take.',
  },
  'identity-failed': {
    status: 409,
    tr: 'Kimlik doğrulama tamamlanamadı ya da süresi geçti; yeniden başlatın.',
    en: 'The identity check did not finish or has expired; begin it again.',
  },
  'identity-silent': {
    status: 503,
    tr: 'Kimlik doğrulama hizmeti yanıt vermedi; doğrulamayı yeniden başlatın.',
    en: 'The identity service did not answer; begin the check again.',
  },
  'too-many-checks': {
    status: 409,
    tr: 'Bu başvuru için çok fazla kimlik doğrulama başlatıldı; işletmeci belgelerden denetleyecek.',
    en: 'Too many identity checks were begun for this application; the operator will check the documents.',
  },
  'already-decided': { status: 409, tr: 'Başvuru zaten sonuçlandı.', en: 'The application has already been decided.' },
  'reason-needed': { status: 422, tr: 'Sebep yazın.', en: 'Give a reason.' },
  'below-zero': { status: 422, tr: 'Bakiye sıfırın altına inemez.', en: 'The balance cannot fall below zero.' },
  'bad-username': {
    status: 422,
    tr: 'Kullanıcı adı 3-64 harf, rakam ya da . _ @ + - olmalı ve başka bir hesapta kullanılmamalıdır.',
    en: 'A user name has 3 to 64 letters, digits or . _ @ + - and belongs to no other account.',
  },
  'key-used': {
    status: 409,
    tr: 'Bu form başka bir yükleme için kullanıldı; yeniden açıp deneyin.',
    en: 'This form was used for another grant; open it again.',
  },
  'bad-setting': { status: 422, tr: 'Ayar kullanılamaz.', en: 'The setting cannot be used.' },
  'carrier-not-paused': {
    status: 409,
    tr: 'Operatör şu anda gönderiyor olabilir; önce duraklatın.',
    en: 'The carrier may be sending now; pause it first.',
  },
  'carrier-releasing': {
    status: 409,
    tr: 'Operatörün bağlantıları bırakılıyor; {wait} sonra yeniden deneyin.',
    en: 'The carrier’s binds are being released; try again in {wait}.',
    waitMs: 20_000,
  },
  'carrier-receipts': {
    status: 409,
    tr: 'Operatörden beklenen raporlar var. Gelmelerini bekleyin (numara başlarını 0 yapıp sürdürürseniz yeni mesaj verilmez) ya da ısrar edin: o mesajlar süreleri dolunca iletilemedi sayılır.',
    en: 'Receipts of this carrier are still pending. Wait for them (with prefixes 0 it gets no new messages), or remove it anyway: those messages end as undelivered when their time is over.',
  },
  'carrier-waiting': {
    status: 409,
    tr: 'Bekleyen mesajlar var ve onları gönderecek başka operatör yok; önce bir operatör ekleyin ya da sürdürün, ya da ısrar edin.',
    en: 'Messages are waiting and no other carrier could send them; add or resume one first, or insist.',
  },
  'number-taken': { status: 409, tr: 'Numara başka bir hesabın.', en: 'The number belongs to another account.' },
  'bad-number': { status: 422, tr: 'Numara geçerli değil.', en: 'The number is not valid.' },
  'invalid-rows': { status: 422, tr: 'Bazı satırlar geçerli değil.', en: 'Some rows are not valid.' },
  'too-many-rows': {
    status: 422,
    tr: '50.000 satırdan büyük dosyalar arka planda hazırlanır.',
    en: 'Files of more than 50,000 rows are prepared in the background.',
  },
  'too-many-exports': {
    status: 409,
    tr: 'Hazırlanmakta olan üç dosya var; biri bitince yeniden deneyin.',
    en: 'Three files are being prepared; try again when one is done.',
  },
  'still-counting': {
    status: 503,
    tr: 'Bu aralık hâlâ sayılıyor; {wait} sonra yeniden deneyin.',
    en: 'This span is still being counted; try again in {wait}.',
    waitMs: 20_000,
  },
  '451': {
    status: 422,
    tr: 'Aynı sipariş son 10 dakika içinde verildi.',
    en: 'The same order was placed within the last 10 minutes.',
  },
  'cells-silent': { status: 503, tr: 'Bazı hücreler yanıt vermiyor.', en: 'Some cells do not answer.' },
  'too-late': {
    status: 409,
    tr: 'Sipariş gönderime girdi ya da zaten sonuçlandı; iptal edilemez.',
    en: 'The order has entered dispatch or has ended; it cannot be cancelled.',
  },
  unavailable: {
    status: 503,
    tr: 'Sunucu geçici olarak servis dışı; {wait} sonra yeniden deneyin.',
    en: 'The server is temporarily unavailable; try again in {wait}.',
    waitMs: 20_000,
  },
} satisfies Record<string, Row>;

const table: Record<DenialCode | keyof typeof panel, Row> = { ...denials, ...panel };
export type PanelCode = keyof typeof table;

export type Extra = {
  field?: string;
  faults?: PanelError['faults'];
  retryAfterMs?: number;
  orderId?: number;
  tr?: string;
  en?: string;
};

export class PanelRefusal extends Error {
  readonly code: PanelCode;
  readonly extra: Extra;
  constructor(code: PanelCode, extra: Extra = {}) {
    super(code);
    this.code = code;
    this.extra = extra;
  }
}

export function panelError(code: PanelCode, extra: Extra = {}): { status: number; error: PanelError } {
  const { status, tr, en, waitMs = 0 } = table[code];
  const wait = aboutHowLong(extra.retryAfterMs ?? waitMs);
  const said = { tr: tr.replace('{wait}', wait.tr), en: en.replace('{wait}', wait.en) };
  return { status, error: { code, ...said, ...extra } };
}

/** All sentences of refusals, for the test of their wording. */
export const panelSentences = (): { key: string; tr: string; en: string }[] => [
  ...Object.keys(table).map(code => ({ key: code, ...panelError(code as PanelCode).error })),
  ...Object.keys(interfaceCodes).map(code => ({ key: code, ...interfaceError(Number(code) as StatusCode).error })),
];

// Codes of the interface in the panel: English beside the interface's own Turkish, and the field that each code concerns.
const interfaceCodes: Partial<Record<StatusCode, { field?: string; tr?: string; en: string }>> = {
  402: { field: 'recipients', en: 'Not enough credit.' },
  403: {
    field: 'brand',
    tr: 'Hesapta etkin bir marka kodu (İYS aboneliği) yok.',
    en: 'The account has no active brand code (registry subscription).',
  },
  405: { field: 'rows', en: 'The monthly consent quota is used up.' },
  422: { en: 'Some of the values could not be verified.' },
  450: { field: 'sender', en: 'This sender ID cannot be used.' },
  451: {
    field: 'text',
    tr: 'Aynı sipariş son 10 dakika içinde verildi.',
    en: 'The same order was placed within the last 10 minutes.',
  },
  452: { field: 'recipients', tr: 'Gönderilebilir alıcı yok.', en: 'There is no recipient to send to.' },
  453: { field: 'text', tr: 'Metin 7 parçadan uzun.', en: 'The text is longer than 7 parts.' },
  454: { field: 'text', en: 'The text is empty.' },
  455: { field: 'id', en: 'The order was not found.' },
  457: { field: 'sendAt', en: 'The time is not a valid date and time.' },
  466: { field: 'number', en: 'The number is not valid.' },
  468: { field: 'commercial', en: 'Say whether the message is commercial.' },
  469: {
    field: 'list',
    tr: 'İzin listesini seçin: BIREYSEL ya da TACIR.',
    en: 'Choose the consent list: BIREYSEL or TACIR.',
  },
  470: { field: 'commercial', tr: 'Hesabın marka kodu yok.', en: 'The account has no brand code.' },
  474: { field: 'numbers', tr: 'Numara kara listede değil.', en: 'The number is not on the blacklist.' },
  475: { field: 'rows', en: 'At most 5,000 records.' },
};

export function interfaceError(code: StatusCode, extra: Extra = {}): { status: number; error: PanelError } {
  const known = interfaceCodes[code];
  const status = code === 503 ? 503 : code === 455 ? 404 : 422;
  const { field, tr = statusTexts[code], en = statusTexts[code] } = known ?? {};
  return { status, error: { code: String(code), ...(field ? { field } : {}), tr, en, ...extra } };
}

/** 469 has two causes with a sentence each: no list was chosen, or nobody on it has consented. */
export function nobodyConsentsError(): { status: number; error: PanelError } {
  return interfaceError(469, { tr: nobodyConsents, en: 'None of the recipients has given consent (İYS).' });
}

export function refusalError(refusal: Refusal): { status: number; error: PanelError } {
  return refusal.message === nobodyConsents ? nobodyConsentsError() : interfaceError(refusal.code);
}
