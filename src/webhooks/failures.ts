// Why a post failed: one word that is stored, and a sentence for people, Turkish first.
export const failureTexts = {
  status: {
    tr: 'Adres 2xx dışında bir kodla yanıt verdi',
    en: 'The endpoint answered with a code other than 2xx',
  },
  redirect: {
    tr: 'Adres yönlendirme yaptı; yönlendirmeler izlenmez, son adresi doğrudan girin',
    en: 'The endpoint redirected; redirects are not followed, enter the final address itself',
  },
  timeout: { tr: '10 saniye içinde yanıt gelmedi', en: 'No complete answer within 10 seconds' },
  cut: { tr: 'Bağlantı yanıt bitmeden kesildi', en: 'The connection was cut before the answer was complete' },
  refused: { tr: 'Sunucu bağlantıyı kabul etmedi', en: 'The server refused the connection' },
  unreachable: { tr: 'Sunucuya ulaşılamadı', en: 'The server could not be reached' },
  dns: { tr: 'Alan adı çözümlenemedi', en: 'The host name could not be resolved' },
  address: {
    tr: 'Alan adı özel ya da yerel bir ağ adresine çıkıyor; böyle adreslere webhook gönderilmez',
    en: 'The host name leads to a private or local address; webhooks are not sent there',
  },
  tls: { tr: 'TLS sertifikası doğrulanamadı', en: 'The TLS certificate could not be verified' },
  answer: { tr: 'Yanıt HTTP olarak çözümlenemedi', en: 'The answer is not valid HTTP' },
  url: { tr: 'Webhook adresi kullanılamaz', en: 'The webhook URL cannot be used' },
  secret: {
    tr: 'İmza anahtarı okunamadı; sistem yöneticisine başvurun',
    en: 'The signing secret cannot be read; tell the operator of this installation',
  },
  down: {
    tr: 'Adres 24 saat boyunca yanıt vermedi',
    en: 'The endpoint did not answer for 24 hours',
  },
} as const;

export type Failure = keyof typeof failureTexts;
