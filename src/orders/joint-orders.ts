// Which of the plain orders of a batch are stored as one: what a customer submits over SMPP at the same time, with the same sender, text
// and wishes. Each keeps an id of its own, counted from that of the order (docs/decisions/0021-joint-orders.md).
import type { AcceptRequest } from './accept-request.ts';
import type { OrderDraft } from './draft.ts';

/** Fewer than so many are orders of their own: they are found one by one, and little would be saved. */
export const jointMin = 16;
/** No order of this kind has more messages: it is a batch at most. */
export const jointMax = 128;

/** As given, before texts are sealed: sealed twice they differ. Who looks for duplicates needs each by itself. */
export function likenessOf({ smpp, fingerprint, sender, texts }: OrderDraft): string | null {
  if (smpp === undefined || fingerprint === undefined || texts.length > 1) return null;
  return `${String(sender)}\0${smpp}\0${texts[0]!.text}`;
}

/**
 * Sorts so that those of one account stand side by side in the order of their arrival, and those of one group among them. Returns a number
 * for each: of its group from 1 on, 0 for those that stand alone; null when all do.
 */
export function groupAlike<T extends { request: AcceptRequest }>(batch: T[]): { sorted: T[]; groups: number[] | null } {
  const alike = new Map<string, T[]>();
  for (const one of batch) {
    const { likeness, accountId, stamp } = one.request;
    if (likeness === null) continue;
    const name = `${accountId} ${stamp} ${likeness}`;
    const others = alike.get(name);
    if (others) others.push(one);
    else alike.set(name, [one]);
  }
  const groupOf = new Map<T, number>();
  let groups = 0;
  for (const members of alike.values()) {
    if (members.length < jointMin) continue;
    groups++;
    for (const one of members) groupOf.set(one, groups);
  }
  const number = (one: T) => groupOf.get(one) ?? 0;
  const sorted = batch.sort((a, b) => a.request.accountId - b.request.accountId || number(a) - number(b));
  return { sorted, groups: groups > 0 ? sorted.map(number) : null };
}

/** Consecutive ids from `first` on for those that were accepted: the order and the place in it of each; undefined for the others. */
export function placesIn(accepted: boolean[], groups: number[] | null, first: number): (Place | undefined)[] {
  let id = first;
  const begun = new Map<number, number>();
  return accepted.map((is, i) => {
    if (!is) return undefined;
    const group = groups?.[i] ?? 0;
    const orderId = group === 0 ? id : (begun.get(group) ?? id);
    begun.set(group, orderId);
    return { orderId, nth: id++ - orderId };
  });
}

export type Place = { orderId: number; nth: number };
