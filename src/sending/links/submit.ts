// Encodes a text as submit_sm bodies for one carrier. Everything but the destination and the concatenation reference is the same for all
// recipients, so it is encoded once and cached while the text is being sent.

import type { Carrier, CarrierWithPassword } from '../../carriers/carriers.ts';
import { keepNewest } from '../../limits.ts';
import { sarTlvs } from '../../smpp/sar.ts';
import { type SubmitTemplate, submitTemplate } from '../../smpp/submit-body.ts';
import { relativeSmppTime } from '../../smpp/time.ts';
import { type AirPart, splitForAir } from '../../text/split.ts';
import { type HttpSubmit, httpTemplate, type Wording } from '../http/template.ts';

/** The body of a submit_sm, or a message for a carrier over HTTP. */
export type Outgoing = Buffer | HttpSubmit;
export type PartTemplate = { encode(destination: string, messageId: number): Outgoing };

const keptMax = 2_000;

/** Templates by carrier, sender and text; the oldest are removed when there are too many. */
export class Templates {
  readonly #kept = new Map<string, PartTemplate[]>();
  /** The last template of each wording: finding it costs 0.1 µs, building its key 1.2. */
  readonly #last = new WeakMap<Wording, { carrier: Carrier; parts: PartTemplate[] }>();
  readonly #operatorCode: string;

  constructor(operatorCode: string) {
    this.#operatorCode = operatorCode;
  }

  of(carrier: CarrierWithPassword, wording: Wording): PartTemplate[] {
    const last = this.#last.get(wording);
    if (last?.carrier === carrier) return last.parts;
    const { sender, text, encoding, consent } = wording;
    const name = `${carrier.id} ${carrier.changedAt.getTime()} ${encoding} ${consent} ${sender}\n${text}`;
    const parts = this.#kept.get(name) ?? this.#make(carrier, wording);
    keepNewest(this.#kept, name, parts, keptMax);
    this.#last.set(wording, { carrier, parts });
    return parts;
  }

  /** Over HTTP a long message is one request: the carrier splits it. */
  #make(carrier: CarrierWithPassword, wording: Wording): PartTemplate[] {
    if (carrier.kind === 'http') return [httpTemplate(carrier, wording, this.#operatorCode)];
    const parts = splitForAir(wording.text, wording.encoding, this.#operatorCode, carrier.longMessages);
    return parts.map(part => partTemplate(carrier, wording.sender, part));
  }
}

function partTemplate(carrier: Carrier, sender: string, part: AirPart): PartTemplate {
  const fields = {
    sourceAddrTon: carrier.sourceTon,
    sourceAddrNpi: carrier.sourceNpi,
    sourceAddr: sender,
    destAddrTon: carrier.destinationTon,
    destAddrNpi: carrier.destinationNpi,
    esmClass: part.hasHeader ? 0x40 : 0,
    registeredDelivery: 1,
    dataCoding: part.dataCoding === 8 ? 8 : carrier.dataCoding,
    validityPeriod: relativeSmppTime(carrier.validitySeconds),
    shortMessage: part.userData,
  };
  if (carrier.longMessages === 'sar' && part.parts > 1) return sarTemplate(fields, part);
  const template = submitTemplate(fields);
  const { referenceOffset } = part;
  if (referenceOffset < 0) return { encode: destination => template.encode(destination) };
  // The reference comes from the message id, so parts of two long messages to one phone do not mix.
  return {
    encode: (destination, messageId) =>
      template.encode(destination, { offset: referenceOffset, value: messageId & 0xff }),
  };
}

const sarReferences = 256;

function sarTemplate(fields: Parameters<typeof submitTemplate>[0], part: AirPart): PartTemplate {
  const byReference: SubmitTemplate[] = [];
  return {
    encode(destination, messageId) {
      const reference = messageId % sarReferences;
      const tlvs = sarTlvs({ reference, total: part.parts, sequence: part.part });
      byReference[reference] ??= submitTemplate(fields, tlvs);
      return byReference[reference].encode(destination);
    },
  };
}
