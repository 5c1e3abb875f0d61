// Times as SMPP writes them (SMPP 3.4, section 7.1.1): YYMMDDhhmmsstnnp, absolute with an offset in quarters of an hour, or
// relative with R.
const form = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d)(\d{2})([+-R])$/;
const quarterMs = 15 * 60_000;
const dayMs = 86_400_000;

/** Null if no time is given, which means now. */
export function readSmppTime(text: string, now: Date): Date | null | 'malformed' {
  if (text === '') return null;
  const read = form.exec(text);
  if (!read) return 'malformed';
  const [year, month, day, hour, minute, second, tenth, quarters] = read.slice(1, 9).map(Number) as number[];
  if (read[9] === 'R') {
    // A month counts as 30 days and a year as 365.
    const days = year! * 365 + month! * 30 + day!;
    const ms = days * dayMs + ((hour! * 60 + minute!) * 60 + second!) * 1000;
    return new Date(now.getTime() + ms);
  }
  const utc = Date.UTC(2000 + year!, month! - 1, day!, hour!, minute!, second!, tenth! * 100);
  const date = new Date(utc);
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day! || hour! > 23 || minute! > 59 || second! > 59)
    return 'malformed';
  if (quarters! > 48) return 'malformed';
  return new Date(utc - (read[9] === '-' ? -1 : 1) * quarters! * quarterMs);
}

/** An absolute time in UTC. */
export function smppTime(date: Date): string {
  return `${date.toISOString().slice(2, 19).replace(/\D/g, '')}000+`;
}

/** The relative form of up to 99 days, `YYMMDDhhmmss000R`. */
export function relativeSmppTime(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const days = Math.floor(seconds / 86_400);
  return `0000${two(days)}${two(Math.floor(seconds / 3_600) % 24)}${two(Math.floor(seconds / 60) % 60)}${two(seconds % 60)}000R`;
}
