// The description of an HTTP carrier, for operators who write their own, and the address to which it posts.
import { type CarrierWithPassword, callbackUrl, carriersWithPasswords } from '../../carriers/carriers.ts';
import { type Definition, definition } from '../../carriers/http/definition.ts';
import { definitionOf } from '../../carriers/http/presets.ts';
import { staffAuditEntry } from '../audit/audit-entry.ts';
import type { Handlers, UserCall } from '../call/context.ts';
import { PanelRefusal } from '../words/errors.ts';

export const staffCarrierDescriptionHandlers = {
  async 'staff.carrierDescription'(call) {
    const { name, preset } = call.input;
    const carrier = preset ? null : await httpCarrier(call, name ?? '');
    const found = carrier ? carrier.definition : definitionOf(preset ?? null, null);
    if (!found) throw new PanelRefusal('not-found', { field: 'preset' });
    return {
      definition: JSON.stringify(inOrder(found), null, 2),
      isOwn: carrier?.preset === null,
      secretsSet: Object.keys(carrier?.secrets ?? {}).filter(one => one !== 'callback'),
    };
  },

  async 'staff.carrierAddresses'(call) {
    const { name } = call.input;
    const { id, secrets, definition: own } = await httpCarrier(call, name);
    const url = callbackUrl(call.options.publicUrl, id, secrets);
    await staffAuditEntry(call, 'carrier.callback', null, { name });
    return {
      receipts: own?.callback ? `${url}/receipts` : null,
      inbound: own?.inbound ? `${url}/inbound` : null,
    };
  },
} satisfies Partial<Handlers>;

/** The database returns members in an order of its own. */
function inOrder(given: Definition): object {
  const names = (Object.keys(definition.properties) as (keyof Definition)[]).filter(name => name in given);
  return Object.fromEntries(names.map(name => [name, given[name]]));
}

async function httpCarrier(call: UserCall, name: string): Promise<CarrierWithPassword> {
  const found = (await carriersWithPasswords(call.db, call.key)).find(one => one.name === name && one.kind === 'http');
  if (!found) throw new PanelRefusal('not-found', { field: 'name' });
  return found;
}
