// Short sentences about orders that several pages use.
import type { RunningOrder } from '../../../src/panel-api/overview/contract.ts';
import { duration, isElsewhere, number, toTurkeyTime, turkeyMoment } from '../format.ts';
import { languageCode, t } from '../text/language.ts';

/** "19 Kas Per 10:00'da başlar" */
export function startsWords(sendAt: string): string {
  return t.orders.starts(`${dayAndTime(sendAt)}${isElsewhere() ? ` ${t.time.turkey}` : ''}`);
}

/** "19 Kas Per 10:00", "Thu 19 Nov 10:00" */
export function dayAndTime(iso: string): string {
  const [day, time] = toTurkeyTime(new Date(iso)).split(' ') as [string, string];
  const moment = new Date(turkeyMoment(day));
  const locale = languageCode() === 'tr' ? 'tr-TR' : 'en-GB';
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'Europe/Istanbul', ...options }).format(moment);
  const date = part({ day: 'numeric', month: 'short' });
  const weekday = part({ weekday: 'short' });
  return languageCode() === 'tr' ? `${date} ${weekday} ${time.slice(0, 5)}` : `${weekday} ${date} ${time.slice(0, 5)}`;
}

/** "120 SMS/sn · yaklaşık 4 sn kaldı". Once carriers have all messages, what is awaited: receipts have no predictable pace. */
export function paceWords(order: RunningOrder): string {
  if (order.queued === 0) return order.withCarrier > 0 ? t.order.awaiting(number(order.withCarrier)) : '';
  const pace = order.perSecond ? t.order.perSecond(number(Math.max(1, Math.round(order.perSecond)))) : '';
  const left = order.secondsLeft === null ? '' : t.order.left(duration(order.secondsLeft * 1000));
  return [pace, left].filter(Boolean).join(' · ');
}
