// Why a number gets no SMS, in words: the same for list checks, orders, message reports and files.
import type { NumberFault } from '../numbers/number-fault.ts';

export const numberFaultWords: Record<NumberFault, { tr: string; en: string }> = {
  empty: { tr: 'Numara boş', en: 'No number' },
  damaged: {
    tr: 'Excel haneleri kaybetmiş; numarayı metin olarak yeniden girin',
    en: 'Excel lost its digits; enter it again as text',
  },
  'not-digits': { tr: 'Rakam olmayan karakter var', en: 'Contains characters that are not digits' },
  'too-short': { tr: 'Eksik hane', en: 'Too few digits' },
  'too-long': { tr: 'Fazla hane', en: 'Too many digits' },
  landline: { tr: 'Sabit hat; SMS yalnız cep numarasına gider', en: 'A landline; SMS reaches mobile numbers only' },
  'abroad-off': {
    tr: 'Yurt dışı numarası; hesapta yurt dışı gönderim kapalı',
    en: 'A foreign number; sending abroad is off for this account',
  },
  'not-in-use': { tr: 'Böyle bir numara aralığı yok', en: 'No such range of numbers' },
};
