// Times on the wire are Turkey's local time (UTC+3, no summer time), whatever the zone of the machine.
const offsetMs = 3 * 3_600_000;

/** A moment: a `Date`, or a text in the form of the interface (`YYYY-MM-DD HH:MM:SS`, or only a date). */
export type Time = Date | string;

/** `YYYY-MM-DD HH:MM:SS` in Turkey. */
export function toTurkeyTime(time: Time): string {
  if (typeof time === 'string') return time;
  if (Number.isNaN(time.getTime())) throw new RangeError('this Date is no time');
  return new Date(time.getTime() + offsetMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** Reads `YYYY-MM-DD HH:MM:SS` or `YYYY-MM-DD`, the forms in answers. */
export function fromTurkeyTime(text: string): Date {
  const match = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/.exec(text);
  const time = new Date(match ? `${match[1]}T${match[2] ?? '00:00:00'}+03:00` : Number.NaN);
  if (Number.isNaN(time.getTime())) throw new RangeError(`"${text}" is no time`);
  return time;
}
