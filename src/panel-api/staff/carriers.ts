// Carriers for staff: links with their counters, settings, pause and resume. Passwords are stored and never returned.

import {
  carrierExists,
  type CarrierLine as Listed,
  listCarriers,
  pauseCarrier,
  putCarrier,
} from '../../carriers/carriers.ts';
import { secretPrefix } from '../../carriers/http/placeholders.ts';
import { staffAuditEntry } from '../audit/audit-entry.ts';
import { listEverywhere, listOfCells } from '../call/cells.ts';
import type { Handlers, InputRead, UserCall } from '../call/context.ts';
import { iso } from '../contract/input.ts';
import { PanelRefusal } from '../words/errors.ts';
import { requireGoodCarrier, sayWhy } from './carrier-faults.ts';
import { carrierFields } from './carrier-fields.ts';
import {
  carrierErrors,
  carrierLinks,
  carrierWords,
  type ErrorRow,
  type LinkRow,
  type WordRow,
} from './carrier-links.ts';
import { isSamePeer, storedCarrier, storedForm, valuesOf } from './carrier-secrets.ts';
import { stateWith } from './carrier-states.ts';
import type { CarrierLine, Carriers } from './carriers-contract.ts';

const settingNames = carrierFields.map(field => field.name);

export const staffCarrierHandlers = {
  'staff.carriers': viewCarriers,

  async 'staff.putCarrier'(call) {
    const { name, settings, password, texts } = readCarrierForm(call.input);
    const given = { ...settings, ...texts, ...(password === undefined ? {} : { password }) };
    const stored = await storedCarrier(call, name);
    if (stored && !isSamePeer(stored, { ...storedForm(stored), ...given }))
      await requireGoodCarrier(call, name, { ...storedForm(stored), ...given }, 'moved', stored.kind);
    else await requireGoodCarrier(call, name, given, stored ? 'changed' : 'new', stored?.kind);
    await putCarrier(call.db, call.key, name, given).catch(sayWhy);
    const { kind: _, ...recorded } = settings;
    const before: Record<string, unknown> = stored ? storedForm(stored) : {};
    const was = Object.fromEntries(
      Object.entries(before).filter(([one, value]) => one in recorded && value !== (recorded as typeof before)[one]),
    );
    await staffAuditEntry(call, 'carrier.put', null, {
      name,
      ...recorded,
      ...(password ? { password: 'changed' } : {}),
      ...(texts['definition'] ? { definition: 'changed' } : {}),
      ...(Object.keys(texts).some(one => one !== 'definition') ? { secret: 'changed' } : {}),
      ...(stored ? { was } : {}),
    });
    return viewCarriers(call);
  },

  async 'staff.pauseCarrier'(call) {
    const { name, paused, reason = null } = call.input;
    if (!(await carrierExists(call.db, name))) throw new PanelRefusal('not-found', { field: 'name' });
    await pauseCarrier(call.db, name, paused, reason);
    await staffAuditEntry(call, paused ? 'carrier.pause' : 'carrier.resume', null, {
      name,
      ...(reason ? { reason } : {}),
    });
    return viewCarriers(call);
  },
} satisfies Partial<Handlers>;

/** `texts`: the carrier's own description, and secrets by their names; empty values keep the stored ones. */
export function readCarrierForm({
  name,
  settings = {},
  password,
  definition,
  secrets = {},
}: InputRead<'staff.putCarrier'>) {
  const trimmed = Object.entries(settings).map(([setting, value]) => [setting, value.trim()]);
  const texts = Object.entries(secrets)
    .filter(([, value]) => value !== '')
    .map(([secret, value]) => [`${secretPrefix}${secret}`, value]);
  return {
    name: name.trim(),
    settings: Object.fromEntries(trimmed) as Record<string, string>,
    password,
    texts: Object.fromEntries(definition?.trim() ? [['definition', definition], ...texts] : texts) as Record<
      string,
      string
    >,
  };
}

export async function viewCarriers(call: UserCall): Promise<Carriers> {
  const links = await listOfCells(call, carrierLinks);
  const errors = together(await listEverywhere(call, carrierErrors), 'error');
  const words = together(await listEverywhere(call, carrierWords), 'word');
  const carriers = await listCarriers(call.db);
  return {
    carriers: carriers.map(one => showCarrier(one, links, errors, words)),
    settings: settingNames,
    fields: carrierFields.map(field => (field.name === 'priority' ? { ...field, initial: behind(carriers) } : field)),
    at: call.now.toISOString(),
  };
}

const priorityMax = 1_000;
const priorityStep = 10;

/** A new carrier gets no traffic of existing ones until staff change the settings. */
function behind(carriers: { priority: number }[]): string {
  const last = Math.max(0, ...carriers.map(one => one.priority));
  return String(Math.min(priorityMax, last + priorityStep));
}

type Line = { carrierId: number; times: number; firstAt: Date; lastAt: Date };

/** A carrier's error in several cells is one line, with the newest first. */
function together<Row extends Line>(lines: Row[], by: keyof Row): Row[] {
  const found = new Map<string, Row>();
  for (const one of lines.sort((a, b) => b.lastAt.getTime() - a.lastAt.getTime())) {
    const name = `${one.carrierId} ${String(one[by])}`;
    const known = found.get(name);
    const firstAt = known && known.firstAt < one.firstAt ? known.firstAt : one.firstAt;
    found.set(name, known ? { ...known, times: known.times + one.times, firstAt } : one);
  }
  return [...found.values()];
}

/** As the home sees it, with its own part of the binds. */
type CellLink = LinkRow & { cell: number };

function showCarrier(one: Listed, links: CellLink[], errors: ErrorRow[], words: WordRow[]): CarrierLine {
  const values = valuesOf(one);
  const { id, name, kind, host, port, paused, pauseReason, binds, windowSize, rate, priority, prefixes } = one;
  const own = links.filter(link => link.carrierId === id);
  return {
    ...{ id, name, kind, host, port, paused, pauseReason, binds, windowSize, rate, priority, prefixes, values },
    state: stateWith(one, own.filter(link => link.state === 'bound').length),
    links: own.map(({ carrierId: _, ...link }) => ({
      ...link,
      since: iso(link.since),
      countingSince: iso(link.countingSince),
      at: iso(link.at),
    })),
    errors: errors
      .filter(error => error.carrierId === id)
      .map(({ error, times, firstAt, lastAt }) => ({ error, times, firstAt: iso(firstAt), lastAt: iso(lastAt) })),
    words: words
      .filter(word => word.carrierId === id)
      .map(({ carrierId: _, ...word }) => ({ ...word, firstAt: iso(word.firstAt), lastAt: iso(word.lastAt) })),
  };
}
