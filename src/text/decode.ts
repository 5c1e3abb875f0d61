// Decodes a received message part (SMPP: one septet per byte) to text, with its position in a longer message. Any phone may
// have written it and any network passed it on, so nothing here throws, and a malformed header loses the header, not the
// message.
import { DEFAULT_TABLE, ESC, EXTENSION, TURKISH_LOCKING_TABLE, TURKISH_SINGLE_EXTENSION } from './alphabets.ts';

export type Concat = { reference: number; total: number; sequence: number };
/** The text may hold half of a surrogate pair, or NUL: join the parts first, then use `dropUnsendable`. */
type DecodedPart = { text: string; concat: Concat | null };

type Header = { length: number; concat: Concat | null; locking: boolean; single: boolean };

const NO_HEADER: Header = { length: 0, concat: null, locking: false, single: false };
const TURKISH = 1;

// data_coding values; any other is read as Latin-1, which is right for ASCII text in any case.
const GSM7 = 0;
const IA5 = 1;
const UCS2 = 8;

export function decodeUserData(userData: Buffer, dataCoding: number, hasHeader: boolean): DecodedPart {
  const header = hasHeader ? parseHeader(userData) : NO_HEADER;
  const body = userData.subarray(header.length);
  return { text: decodeBody(body, dataCoding, header), concat: header.concat };
}

function decodeBody(body: Buffer, dataCoding: number, header: Header): string {
  if (dataCoding === UCS2)
    return Buffer.from(body.subarray(0, body.length & ~1))
      .swap16()
      .toString('utf16le');
  // A shift header implies 7-bit tables; some networks announce such text as IA5.
  const isSeptets = dataCoding === GSM7 || (dataCoding === IA5 && (header.locking || header.single));
  return isSeptets ? decodeSeptets(body, header) : body.toString('latin1');
}

function decodeSeptets(body: Buffer, header: Header): string {
  const table = header.locking ? TURKISH_LOCKING_TABLE : DEFAULT_TABLE;
  const extension = header.single ? TURKISH_SINGLE_EXTENSION : EXTENSION;
  let text = '';
  for (let i = 0; i < body.length; i++) {
    const octet = body[i]!;
    if (octet === ESC) {
      const code = body[++i];
      // 23.038: a code outside the extension table shows as in the main table, a single escape as a blank.
      text += code === undefined || code === ESC ? ' ' : (extension.get(code) ?? charOf(table, code));
    } else {
      text += charOf(table, octet);
    }
  }
  return text;
}

// Bytes above 7 bits come from networks that use Latin-1 as their default alphabet.
function charOf(table: string, octet: number): string {
  return octet < table.length ? table.charAt(octet) : String.fromCharCode(octet);
}

type Element = (data: Buffer, header: Header) => void;

// Information elements by identifier; others are skipped.
const ELEMENTS: Readonly<Record<number, Element>> = {
  0: (data, header) => {
    if (data.length === 3) setConcat(header, data[0]!, data[1]!, data[2]!);
  },
  8: (data, header) => {
    if (data.length === 4) setConcat(header, data.readUInt16BE(0), data[2]!, data[3]!);
  },
  36: (data, header) => {
    header.single = data[0] === TURKISH;
  },
  37: (data, header) => {
    header.locking = data[0] === TURKISH;
  },
};

// 23.040: a concatenation element with an impossible count is ignored.
function setConcat(header: Header, reference: number, total: number, sequence: number): void {
  if (total >= 1 && sequence >= 1 && sequence <= total) header.concat = { reference, total, sequence };
}

/** Whether a complete header is present, with all elements inside it and a possible position in a longer message. */
export function isHeaderWhole(userData: Buffer): boolean {
  const end = 1 + (userData[0] ?? userData.length);
  if (end > userData.length) return false;
  let places = 0;
  for (let at = 1; at < end; at += 2 + userData[at + 1]!) {
    const data = at + 2 <= end ? userData.subarray(at + 2, at + 2 + userData[at + 1]!) : null;
    if (data === null || at + 2 + userData[at + 1]! > end) return false;
    const octets = { 0: 3, 8: 4 }[userData[at]!];
    if (octets === undefined) continue;
    const [total, sequence] = [data.at(-2) ?? 0, data.at(-1) ?? 0];
    if (data.length !== octets || sequence < 1 || sequence > total || ++places > 1) return false;
  }
  return true;
}

function parseHeader(userData: Buffer): Header {
  const end = 1 + (userData[0] ?? userData.length);
  if (end > userData.length) return NO_HEADER;
  const header: Header = { length: end, concat: null, locking: false, single: false };
  for (let at = 1; at < end; ) {
    const dataEnd = at + 2 + (userData[at + 1] ?? 0);
    if (at + 2 > end || dataEnd > end) return { ...NO_HEADER, length: end };
    ELEMENTS[userData[at]!]?.(userData.subarray(at + 2, dataEnd), header);
    at = dataEnd;
  }
  return header;
}
