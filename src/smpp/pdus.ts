// The one table of SMPP 3.4 PDUs (section 4): command id, who may send it and when, and its mandatory fields in wire
// order with type, greatest width and the status that a bad value earns. Codec and session read everything from
// here, so adding a PDU is adding a row. Field names are the standard's, in camel case (source_addr = sourceAddr).
import { status } from './status.ts';

/**
 * u8: one octet. cstring: octets up to and with a NUL, at most `bytesMax` of them. octets: a length octet, then at
 * most `bytesMax` octets (sm_length + short_message). destinations, failures: the two counted lists of submit_multi.
 */
type FieldKind = 'u8' | 'cstring' | 'octets' | 'destinations' | 'failures';

export type Field<N extends string = string, K extends FieldKind = FieldKind> = {
  readonly name: N;
  readonly kind: K;
  readonly bytesMax: number;
  readonly badStatus: number;
};

export type Destination = { ton: number; npi: number; address: string } | { listName: string };
export type FailedDestination = { ton: number; npi: number; address: string; status: number };

type ValueOf<K extends FieldKind> = {
  u8: number;
  cstring: string;
  octets: Buffer;
  destinations: Destination[];
  failures: FailedDestination[];
}[K];

export type Side = 'esme' | 'smsc';

/**
 * open: before a bind. messages: the sender's direction is bound (an ESME sends as transmitter or transceiver, an
 * SMSC to a receiver or transceiver). bound: any bind. any: always.
 */
export type PduSpec = {
  readonly id: number;
  readonly from: Side | 'either';
  readonly when: 'open' | 'messages' | 'bound' | 'any';
  readonly fields: readonly Field[];
};

const u8 = <const N extends string>(name: N, badStatus: number = status.ESME_RINVCMDLEN): Field<N, 'u8'> => ({
  name,
  kind: 'u8',
  bytesMax: 1,
  badStatus,
});
const cstring = <const N extends string>(name: N, bytesMax: number, badStatus: number): Field<N, 'cstring'> => ({
  name,
  kind: 'cstring',
  bytesMax,
  badStatus,
});

const messageId = cstring('messageId', 65, status.ESME_RINVMSGID);
const serviceType = cstring('serviceType', 6, status.ESME_RINVSERTYP);
const scheduleDeliveryTime = cstring('scheduleDeliveryTime', 17, status.ESME_RINVSCHED);
const validityPeriod = cstring('validityPeriod', 17, status.ESME_RINVEXPIRY);
const registeredDelivery = u8('registeredDelivery', status.ESME_RINVREGDLVFLG);
const smDefaultMsgId = u8('smDefaultMsgId', status.ESME_RINVDFTMSGID);
const shortMessage: Field<'shortMessage', 'octets'> = {
  name: 'shortMessage',
  kind: 'octets',
  bytesMax: 254,
  badStatus: status.ESME_RINVMSGLEN,
};
const source = (bytesMax: number) => [
  u8('sourceAddrTon', status.ESME_RINVSRCTON),
  u8('sourceAddrNpi', status.ESME_RINVSRCNPI),
  cstring('sourceAddr', bytesMax, status.ESME_RINVSRCADR),
];
const destination = (bytesMax: number) => [
  u8('destAddrTon', status.ESME_RINVDSTTON),
  u8('destAddrNpi', status.ESME_RINVDSTNPI),
  cstring('destinationAddr', bytesMax, status.ESME_RINVDSTADR),
];
// The standard allows 16 octets for system_id and 9 for password; carriers issue longer ones, which the peer may refuse.
const systemId = cstring('systemId', 65, status.ESME_RINVSYSID);
const password = cstring('password', 65, status.ESME_RINVPASWD);
const bind = [
  systemId,
  password,
  cstring('systemType', 13, status.ESME_RINVSYSTYP),
  u8('interfaceVersion'),
  u8('addrTon'),
  u8('addrNpi'),
  cstring('addressRange', 41, status.ESME_RBINDFAIL),
];
const messageTail = [
  u8('esmClass', status.ESME_RINVESMCLASS),
  u8('protocolId'),
  u8('priorityFlag', status.ESME_RINVPRTFLG),
  scheduleDeliveryTime,
  validityPeriod,
  registeredDelivery,
  u8('replaceIfPresentFlag', status.ESME_RINVREPFLAG),
  u8('dataCoding'),
  smDefaultMsgId,
  shortMessage,
];
const message = [serviceType, ...source(21), ...destination(21), ...messageTail];
const multiDestinations: Field<'destAddresses', 'destinations'> = {
  name: 'destAddresses',
  kind: 'destinations',
  bytesMax: 21,
  badStatus: status.ESME_RINVNUMDESTS,
};
const multiFailures: Field<'unsuccessSmes', 'failures'> = {
  name: 'unsuccessSmes',
  kind: 'failures',
  bytesMax: 21,
  badStatus: status.ESME_RINVNUMDESTS,
};

