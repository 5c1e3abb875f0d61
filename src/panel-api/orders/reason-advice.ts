// What to do about each reason of orders/reasons.ts, and the reason as the panel shows it.
import { numberFault } from '../../numbers/number-fault.ts';
import { reasons } from '../../orders/reasons.ts';
import { numberFaultWords } from '../../text/number-fault-words.ts';
import type { Both } from '../contract/shapes.ts';
import type { Reason } from './contract.ts';

const none: Both = { tr: '', en: '' };

const advice: Record<keyof typeof reasons, Both> = {
  0: none,
  1: {
    tr: 'Numarayı düzeltin; yabancı numaralar için Ayarlar → Gönderim → yurt dışı.',
    en: 'Correct the number; for foreign numbers see Settings → Sending → abroad.',
  },
  2: { tr: 'Yalnız alıcı isterse listeden çıkarın.', en: 'Take it off the list only if the person asks for it.' },
  3: { tr: 'İzin alın ve kaydedin.', en: 'Obtain consent and register it.' },
  4: { tr: 'Başlıklarınızı gözden geçirin.', en: 'Look at your sender IDs.' },
  9: none,
  10: { tr: 'Daha sonra yeniden gönderin.', en: 'Send again later.' },
  11: { tr: 'Numara güncel mi, bakın.', en: 'Check that the number is up to date.' },
  12: { tr: 'Listenizden çıkarın.', en: 'Take it off your list.' },
  13: {
    tr: 'Başlık ve metni gözden geçirin; sürerse mesaj bağlantısını işletmeciye iletin.',
    en: 'Review sender ID and text; if it goes on, give the link of this message to the operator.',
  },
  14: { tr: 'Ulaşmış olabilir; yinelemeden önce sorun.', en: 'It may have arrived; ask before you repeat it.' },
  15: { tr: 'Ulaşmış olabilir; yinelemeden önce sorun.', en: 'It may have arrived; ask before you repeat it.' },
  16: { tr: 'Daha sonra yeniden gönderin.', en: 'Send again later.' },
  17: { tr: 'Daha sonra yeniden gönderin.', en: 'Send again later.' },
  18: { tr: 'Yeniden gönderin; sürerse işletmeciye bildirin.', en: 'Send again; if it goes on, tell the operator.' },
  19: { tr: 'Metni sadeleştirip yeniden deneyin.', en: 'Simplify the text and try again.' },
};

/** null for "no reason". An unknown number is shown as such rather than hidden. */
export function showReason(no: number): Reason | null {
  if (no === 0) return null;
  if (!Object.hasOwn(reasons, no))
    return { no, key: 'unknown', tr: `Sebep ${no}`, en: `Reason ${no}`, advice: none, filtered: false };
  const known = no as keyof typeof reasons;
  return { no, ...reasons[known], advice: advice[known] };
}

const badNumber = 1;

/** For one message: an invalid number is explained in the same words as in the list check. */
export function showReasonOf(no: number, given: string | null): Reason | null {
  const reason = showReason(no);
  const fault = no === badNumber && given !== null ? numberFault(given, false) : null;
  if (!reason || !fault) return reason;
  const { tr, en } = numberFaultWords[fault];
  return { ...reason, tr: `${tr}.`, en: `${en}.` };
}
