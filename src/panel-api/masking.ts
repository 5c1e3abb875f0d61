// What staff see of a customer's people before they have given a reason: numbers without their middle, texts without their
// letters, keys never. By the names of members, and by the look of a phone number wherever else one may stand.
const numberNames = new Set(['number', 'numbers', 'digits', 'recipient', 'contactMobile', 'mobile', 'ownMobile']);
const textNames = new Set(['text', 'textStart', 'excerpt', 'note', 'body', 'answerBody', 'fileName', 'signature']);
/** Free cells of an uploaded list, and values of personal fields. */
const cellNames = new Set(['cells', 'values', 'fallbacks']);
/** Not of use to staff at all, whatever reason they give. */
const secretNames = new Set(['key']);

const phoneLike = /(?<!\d)(\+?90|0)?[ ]?(5\d{2})[ ]?\d{3}[ ]?\d{2}[ ]?(\d{2})(?!\d)/g;
const dotsMax = 12;

type Mask = (value: unknown, name: string) => unknown;

/** Everything of the answer with numbers and texts masked. */
export const masked = (data: unknown): unknown => walk(data, '', maskValue);

/** Everything of the answer but its secrets: also for those who gave a reason. */
export const withoutSecrets = (data: unknown): unknown => walk(data, '', hideSecret);

function walk(value: unknown, name: string, mask: Mask): unknown {
  // Rows of rows are the cells of a file, whatever they are called.
  if (Array.isArray(value)) return value.map(one => walk(one, Array.isArray(one) ? 'cells' : name, mask));
  if (typeof value !== 'object' || value === null) return mask(value, name);
  const entries = Object.entries(value).map(([key, inside]) => {
    // A text of the interface in both languages is ours, not the customer's.
    if (key === 'tr' || key === 'en') return [key, inside];
    return [key, walk(inside, cellNames.has(name) ? name : key, mask)];
  });
  return Object.fromEntries(entries);
}

function hideSecret(value: unknown, name: string): unknown {
  return secretNames.has(name) && typeof value === 'string' && value.length > 20 ? `${value.slice(0, 8)}…` : value;
}

function maskValue(given: unknown, name: string): unknown {
  const value = hideSecret(given, name);
  if (numberNames.has(name) && (typeof value === 'string' || typeof value === 'number'))
    return maskNumber(String(value));
  if (typeof value !== 'string') return value;
  if (textNames.has(name) || cellNames.has(name)) return '•'.repeat(Math.min(value.length, dotsMax));
  // A list goes on from its last row; where that is a number, it goes on once a reason is given.
  if (name === 'next' && value.search(phoneLike) >= 0) return null;
  return value.replace(phoneLike, (_, country = '', operator, end) => `${country}${operator}*****${end}`);
}

/** The operator's digits and the last two stay: enough to tell rows apart and to recognise a number one knows. */
function maskNumber(value: string): string {
  const digits = value.replace(/\D/g, '');
  if (digits.length < 7) return value;
  const sign = value.startsWith('+') ? '+' : '';
  return `${sign}${digits.slice(0, -7)}*****${digits.slice(-2)}`;
}
