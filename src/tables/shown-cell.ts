// Formats a number of a spreadsheet as the sheet shows it: dates and times, decimals, thousands, per cent, leading zeros, with
// Turkish signs and names. Other formats (fractions, exponents, blanks between digits) show the unformatted number.
export type Shown = (value: number) => string;
/** "shown": as the sheet shows it. "iso": 2026-11-15 14:30:00, which is unambiguous. */
export type DateForm = 'shown' | 'iso';

// Format numbers without a format text in the file. 14 and 22 are the short date of the reader's country.
const builtIn: Record<number, string> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'dd.mm.yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'hh:mm',
  21: 'hh:mm:ss',
  22: 'dd.mm.yyyy hh:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss',
};

export function shownBy(formatId: number, formats: Map<number, string>, form: DateForm, is1904: boolean): Shown {
  const code = formats.get(formatId) ?? builtIn[formatId] ?? (isEasternDate(formatId) ? 'dd.mm.yyyy' : 'General');
  const positive = code.split(';', 1)[0] ?? '';
  const parts = partsOf(positive);
  if (parts.some(part => part.kind === 'date')) {
    return value => {
      const moment = momentOf(value, is1904);
      if (!moment) return plainNumber(value);
      return form === 'iso' ? isoText(moment, value) : dateText(parts, moment, value);
    };
  }
  return numberFormat(positive) ?? plainNumber;
}

const isEasternDate = (id: number): boolean => (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

/** Digits without an exponent and without binary rounding noise; a decimal comma. */
export function plainNumber(value: number): string {
  if (Number.isInteger(value)) return Math.abs(value) < 1e21 ? String(value) : BigInt(value).toString();
  return String(Number(value.toPrecision(15))).replace('.', ',');
}

type Part = { kind: 'date' | 'text'; text: string };

// Quoted and escaped texts, a country or colour in brackets (dropped), padding (dropped), date letters, the rest.
const token = /"([^"]*)"|\\(.)|\[(h+|m+|s+)\]|\[[^\]]*\]|[_*].|AM\/PM|A\/P|(y+|m+|d+|h+|s+)|(general)|(.)/gis;

function partsOf(code: string): Part[] {
  const parts: Part[] = [];
  for (const [whole, quoted, escaped, elapsed, letters, general, other] of code.matchAll(token)) {
    if (quoted !== undefined || escaped !== undefined) parts.push({ kind: 'text', text: quoted ?? escaped ?? '' });
    else if (elapsed) parts.push({ kind: 'date', text: `[${elapsed.toLowerCase()}]` });
    else if (letters) parts.push({ kind: 'date', text: letters.toLowerCase() });
    else if (/^A(M\/PM|\/P)$/i.test(whole)) parts.push({ kind: 'date', text: 'ampm' });
    else if (other !== undefined || general) parts.push({ kind: 'text', text: whole });
  }
  return distinguishMinutes(parts);
}

