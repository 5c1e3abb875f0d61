// consent/create and consent/show, and the subscription that both need.
import fc from 'fast-check';
import { addBrand, removeBrand } from '../../../src/consent/brands.ts';
import type { Reply } from '../../support/customers/client.ts';
import { expectCode, expectSame } from '../answers.ts';
import { kind } from '../kind.ts';
import { anyNumber, readNumber } from '../numbers.ts';
import {
  type Account,
  brandCodes,
  type Consent,
  currentConsent,
  dayMs,
  turkeyTime,
  type Who,
  type World,
} from '../world.ts';

const who = fc.constantFrom<Who>(0, 0, 1);
const hourMs = 3_600_000;

type Entry = {
  recipient: string;
  recipientType: string;
  type: string;
  status: string;
  source: string;
  /** Hours ago, or what is no time. */
  age: number | string;
};
type Brand = 'own' | 'foreign' | 'unknown';
type Registered = { who: Who; brand: Brand; asText: boolean; list: Entry[] };

const mostly = <T>(usual: T[], ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constantFrom(...usual), weight: 12 }, fc.constantFrom(...others));
const recipient = fc.oneof(
  // Few, so that one has several records.
  { arbitrary: fc.constantFrom('5550000001', '+905550000002'), weight: 6 },
  { arbitrary: anyNumber.map(String), weight: 3 },
  { arbitrary: fc.constantFrom('a@example.com', 'B@Example.com', 'kimse@'), weight: 1 },
);
const subject = {
  recipient,
  recipientType: mostly(['BIREYSEL', 'BIREYSEL', 'BIREYSEL', 'TACIR'], 'HEPSI'),
  type: mostly(['MESAJ', 'MESAJ', 'MESAJ', 'MESAJ', 'MESAJ', 'EPOSTA', 'ARAMA'], 'SMS'),
};
const entry: fc.Arbitrary<Entry> = fc.record({
  ...subject,
  status: mostly(['ONAY', 'ONAY', 'RET'], 'EVET'),
  source: mostly(['HS_WEB', 'HS_MOBIL', 'HS_KARAR'], 'HS_YOK'),
  age: mostly<number | string>([0, 1, 2, 71], 73, -1, '2025-02-30 10:00:00', 'dün'),
});
const brand = mostly<Brand>(['own'], 'foreign', 'unknown');

function brandCode({ who: owner, brand: which }: { who: Who; brand: Brand }): number {
  return which === 'own' ? brandCodes[owner] : which === 'foreign' ? brandCodes[owner === 0 ? 1 : 0] : 1;
}

function readRecipient(account: Account, given: string, type: string): string | null {
  if (type !== 'EPOSTA') return readNumber(given, account.abroad);
  return /^[^@]+@[^@]+$/.test(given) ? given.toLowerCase() : null;
}

const isSubject = ({ recipientType, type }: { recipientType: string; type: string }) =>
  ['BIREYSEL', 'TACIR'].includes(recipientType) && ['MESAJ', 'EPOSTA', 'ARAMA'].includes(type);

export const register = kind<Registered, Reply>({
  weight: 6,
  given: fc.record({
    who,
    brand,
    asText: fc.boolean(),
    list: fc.oneof(
      { arbitrary: fc.array(entry, { minLength: 1, maxLength: 3 }), weight: 12 },
      fc.constant<Entry[]>([]),
    ),
  }),
  isAtomic: true,
  run(rig, { nowMs }, one) {
    const list = one.list.map(({ age, ...rest }) => ({
      ...rest,
      consentDate: typeof age === 'string' ? age : turkeyTime(nowMs - age * hourMs),
    }));
    const code = brandCode(one);
    return rig.call(one.who, 'iys-register', { consent: { brandCode: one.asText ? String(code) : code, list } });
  },
  judge(world, one, reply) {
    const account = world.accounts[one.who];
    const { code, records } = judgeList(world, account, one);
    if (!expectCode(account, reply, code)) return;
    account.consents.push(...records);
    const month = turkeyTime(world.nowMs).slice(0, 7);
    account.brand.used[month] = (account.brand.used[month] ?? 0) + records.length;
  },
});

/** 403, 405, 422, in this order; else what is stored, all of it. */
function judgeList(world: World, account: Account, one: Registered): { code: number; records: Consent[] } {
  const { quota, active, used } = account.brand;
  const refused = (code: number) => ({ code, records: [] });
  if (!active) return refused(403);
  const month = turkeyTime(world.nowMs).slice(0, 7);
  if (one.brand === 'own' && one.list.length > 0 && quota !== null && (used[month] ?? 0) + one.list.length > quota)
    return refused(405);
  if (one.brand !== 'own' || one.list.length === 0) return refused(422);
  const records: Consent[] = [];
  for (const given of one.list) {
    const record = readEntry(world, account, given);
    if (!record) return refused(422);
    records.push(record);
  }
  return records.some((record, i) => isFirstRuling(account, record, records.slice(0, i)))
    ? refused(422)
    : { code: 200, records };
}

function readEntry({ nowMs }: World, account: Account, given: Entry): Consent | null {
  const { age, status, source } = given;
  const who = readRecipient(account, given.recipient, given.type);
  if (who === null || !isSubject(given) || typeof age === 'string' || age < 0 || age * hourMs > 3 * dayMs) return null;
  if (!['ONAY', 'RET'].includes(status) || source === 'HS_YOK') return null;
  const { recipientType, type } = given;
  return { recipient: who, recipientType, type, status, source, dateMs: nowMs - age * hourMs };
}

function isFirstRuling(account: Account, { recipient: who, recipientType, type, source }: Consent, before: Consent[]) {
  if (source !== 'HS_KARAR') return false;
  const known = [...account.consents, ...before];
  return !known.some(one => one.recipient === who && one.recipientType === recipientType && one.type === type);
}

type Shown = { who: Who; brand: Brand; recipient: string; recipientType: string; type: string };

export const show = kind<Shown, Reply>({
  weight: 5,
  given: fc.record({ who, brand, ...subject }),
  isAtomic: true,
  run: (rig, _, { who: asking, brand: which, ...rest }) =>
    rig.call(asking, 'iys-check', { consent: { brandCode: brandCode({ who: asking, brand: which }), ...rest } }),
  judge(world, one, reply) {
    const account = world.accounts[one.who];
    const who = readRecipient(account, one.recipient, one.type);
    const isGood = one.brand === 'own' && who !== null && isSubject(one);
    const current = isGood ? currentConsent(account, who, one.recipientType, one.type) : undefined;
    if (!expectCode(account, reply, !account.brand.active ? 403 : current ? 200 : 422)) return;
    const { dateMs, ...rest } = current!;
    expectSame('consent', reply.response.consent, {
      ...rest,
      brandCode: brandCodes[one.who],
      consentDate: turkeyTime(dateMs),
    });
  },
});

type Subscription = { who: Who; quota: number | null | 'end' };

/** The operator's "brand add" and "brand remove". */
export const subscribe = kind<Subscription, void>({
  weight: 3,
  given: fc.record({ who, quota: fc.constantFrom<Subscription['quota']>(null, null, 2, 4, 6, 'end') }),
  isAtomic: false,
  async run(rig, _, { who: owner, quota }) {
    if (quota === 'end') await removeBrand(rig.app.db, rig.id(owner), brandCodes[owner]);
    else await addBrand(rig.app.db, rig.id(owner), brandCodes[owner], quota);
  },
  judge(world, { who: owner, quota }) {
    const { brand: own } = world.accounts[owner];
    own.active = quota !== 'end';
    if (quota !== 'end') own.quota = quota;
  },
});
