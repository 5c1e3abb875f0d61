// What each code of the interface means and what to do about it, for people. The wire itself has one Turkish text per code.
import type { StatusCode } from '../status.ts';
import type { Both } from './fields.ts';

type CodeWords = { en: string; fix: Both | null };

export const codeWords: Record<StatusCode, CodeWords> = {
  200: { en: 'Done', fix: null },
  400: {
    en: 'The request could not be read',
    fix: {
      en: 'Send JSON with the operation’s object inside request.',
      tr: 'request içinde işlemin nesnesini taşıyan bir JSON gönderin.',
    },
  },
  401: {
    en: 'The credentials are wrong',
    fix: {
      en: 'The API log of the panel tells which of the five causes it was.',
      tr: 'Beş nedenden hangisi olduğunu paneldeki API günlüğü söyler.',
    },
  },
  402: {
    en: 'Not enough credit',
    fix: { en: 'Add credit or send to fewer recipients.', tr: 'Kredi yükleyin ya da alıcıyı azaltın.' },
  },
  403: {
    en: 'No active registry subscription',
    fix: { en: 'Ask the operator to add your brand code.', tr: 'İşletmeciden marka kodunuzu tanımlamasını isteyin.' },
  },
  404: {
    en: 'No such operation',
    fix: { en: 'Compare the path with this page.', tr: 'Yolu bu sayfayla karşılaştırın.' },
  },
  405: {
    en: 'The monthly quota of consent records is used up',
    fix: { en: 'Ask for more, or wait for the next month.', tr: 'Artırılmasını isteyin ya da ay başını bekleyin.' },
  },
  422: {
    en: 'Some values of the request are not valid',
    fix: { en: 'response.errors names the fields.', tr: 'Alanları response.errors söyler.' },
  },
  450: {
    en: 'The sender ID cannot be used',
    fix: {
      en: 'Use one of get-sender; case and blanks count.',
      tr: 'get-sender içinden birini kullanın; harf ve boşluk önemlidir.',
    },
  },
  451: {
    en: 'The same order again',
    fix: {
      en: 'Nothing, if it was a repeat; otherwise change the text.',
      tr: 'Yinelemeyse hiçbir şey; değilse metni değiştirin.',
    },
  },
  452: {
    en: 'No valid recipient',
    fix: { en: 'Check the numbers and the blacklist.', tr: 'Numaraları ve kara listeyi denetleyin.' },
  },
  453: { en: 'The text is longer than 7 parts', fix: { en: 'Shorten the text.', tr: 'Metni kısaltın.' } },
  454: { en: 'The text is empty', fix: { en: 'Send a text.', tr: 'Metin gönderin.' } },
  455: {
    en: 'No such order',
    fix: {
      en: 'Use the id that send-sms answered, with a key of the same account.',
      tr: 'send-sms yanıtındaki numarayı, aynı hesabın anahtarıyla kullanın.',
    },
  },
  456: {
    en: 'The order is scheduled for later',
    fix: { en: 'Ask again after its time.', tr: 'Gönderim zamanı geçince yeniden sorun.' },
  },
  457: {
    en: 'The time to send at cannot be read',
    fix: { en: 'DD/MM/YYYY HH:MM, Turkey’s time.', tr: 'GG/AA/YYYY SS:DD, Türkiye saatiyle.' },
  },
  458: {
    en: 'The range of dates is not valid',
    fix: { en: 'Ask for at most ten days, the beginning first.', tr: 'En çok on gün sorun; başlangıç önce gelir.' },
  },
  464: { en: 'Pages begin at 1', fix: { en: 'Send page 1 or more.', tr: 'page 1 ya da daha büyük olmalı.' } },
  466: {
    en: 'The number is not a mobile number',
    fix: { en: 'Send it as 5XXXXXXXXX.', tr: '5XXXXXXXXX biçiminde gönderin.' },
  },
  468: {
    en: 'Say whether consent is to be checked',
    fix: { en: 'iys: 1 for commercial messages, 0 for all others.', tr: 'iys: ticari iletide 1, ötekilerde 0.' },
  },
  469: {
    en: 'Choose the consent list; or nobody of the recipients consents',
    fix: { en: 'Send iysList, or register consents.', tr: 'iysList gönderin ya da izin kaydedin.' },
  },
  470: {
    en: 'The account has no brand code',
    fix: { en: 'Ask the operator to add it.', tr: 'İşletmeciden tanımlamasını isteyin.' },
  },
  474: {
    en: 'This number cannot be unblocked',
    fix: { en: 'It is not on the blacklist.', tr: 'Numara kara listede değil.' },
  },
  475: { en: 'More than 5,000 records', fix: { en: 'Send several calls.', tr: 'Birkaç çağrıya bölün.' } },
  503: {
    en: 'The server cannot store it now; nothing was accepted',
    fix: {
      en: 'Repeat after Retry-After seconds with the same Idempotency-Key.',
      tr: 'Retry-After saniye sonra aynı Idempotency-Key ile yineleyin.',
    },
  },
};
