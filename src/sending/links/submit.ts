// Encodes a text as submit_sm bodies for one carrier. Everything but the destination and the concatenation reference is the same for all
// recipients, so it is encoded once and cached while the text is being sent.

import type { Carrier, CarrierWithPassword } from '../../carriers/carriers.ts';
import type { ConsentChoice } from '../../carriers/http/placeholders.ts';
import { keepNewest } from '../../limits.ts';
import { sarTlvs } from '../../smpp/sar.ts';
import { type SubmitTemplate, submitTemplate } from '../../smpp/submit-body.ts';
import { relativeSmppTime } from '../../smpp/time.ts';
import type { Encoding } from '../../text/alphabets.ts';
import { type AirPart, splitForAir } from '../../text/split.ts';
import { type HttpSubmit, httpTemplate } from '../http/template.ts';

/** The body of a submit_sm, or a message for a carrier over HTTP. */
export type Outgoing = Buffer | HttpSubmit;
type PartTemplate = { encode(destination: string, messageId: number): Outgoing };

const keptMax = 2_000;

/** Templates by carrier, sender and text; the oldest are removed when there are too many. */
export class Templates {
  readonly #kept = new Map<string, PartTemplate[]>();
  readonly #operatorCode: string;
  /** The last template: messages of one text follow each other, and comparing is cheaper than building its key. */
  #last: {
    carrier: Carrier;
    changedAt: Date;
    sender: string;
    text: string;
    encoding: Encoding;
    made: PartTemplate[];
  } | null = null;

  constructor(operatorCode: string) {
    this.#operatorCode = operatorCode;
  }

  /** `consent`: only carriers over HTTP get it. */
  of(
    carrier: CarrierWithPassword,
    sender: string,
    text: string,
    encoding: Encoding,
    consent: ConsentChoice = 'none',
  ): PartTemplate[] {
    if (carrier.kind === 'http') return this.#known(carrier, sender, text, encoding, consent);
    const last = this.#last;
    if (
      last?.text === text &&
      last.sender === sender &&
      last.encoding === encoding &&
      last.carrier === carrier &&
      last.changedAt === carrier.changedAt
    )
      return last.made;
    const made = this.#known(carrier, sender, text, encoding, 'none');
    this.#last = { carrier, changedAt: carrier.changedAt, sender, text, encoding, made };
    return made;
  }

  #known(
    carrier: CarrierWithPassword,
    sender: string,
    text: string,
    encoding: Encoding,
    consent: ConsentChoice,
  ): PartTemplate[] {
    const name = `${carrier.id} ${carrier.changedAt.getTime()} ${encoding} ${consent} ${sender}\n${text}`;
    const known = this.#kept.get(name);
    if (known) return known;
    const made = this.#make(carrier, sender, text, encoding, consent);
    keepNewest(this.#kept, name, made, keptMax);
    return made;
  }

  /** Over HTTP a long message is one request: the carrier splits it. */
  #make(
    carrier: CarrierWithPassword,
    sender: string,
    text: string,
    encoding: Encoding,
    consent: ConsentChoice,
  ): PartTemplate[] {
    if (carrier.kind === 'http') return [httpTemplate(carrier, sender, text, encoding, this.#operatorCode, consent)];
    const parts = splitForAir(text, encoding, this.#operatorCode, carrier.longMessages);
    return parts.map(part => partTemplate(carrier, sender, part));
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