/** "m" after hours or before seconds means minutes. */
function distinguishMinutes(parts: Part[]): Part[] {
  const dates = parts.filter(part => part.kind === 'date' && part.text !== 'ampm');
  dates.forEach((part, at) => {
    if (!/^mm?$/.test(part.text)) return;
    const before = dates[at - 1]?.text ?? '';
    const after = dates[at + 1]?.text ?? '';
    if (/^\[?h/.test(before) || /^s/.test(after)) part.text = part.text.length === 1 ? 'min' : 'minmin';
  });
  return parts;
}

const dayMs = 86_400_000;

/** Day 1 is 1 January 1900 in a calendar that has a 29 February in that year; 25569 is 1 January 1970. */
function momentOf(serial: number, is1904: boolean): Date | null {
  const days = is1904 ? serial + 1462 : serial < 60 && serial >= 1 ? serial + 1 : serial;
  const moment = new Date(Math.round(((days - 25_569) * dayMs) / 1_000) * 1_000);
  return days >= 0 && days < 2_958_466 ? moment : null;
}

const two = (value: number): string => String(value).padStart(2, '0');

function isoText(moment: Date, serial: number): string {
  const day = `${moment.getUTCFullYear()}-${two(moment.getUTCMonth() + 1)}-${two(moment.getUTCDate())}`;
  return Number.isInteger(serial) ? day : `${day} ${moment.toISOString().slice(11, 19)}`;
}

function dateText(parts: Part[], moment: Date, serial: number): string {
  const halved = parts.some(part => part.text === 'ampm');
  return parts.map(part => (part.kind === 'text' ? part.text : dateWord(part.text, moment, serial, halved))).join('');
}

function dateWord(word: string, moment: Date, serial: number, halved: boolean): string {
  const hours = moment.getUTCHours();
  const shownHours = halved ? hours % 12 || 12 : hours;
  const name = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('tr', { ...options, timeZone: 'UTC' }).format(moment);
  const words: Record<string, () => string> = {
    yyyy: () => String(moment.getUTCFullYear()),
    yy: () => two(moment.getUTCFullYear() % 100),
    m: () => String(moment.getUTCMonth() + 1),
    mm: () => two(moment.getUTCMonth() + 1),
    mmm: () => name({ month: 'short' }),
    mmmm: () => name({ month: 'long' }),
    mmmmm: () => name({ month: 'narrow' }),
    d: () => String(moment.getUTCDate()),
    dd: () => two(moment.getUTCDate()),
    ddd: () => name({ weekday: 'short' }),
    dddd: () => name({ weekday: 'long' }),
    h: () => String(shownHours),
    hh: () => two(shownHours),
    min: () => String(moment.getUTCMinutes()),
    minmin: () => two(moment.getUTCMinutes()),
    s: () => String(moment.getUTCSeconds()),
    ss: () => two(moment.getUTCSeconds()),
    ampm: () => (hours < 12 ? 'ÖÖ' : 'ÖS'),
    '[h]': () => String(Math.floor(serial * 24)),
    '[m]': () => String(Math.floor(serial * 1_440)),
    '[s]': () => String(Math.round(serial * 86_400)),
  };
  return (words[word] ?? words[word.replace(/^\[(.).*$/, '[$1]')] ?? words[word.startsWith('y') ? 'yyyy' : 'mmmm']!)();
}

/** null if the format is not one run of digits with decimals, thousands or per cent around it. */
function numberFormat(code: string): Shown | null {
  const bare = code
    .replace(/\[\$([^\]-]*)[^\]]*\]/g, (_, sign: string) => (sign ? `"${sign}"` : ''))
    .replace(/\[[^\]]*\]|[_*]./g, '');
  const found = /^((?:"[^"]*"|\\.|[^0#?"\\.,])*)([#0?,]*[#0?])(?:\.([#0?]+))?(,*)((?:"[^"]*"|\\.|[^0#?"\\])*)$/.exec(
    bare,
  );
  if (!found) return null;
  const [, before = '', whole = '', decimals = '', scaled = '', after = ''] = found;
  const literal = (text: string) => text.replace(/"([^"]*)"|\\(.)/g, (_, quoted, escaped) => quoted ?? escaped ?? '');
  if (scaled || /[eE]|\//.test(after.replace(/"[^"]*"|\\./g, ''))) return null;
  const isPercent = /%/.test(after);
  const minimum = (decimals.match(/0/g) ?? []).length;
  const zeros = (whole.match(/0/g) ?? []).length;
  const groups = whole.includes(',');
  return value => {
    const figure = isPercent ? value * 100 : value;
    const fixed = Number(Math.abs(figure).toPrecision(15)).toFixed(Math.min(decimals.length, 20));
    const [integer = '0', rest = ''] = fixed.split('.');
    const padded = integer.replace(/^0+(?=\d)/, '').padStart(zeros, '0');
    const shown = groups ? padded.replace(/\B(?=(?:\d{3})+$)/g, '.') : padded;
    let kept = rest;
    while (kept.length > minimum && kept.endsWith('0')) kept = kept.slice(0, -1);
    return `${figure < 0 ? '-' : ''}${literal(before)}${shown}${kept ? `,${kept}` : ''}${literal(after)}`;
  };
}
