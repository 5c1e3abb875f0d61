// Terms of use and privacy notice: shown to everybody, accepted by people, written by staff.

import { transaction } from '../../db/db.ts';
import {
  acceptancesOf,
  acceptTexts,
  currentTexts,
  legalVersions,
  pendingKinds,
  publishText,
} from '../../people/legal-texts.ts';
import { staffAuditEntry } from '../audit/audit-entry.ts';
import type { Given, Handlers, UserCall } from '../call/context.ts';
import { bad, iso } from '../contract/input.ts';
import { PanelRefusal } from '../words/errors.ts';

const yearMs = 366 * 86_400_000;

export const legalHandlers = {
  async 'legal.current'(call) {
    return { texts: (await currentTexts(call.db, call.now)).map(timed) };
  },

  async 'legal.mine'(call) {
    const pending = await pendingKinds(call.db, call.session, call.now);
    return {
      accepted: (await acceptancesOf(call.db, call.session.userId)).map(one => ({
        ...timed(one),
        acceptedAt: iso(one.acceptedAt),
      })),
      pending: (await currentTexts(call.db, call.now)).filter(one => pending.includes(one.kind)).map(timed),
    };
  },

  async 'legal.accept'(call) {
    const from = { now: call.now, address: call.visitor.address };
    await transaction(call.db, tx => acceptTexts(tx, call.session.userId, call.input, from));
    return {};
  },

  'staff.legal': async call => ({ versions: await versions(call) }),

  async 'staff.publishLegal'(call) {
    const { kind } = call.input;
    const given = { ...call.input, validFrom: validFrom(call), by: call.session.email };
    const version = await publishText(call.db, given);
    if (version === null) throw new PanelRefusal('legal-outdated', { field: 'basedOn' });
    await staffAuditEntry(call, 'legal.publish', null, { text: kind, version, from: iso(given.validFrom) });
    return { versions: await versions(call) };
  },
} satisfies Partial<Handlers>;

/** A version is never in force before its publication. */
function validFrom(call: UserCall & Given<'staff.publishLegal'>): Date {
  const asked = call.input.validFrom ?? call.now;
  if (asked.getTime() > call.now.getTime() + yearMs) throw bad('validFrom');
  return asked < call.now ? call.now : asked;
}

const versions = async (call: UserCall) =>
  (await legalVersions(call.db)).map(one => ({ ...timed(one), publishedAt: iso(one.publishedAt) }));

const timed = <T extends { validFrom: Date }>(one: T) => ({ ...one, validFrom: iso(one.validFrom) });
