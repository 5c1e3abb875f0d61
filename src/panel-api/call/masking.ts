// What staff see of an account's panel before they have given a reason: numbers without their middle, texts without their letters,
// keys never. Numbers, flags and closed lists of words are shown. A free text is hidden unless its member is named below, so a new
// member of the contract is hidden until somebody decides about it (masking.test.ts); phone numbers inside shown texts are masked.
import { kindOf, type TSchema } from '../../contract/type.ts';

const numberNames = new Set(['number', 'numbers', 'digits', 'recipient', 'contactMobile', 'mobile', 'ownMobile']);
/** Free cells of an uploaded list, and values of personal fields: whatever their columns are called. */
const cellNames = new Set(['cells', 'values', 'fallbacks']);
/** Texts by names that are no members of the contract. */
const mapNames = new Set(['detail', 'errors', 'form']);
const words = (text: string) => text.trim().split(/\s+/);
export const shownNames: ReadonlySet<string> = new Set([
  ...mapNames,
  ...words(`acceptedAt addedAt answeredAt at begunAt boundAt consentDate createdAt day decidedAt disabledAt endsAt expiresAt
    failingSince finalAt finishedAt firstAt from lastAt lastBindAt lastErrorAt lastSeenAt lastSuccessAt lastUsedAt nextAt nextProbeAt
    now oldestAt oldUntil passwordChangedAt previousSecretUntil previousUntil pulledAt receivedAt seenAt sendAt since startAt
    submitAt syncedAt until updatedAt validFrom`),
  ...words(`action actor address addresses agent apiAddresses host lastAddress panelAddresses by cancelledBy endsBy email name
    systemId username who senderName sender senders testSender`),
  ...words(`aliases amount answer baseUrl carrier carrierIds cause code deliveryId downNames effect event field id key keyName
    keyStart keyword kind lastError legalKeywords names needs next operation operatorCode optOutKeywords path publicUrl reason
    recipientType refusal result smppIds source state to type unknownFields url version`),
]);
/** Not of use to staff at all, whatever reason they give. */
const secretNames = new Set(['key']);

const phoneLike = /(?<!\d)(\+?90|0)?[ ]?(5\d{2})[ ]?\d{3}[ ]?\d{2}[ ]?(\d{2})(?!\d)/g;
const dotsMax = 12;

type Mask = (value: unknown, name: string) => unknown;

/** The answer with numbers and texts masked. `output`: the schema of the answer. */
export function masked(data: unknown, output: TSchema): unknown {
  const open = freeTexts(output);
  return walk(data, '', (value, name) => maskValue(value, name, open));
}

/** The members of an answer that hold any text: no number, flag or word of a closed list. */
export function freeTexts(schema: TSchema, name = '', found = new Set<string>()): Set<string> {
  const { anyOf, items, properties, patternProperties, additionalProperties } = schema as Nested;
  const inside = [...Object.values(patternProperties ?? {}), ...(additionalProperties ? [additionalProperties] : [])];
  for (const one of [...(anyOf ?? []), ...(items ? [items] : []), ...inside]) freeTexts(one, name, found);
  for (const [key, one] of Object.entries(properties ?? {})) freeTexts(one, key, found);
  if (['String', 'Unknown', undefined].includes(kindOf(schema))) found.add(name);
  return found;
}
type Nested = {
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
  patternProperties?: Record<string, TSchema>;
  additionalProperties?: TSchema;
};

/** The answer without its secrets: also for staff who gave a reason. */
export const withoutSecrets = (data: unknown): unknown => walk(data, '', hideSecret);

function walk(value: unknown, name: string, mask: Mask): unknown {
  // Rows of rows are the cells of a file, whatever their name.
  if (Array.isArray(value)) return value.map(one => walk(one, Array.isArray(one) ? 'cells' : name, mask));
  if (typeof value !== 'object' || value === null) return mask(value, name);
  const entries = Object.entries(value).map(([key, inside]) => {
    // A text in both languages is part of the interface, not the customer's.
    if (key === 'tr' || key === 'en') return [key, inside];
    return [key, walk(inside, cellNames.has(name) || mapNames.has(name) ? name : key, mask)];
  });
  return Object.fromEntries(entries);
}

function hideSecret(value: unknown, name: string): unknown {
  return secretNames.has(name) && typeof value === 'string' && value.length > 20 ? `${value.slice(0, 8)}…` : value;
}

function maskValue(given: unknown, name: string, open: ReadonlySet<string>): unknown {
  const value = hideSecret(given, name);
  if (numberNames.has(name) && (typeof value === 'string' || typeof value === 'number'))
    return maskNumber(String(value));
  if (typeof value !== 'string') return value;
  if (cellNames.has(name) || (open.has(name) && !shownNames.has(name)))
    return '•'.repeat(Math.min(value.length, dotsMax));
  // A list goes on from its last row; where that is a number, it goes on once a reason is given.
  if (name === 'next' && value.search(phoneLike) >= 0) return null;
  return value.replace(phoneLike, (_, country = '', operator, end) => `${country}${operator}*****${end}`);
}

/** The operator's digits and the last two stay: enough to distinguish rows and to recognise a known number. */
function maskNumber(value: string): string {
  const digits = value.replace(/\D/g, '');
  if (digits.length < 7) return value;
  const sign = value.startsWith('+') ? '+' : '';
  return `${sign}${digits.slice(0, -7)}*****${digits.slice(-2)}`;
}
