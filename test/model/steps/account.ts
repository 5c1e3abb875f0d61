// get-balance, get-sender, wrong credentials; and what operators and owners change of an account.
import fc from 'fast-check';
import { changeSettings } from '../../../src/accounts/settings.ts';
import { grantCredit } from '../../../src/balance/ledger.ts';
import { decideSender } from '../../../src/senders/senders.ts';
import type { Reply } from '../../support/customers/client.ts';
import { expectCode, expectSame } from '../answers.ts';
import { kind } from '../kind.ts';
import type { Mode, Who } from '../world.ts';

const who = fc.constantFrom<Who>(0, 0, 1);
type Whose = { who: Who };

export const balance = kind<Whose, Reply>({
  weight: 8,
  given: fc.record({ who }),
  isAtomic: true,
  run: (rig, _, one) => rig.call(one.who, 'get-balance', {}),
  judge(world, one, reply) {
    const account = world.accounts[one.who];
    if (!expectCode(account, reply, 200)) return;
    expectSame('balance', reply.response.balance, { amount: 0, sms: account.sms });
  },
});

export const senders = kind<Whose, Reply>({
  weight: 2,
  given: fc.record({ who }),
  isAtomic: true,
  run: (rig, _, one) => rig.call(one.who, 'get-sender', {}),
  judge(world, one, reply) {
    const account = world.accounts[one.who];
    if (!expectCode(account, reply, 200)) return;
    expectSame('senders', reply.response.senders!.sender.toSorted(), account.senders.toSorted());
  },
});

type Stranger = { who: Who; operation: string; fault: string };
const operations = [
  'send-sms',
  'cancel-order',
  'get-report',
  'get-reports',
  'get-balance',
  'get-sender',
  'get-blacklist',
  'add-blacklist',
  'delete-blacklist',
  'iys-register',
  'iys-check',
  'get-inbox',
];
/** Their object may be left out. */
const needNothing = ['get-balance', 'get-sender', 'get-blacklist', 'get-inbox'];

/** Credentials that are wrong, or right ones without the operation's object. */
export const stranger = kind<Stranger, Reply>({
  weight: 2,
  given: fc.record({
    who,
    operation: fc.constantFrom(...operations),
    fault: fc.constantFrom('hash', 'blank', 'none', 'other', 'object'),
  }),
  isAtomic: true,
  run(rig, _, one) {
    const { key, hash } = rig.accounts[one.who];
    const others = rig.accounts[one.who === 0 ? 1 : 0];
    const credentials: Record<string, object> = {
      hash: { key, hash: hash.replace(/^./, first => (first === '0' ? '1' : '0')) },
      blank: { key, hash: `${hash} ` },
      none: { key: undefined, hash: undefined },
      other: { key, hash: others.hash },
      object: { key, hash },
    };
    return rig.app.call(one.operation, {}, credentials[one.fault] as { key: string; hash: string });
  },
  judge(world, one, reply) {
    const isNeeded = !needNothing.includes(one.operation);
    const code = one.fault !== 'object' ? 401 : isNeeded ? 400 : 200;
    expectCode(world.accounts[one.who], reply, code);
  },
});

/** 'all': whatever there is, taken away. */
type Granted = { who: Who; sms: number | 'all' };

export const grant = kind<Granted, void>({
  weight: 3,
  given: fc.record({ who, sms: fc.constantFrom<Granted['sms']>(1, 7, 40, -20, 'all') }),
  isAtomic: false,
  resolve({ accounts }, one) {
    const { sms } = accounts[one.who];
    return { ...one, sms: one.sms === 'all' ? -sms : Math.max(one.sms, -sms) };
  },
  async run(rig, _, one) {
    await grantCredit(rig.app.db, rig.id(one.who), one.sms as number, 'model', 'model');
  },
  judge(world, one) {
    world.accounts[one.who].sms += one.sms as number;
  },
});

type Decided = { who: Who; name: string; state: 'approved' | 'rejected' };

export const decide = kind<Decided, void>({
  weight: 3,
  given: fc.record({
    who,
    name: fc.constantFrom('PEYK', 'PEYK', 'ORNEK'),
    state: fc.constantFrom<Decided['state']>('approved', 'approved', 'approved', 'rejected'),
  }),
  isAtomic: false,
  async run(rig, _, one) {
    await decideSender(rig.app.db, rig.id(one.who), one.name, one.state);
  },
  judge(world, one) {
    const account = world.accounts[one.who];
    account.senders = account.senders.filter(name => name !== one.name);
    if (one.state === 'approved') account.senders.push(one.name);
  },
});

type Changed = { who: Who; setting: string; value: string };
const on = (setting: string, value: string) => ({ setting, value });

export const change = kind<Changed, void>({
  weight: 3,
  given: fc
    .record({
      who,
      changed: fc.constantFrom(
        ...['english', 'turkish', 'unicode', 'unicode'].map(mode => on('mode', mode)),
        ...['on', 'on', 'off'].map(value => on('abroad', value)),
        ...['on', 'on', 'off'].map(value => on('api', value)),
        ...['active', 'active', 'suspended'].map(value => on('status', value)),
      ),
    })
    .map(({ who: owner, changed }) => ({ who: owner, ...changed })),
  isAtomic: false,
  run: (rig, _, one) => changeSettings(rig.app.db, rig.id(one.who), { [one.setting]: one.value }),
  judge(world, { who: owner, setting, value }) {
    const account = world.accounts[owner];
    if (setting === 'mode') account.mode = value as Mode;
    if (setting === 'abroad') account.abroad = value === 'on';
    if (setting === 'api') account.api = value === 'on';
    if (setting === 'status') account.active = value === 'active';
  },
});
