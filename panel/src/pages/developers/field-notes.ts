// The notes on request fields come in English from the server's own operation table; this is their Turkish. A note that
// is not listed is shown as it came; field-notes.test.ts finds those.
import { languageCode } from '../../text/language.ts';

export const turkishNotes: Record<string, string> = {
  'string, required: an approved sender ID, or APITEST while none is approved':
    'metin, zorunlu: onaylı bir başlık ya da hiç onaylı başlık yokken APITEST',
  'string, required; `message` may also be an array, each entry with its own text and recipients':
    'metin, zorunlu; `message` her öğesinin metni ve alıcıları ayrı olan bir dizi de olabilir',
  'array of strings or numbers, also separated by commas, required, 1 to 50,000':
    'metin ya da sayı dizisi, virgülle ayrılmış da olur, zorunlu, 1–50.000',
  'DD/MM/YYYY HH:MM (also with seconds, also YYYY-MM-DD HH:MM[:SS]); absent or empty = now':
    'GG/AA/YYYY SS:DD (saniyeyle de, YYYY-AA-GG SS:DD[:SS] de olur); yoksa ya da boşsa hemen',
  '"1" checks consent (commercial message), "0" or absent does not':
    '"1" izni denetler (ticari ileti), "0" ya da yokluğu denetlemez',
  'BIREYSEL | TACIR, required with iys 1': 'BIREYSEL | TACIR, iys 1 ise zorunlu',
  'utf8 | gsm0338-tr | gsm0338: Unicode, Turkish or English for this order; absent = the mode of the account':
    'utf8 | gsm0338-tr | gsm0338: bu sipariş için Unicode, Türkçe ya da İngilizce; yoksa hesabın modu',
  'string or number, required': 'metin ya da sayı, zorunlu',
  'string or number, default 1': 'metin ya da sayı, verilmezse 1',
  'string or number, default and maximum 1000': 'metin ya da sayı, verilmezse ve en çok 1000',
  'string or number, default 1; 30 orders a page': 'metin ya da sayı, verilmezse 1; sayfada 30 sipariş',
  'YYYY-MM-DD (also with a time), required': 'YYYY-AA-GG (saatle de olur), zorunlu',
  'the same, at most 10 days after start, required': 'aynı biçimde, başlangıçtan en çok 10 gün sonra, zorunlu',
  'date, with or without time': 'tarih, saatle ya da saatsiz',
  'one number, required': 'bir numara, zorunlu',
  'array of 1 to 5,000 records, stored all or none': '1–5.000 kayıtlık dizi; ya tümü saklanır ya hiçbiri',
  'number or e-mail address': 'numara ya da e-posta adresi',
  'number or e-mail address, required': 'numara ya da e-posta adresi, zorunlu',
  'BIREYSEL | TACIR': 'BIREYSEL | TACIR',
  'BIREYSEL | TACIR, required': 'BIREYSEL | TACIR, zorunlu',
  'MESAJ | EPOSTA | ARAMA': 'MESAJ | EPOSTA | ARAMA',
  'MESAJ | EPOSTA | ARAMA, required': 'MESAJ | EPOSTA | ARAMA, zorunlu',
  'ONAY | RET': 'ONAY | RET',
  'HS_WEB, HS_MOBIL, … (docs/api.md lists them)': 'HS_WEB, HS_MOBIL, … (docs/api.md hepsini sayar)',
  'YYYY-MM-DD HH:MM:SS, Turkey time, at most 3 days old': 'YYYY-AA-GG SS:DD:SS, Türkiye saati, en çok 3 gün önce',
};

export const fieldNote = (note: string): string => (languageCode() === 'tr' ? (turkishNotes[note] ?? note) : note);
