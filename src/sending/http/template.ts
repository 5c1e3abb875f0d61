// Prepares a text for one carrier over HTTP: the values that all recipients share are made once, then one request for each
// number and id.

import type { CarrierWithPassword } from '../../carriers/carriers.ts';
import { type ConsentChoice, consentPrefix, type Entry, type Values } from '../../carriers/http/placeholders.ts';
import type { HttpRequest } from '../../http-client/http-client.ts';
import type { Encoding } from '../../text/alphabets.ts';
import { dropUnsendable } from '../../text/convert.ts';
import { splitForAir } from '../../text/split.ts';
import { makeRequest } from './request.ts';

/** What the recipients of a text share. `consent`: only carriers over HTTP get it. */
export type Wording = { sender: string; text: string; encoding: Encoding; consent?: ConsentChoice };

/** `ownId`: our id of the message. Messages of one `group` may share a request, whose part for this one is `entry`. */
export type HttpSubmit = {
  ownId: string;
  to: string;
  group: string;
  entry: Entry;
  /** `token`: '' for carriers without tokens. `each`: the messages of a request with several. */
  request(token: string, each?: Entry[]): HttpRequest;
};

const codingOf: Record<Encoding, 'gsm7' | 'turkish' | 'unicode'> = {
  gsm7: 'gsm7',
  'turkish-locking': 'turkish',
  'turkish-single': 'turkish',
  ucs2: 'unicode',
};

export function httpTemplate(
  carrier: CarrierWithPassword,
  { sender, text, encoding, consent = 'none' }: Wording,
  operatorCode: string,
): { encode(destination: string, messageId: number): HttpSubmit } {
  const { definition } = carrier;
  if (!definition) throw new Error(`carrier ${carrier.name} has no definition: set its preset or definition`);
  const code = definition.operatorCode ? operatorCode : '';
  const coding = codingOf[encoding];
  const chosen = Object.entries(definition.consents ?? {}).map(([name, of]) => [
    `${consentPrefix}${name}`,
    of[consent],
  ]);
  const whole = Object.fromEntries(chosen.map(([name, value]) => [`{{${name}}}`, value === '' ? undefined : value]));
  const shared: Values = {
    ...secretValues(carrier),
    ...Object.fromEntries(chosen.map(([name, value]) => [name, String(value ?? '')])),
    from: sender,
    // Accepted texts have no such characters; a request that the carrier cannot parse would be worse than a missing character.
    text: dropUnsendable(code === '' ? text : `${text} ${code}`),
    parts: String(splitForAir(text, encoding, code).length),
    coding: definition.codings?.[coding] ?? coding,
    validity_minutes: String(Math.max(1, Math.round(carrier.validitySeconds / 60))),
    callback_url: carrier.callbackUrl && `${carrier.callbackUrl}/receipts`,
    inbound_url: carrier.callbackUrl && `${carrier.callbackUrl}/inbound`,
  };
  // The values shared by all messages of a text: messages may share a request if all of these are equal.
  const group = definition.batch
    ? JSON.stringify(makeRequest(definition.send, definition.auth, shared, { whole, each: [] }))
    : '';
  return {
    encode(destination, messageId) {
      const ownId = String(messageId);
      const to_national = /^90\d{10}$/.test(destination) ? destination.slice(2) : destination;
      const values = { ...shared, to: destination, to_plus: `+${destination}`, to_national, id: ownId };
      return {
        ownId,
        to: destination,
        group,
        entry: { values, whole },
        request: (token, each) =>
          makeRequest(definition.send, definition.auth, { ...values, token }, { whole, ...(each ? { each } : {}) }),
      };
    },
  };
}

/** Values for every request to the carrier. */
export function secretValues({ apiUser, secrets }: CarrierWithPassword): Values {
  const named = Object.entries(secrets).map(([name, value]) => [`secret:${name}`, value] as const);
  return { user: apiUser, ...Object.fromEntries(named) };
}