const esme = { from: 'esme', when: 'messages' } as const;
const smsc = { from: 'smsc', when: 'messages' } as const;
const binding = { from: 'esme', when: 'open' } as const;
const always = { from: 'either', when: 'any' } as const;
// A response is matched by its sequence number, so every response is allowed "always".
export const pdus = {
  bind_receiver: { id: 0x00000001, ...binding, fields: bind },
  bind_receiver_resp: { id: 0x80000001, ...always, fields: [systemId] },
  bind_transmitter: { id: 0x00000002, ...binding, fields: bind },
  bind_transmitter_resp: { id: 0x80000002, ...always, fields: [systemId] },
  query_sm: { id: 0x00000003, ...esme, fields: [messageId, ...source(21)] },
  query_sm_resp: {
    id: 0x80000003,
    ...always,
    fields: [messageId, cstring('finalDate', 17, status.ESME_RINVEXPIRY), u8('messageState'), u8('errorCode')],
  },
  submit_sm: { id: 0x00000004, ...esme, fields: message },
  submit_sm_resp: { id: 0x80000004, ...always, fields: [messageId] },
  deliver_sm: { id: 0x00000005, ...smsc, fields: message },
  deliver_sm_resp: { id: 0x80000005, ...always, fields: [messageId] },
  unbind: { id: 0x00000006, from: 'either', when: 'bound', fields: [] },
  unbind_resp: { id: 0x80000006, ...always, fields: [] },
  replace_sm: {
    id: 0x00000007,
    ...esme,
    fields: [
      messageId,
      ...source(21),
      scheduleDeliveryTime,
      validityPeriod,
      registeredDelivery,
      smDefaultMsgId,
      shortMessage,
    ],
  },
  replace_sm_resp: { id: 0x80000007, ...always, fields: [] },
  cancel_sm: { id: 0x00000008, ...esme, fields: [serviceType, messageId, ...source(21), ...destination(21)] },
  cancel_sm_resp: { id: 0x80000008, ...always, fields: [] },
  bind_transceiver: { id: 0x00000009, ...binding, fields: bind },
  bind_transceiver_resp: { id: 0x80000009, ...always, fields: [systemId] },
  outbind: { id: 0x0000000b, from: 'smsc', when: 'open', fields: [systemId, password] },
  enquire_link: { id: 0x00000015, ...always, fields: [] },
  enquire_link_resp: { id: 0x80000015, ...always, fields: [] },
  submit_multi: {
    id: 0x00000021,
    ...esme,
    fields: [serviceType, ...source(21), multiDestinations, ...messageTail],
  },
  submit_multi_resp: { id: 0x80000021, ...always, fields: [messageId, multiFailures] },
  alert_notification: {
    id: 0x00000102,
    ...smsc,
    fields: [
      ...source(65),
      u8('esmeAddrTon', status.ESME_RINVDSTTON),
      u8('esmeAddrNpi', status.ESME_RINVDSTNPI),
      cstring('esmeAddr', 65, status.ESME_RINVDSTADR),
    ],
  },
  data_sm: {
    id: 0x00000103,
    from: 'either',
    when: 'messages',
    fields: [
      serviceType,
      ...source(65),
      ...destination(65),
      u8('esmClass', status.ESME_RINVESMCLASS),
      registeredDelivery,
      u8('dataCoding'),
    ],
  },
  data_sm_resp: { id: 0x80000103, ...always, fields: [messageId] },
  generic_nack: { id: 0x80000000, ...always, fields: [] },
} satisfies Record<string, PduSpec>;

type Table = typeof pdus;
export type CommandName = keyof Table;
export type FieldsOf<C extends CommandName> = {
  [F in Table[C]['fields'][number] as F['name']]: ValueOf<F['kind']>;
};

export type ResponseName = Extract<CommandName, `${string}_resp` | 'generic_nack'>;
/** Requests without an answer. */
export type NoticeName = 'outbind' | 'alert_notification';
export type RequestName = Exclude<CommandName, ResponseName | NoticeName>;
export type AnswerTo<C extends RequestName> = Extract<ResponseName, `${C}_resp`>;

/** Bit 31 of command_id marks a response; as a signed 32-bit number that is a negative one. */
export const isResponseId = (commandId: number): boolean => (commandId | 0) < 0;

const bindIds = new Set<number>([pdus.bind_receiver.id, pdus.bind_transmitter.id, pdus.bind_transceiver.id]);
export const isBindId = (commandId: number): boolean => bindIds.has(commandId);

const namesById = new Map<number, CommandName>((Object.keys(pdus) as CommandName[]).map(name => [pdus[name].id, name]));

export function commandName(commandId: number): CommandName | undefined {
  return namesById.get(commandId);
}

/** The response that belongs to a request, or undefined for a notice. */
export function answerName(command: CommandName): ResponseName | undefined {
  const answer = `${command}_resp`;
  return answer in pdus ? (answer as ResponseName) : undefined;
}

export type BindType = 'transceiver' | 'transmitter' | 'receiver';

/** The state table of section 2.3: may this side send this request over a session with this bind (null: not bound)? */
export function maySend(command: CommandName, side: Side, bound: BindType | null): boolean {
  const { from, when }: PduSpec = pdus[command];
  if (from !== 'either' && from !== side) return false;
  if (when === 'any') return true;
  if (when === 'open') return bound === null;
  if (bound === null) return false;
  return when === 'bound' || bound !== (side === 'esme' ? 'receiver' : 'transmitter');
}
