// PDUs as octets, written by hand from the layouts in SMPP 3.4 section 4, with the fields they must decode to. For tests only.
// None was made by our encoder, so encoder and decoder are each compared with the standard, not with each other.
import type { CommandName } from './pdus.ts';

type Fixture = {
  command: CommandName;
  status?: number;
  sequence: number;
  octets: Buffer;
  fields: Record<string, unknown>;
  tlvs?: Array<[tag: number, valueHex: string]>;
};

/** Hex with blanks and line breaks; what follows a semicolon is a comment. */
export function hex(text: string): Buffer {
  const digits = text
    .split('\n')
    .map(line => line.split(';')[0])
    .join('')
    .replace(/\s/g, '');
  return Buffer.from(digits, 'hex');
}

const latin = (text: string) => Buffer.from(text, 'latin1');
const bindFields = {
  systemId: 'SMPP3TEST',
  password: 'secret08',
  systemType: 'SUBMIT1',
  interfaceVersion: 0,
  addrTon: 1,
  addrNpi: 1,
  addressRange: '',
};
const bindBody = `
  53 4d 50 50 33 54 45 53 54 00   ; system_id "SMPP3TEST"
  73 65 63 72 65 74 30 38 00      ; password "secret08"
  53 55 42 4d 49 54 31 00         ; system_type "SUBMIT1"
  00 01 01 00                     ; interface_version 0, ton 1, npi 1, address_range ""`;
const message = {
  serviceType: '',
  sourceAddrTon: 5,
  sourceAddrNpi: 0,
  sourceAddr: 'PEYK',
  destAddrTon: 1,
  destAddrNpi: 1,
  destinationAddr: '905550000000',
  esmClass: 0,
  protocolId: 0,
  priorityFlag: 0,
  scheduleDeliveryTime: '',
  validityPeriod: '000001000000000R',
  registeredDelivery: 1,
  replaceIfPresentFlag: 0,
  dataCoding: 0,
  smDefaultMsgId: 0,
  shortMessage: latin('Merhaba'),
};
const headerOnly = (command: CommandName, id: string, sequence = 5): Fixture => ({
  command,
  sequence,
  octets: hex(`00000010 ${id} 00000000 ${sequence.toString(16).padStart(8, '0')}`),
  fields: {},
});
const idAnswer = (command: CommandName, id: string): Fixture => ({
  command,
  sequence: 2,
  octets: hex(`00000015 ${id} 00000000 00000002 61 62 31 32 00 ; message_id "ab12"`),
  fields: { messageId: 'ab12' },
});

export const fixtures: Fixture[] = [
  {
    // The example of section 3.2.2, octet for octet.
    command: 'bind_transmitter',
    sequence: 1,
    octets: hex(`0000002f 00000002 00000000 00000001 ${bindBody}`),
    fields: bindFields,
  },
  {
    command: 'bind_receiver',
    sequence: 1,
    octets: hex(`0000002f 00000001 00000000 00000001 ${bindBody}`),
    fields: bindFields,
  },
  {
    command: 'bind_transceiver',
    sequence: 1,
    octets: hex(`0000002f 00000009 00000000 00000001 ${bindBody}`),
    fields: bindFields,
  },
  {
    command: 'bind_transmitter_resp',
    sequence: 1,
    octets: hex('00000015 80000002 00000000 00000001 53 4d 53 43 00 ; system_id "SMSC"'),
    fields: { systemId: 'SMSC' },
  },
  {
    // Refused (invalid password): no body, as section 4.1.2 has it.
    command: 'bind_receiver_resp',
    status: 0x0e,
    sequence: 1,
    octets: hex('00000010 80000001 0000000e 00000001'),
    fields: { systemId: '' },
  },
  {
    command: 'bind_transceiver_resp',
    sequence: 1,
    octets: hex(`
      0000001a 80000009 00000000 00000001
      53 4d 53 43 00            ; system_id "SMSC"
      0210 0001 34              ; sc_interface_version 0x34`),
    fields: { systemId: 'SMSC' },
    tlvs: [[0x0210, '34']],
  },
  {
    command: 'outbind',
    sequence: 1,
    octets: hex('00000017 0000000b 00000000 00000001 53 4d 53 43 00 70 00 ; "SMSC", "p"'),
    fields: { systemId: 'SMSC', password: 'p' },
  },
  {
    command: 'submit_sm',
    sequence: 2,
    octets: hex(`
      0000004e 00000004 00000000 00000002
      00                                        ; service_type ""
      05 00 50 45 59 4b 00                      ; source: alphanumeric, unknown plan, "PEYK"
      01 01 39 30 35 35 35 30 30 30 30 30 30 30 00 ; destination: international, ISDN, "905550000000"
      00 00 00                                  ; esm_class, protocol_id, priority_flag
      00                                        ; schedule_delivery_time: at once
      30 30 30 30 30 31 30 30 30 30 30 30 30 30 30 52 00 ; validity_period "000001000000000R": one day
      01 00                                     ; registered_delivery, replace_if_present_flag
      00 00                                     ; data_coding, sm_default_msg_id
      07 4d 65 72 68 61 62 61                   ; sm_length 7, "Merhaba"
      020c 0002 1234                            ; sar_msg_ref_num`),
    fields: message,
    tlvs: [[0x020c, '1234']],
  },
  idAnswer('submit_sm_resp', '80000004'),
  {
    // A receipt with the three TLVs that override its text and one unknown tag.
    command: 'deliver_sm',
    sequence: 0x7fffffff,
    octets: hex(`
      00000058 00000005 00000000 7fffffff
      00                                        ; service_type ""
      01 01 39 30 35 35 35 30 30 30 30 30 30 30 00 ; source "905550000000"
      05 00 50 45 59 4b 00                      ; destination "PEYK"
      04 00 00                                  ; esm_class 0x04 = receipt
      00 00 00 00                               ; no times, registered_delivery, replace_if_present_flag
      00 00                                     ; data_coding, sm_default_msg_id
      0c 69 64 3a 39 20 73 74 61 74 3a 3f 3f    ; "id:9 stat:??"
      001e 0005 61 62 31 32 00                  ; receipted_message_id "ab12"
      0427 0001 02                              ; message_state DELIVRD
      0423 0003 03 0022                         ; network_error_code: GSM, 34
      1401 0002 beef                            ; private to the carrier`),
    fields: {
      ...message,
      sourceAddrTon: 1,
      sourceAddrNpi: 1,
      sourceAddr: '905550000000',
      destAddrTon: 5,
      destAddrNpi: 0,
      destinationAddr: 'PEYK',
      esmClass: 4,
      validityPeriod: '',
      registeredDelivery: 0,
      shortMessage: latin('id:9 stat:??'),
    },
    tlvs: [
      [0x001e, '6162313200'],
      [0x0427, '02'],
      [0x0423, '030022'],
      [0x1401, 'beef'],
    ],
  },
  {
    command: 'deliver_sm_resp',
    sequence: 3,
    octets: hex('00000011 80000005 00000000 00000003 00 ; message_id unused'),
    fields: { messageId: '' },
  },
  {
    command: 'data_sm',
    sequence: 4,
    octets: hex(`
      0000002a 00000103 00000000 00000004
      00                                        ; service_type ""
      05 00 50 00                               ; source "P"
      01 01 39 30 00                            ; destination "90"
      40 01 08                                  ; esm_class, registered_delivery, data_coding UCS-2
      0424 0009 050003cc0201 011f41             ; message_payload`),
    fields: {
      serviceType: '',
      sourceAddrTon: 5,
      sourceAddrNpi: 0,
      sourceAddr: 'P',
      destAddrTon: 1,
      destAddrNpi: 1,
      destinationAddr: '90',
      esmClass: 0x40,
      registeredDelivery: 1,
      dataCoding: 8,
    },
    tlvs: [[0x0424, '050003cc0201011f41']],
  },
  idAnswer('data_sm_resp', '80000103'),
  {
    command: 'query_sm',
    sequence: 6,
    octets: hex('0000001a 00000003 00000000 00000006 61 62 31 32 00 05 00 50 4b 00 ; "ab12", 5, 0, "PK"'),
    fields: { messageId: 'ab12', sourceAddrTon: 5, sourceAddrNpi: 0, sourceAddr: 'PK' },
  },
  {
    command: 'query_sm_resp',
    sequence: 6,
    octets: hex(`
      00000028 80000003 00000000 00000006
      61 62 31 32 00                            ; message_id "ab12"
      32 36 30 31 30 32 30 33 30 34 30 35 30 31 32 2b 00 ; final_date "260102030405012+"
      02 00                                     ; message_state DELIVRD, error_code`),
    fields: { messageId: 'ab12', finalDate: '260102030405012+', messageState: 2, errorCode: 0 },
  },
  {
    command: 'cancel_sm',
    sequence: 7,
    octets: hex(`
      0000001f 00000008 00000000 00000007
      00 61 62 31 32 00                         ; service_type "", message_id "ab12"
      05 00 50 00                               ; source "P"
      01 01 39 30 00                            ; destination "90"`),
    fields: {
      serviceType: '',
      messageId: 'ab12',
      sourceAddrTon: 5,
      sourceAddrNpi: 0,
      sourceAddr: 'P',
      destAddrTon: 1,
      destAddrNpi: 1,
      destinationAddr: '90',
    },
  },
  headerOnly('cancel_sm_resp', '80000008'),
  {
    command: 'replace_sm',
    sequence: 8,
    octets: hex(`
      00000020 00000007 00000000 00000008
      61 62 31 32 00                            ; message_id "ab12"
      05 00 50 00                               ; source "P"
      00 00 01 00                               ; no times, registered_delivery, sm_default_msg_id
      02 68 69                                  ; "hi"`),
    fields: {
      messageId: 'ab12',
      sourceAddrTon: 5,
      sourceAddrNpi: 0,
      sourceAddr: 'P',
      scheduleDeliveryTime: '',
      validityPeriod: '',
      registeredDelivery: 1,
      smDefaultMsgId: 0,
      shortMessage: latin('hi'),
    },
  },
  headerOnly('replace_sm_resp', '80000007'),
  {
    command: 'submit_multi',
    sequence: 9,
    octets: hex(`
      0000002c 00000021 00000000 00000009
      00 05 00 50 00                            ; service_type "", source "P"
      02                                        ; number_of_dests
      01 01 01 39 30 00                         ; dest_flag 1: an address, "90"
      02 4c 31 00                               ; dest_flag 2: a list, "L1"
      00 00 00 00 00 00 00 00 00                ; esm_class to sm_default_msg_id
      02 68 69                                  ; "hi"`),
    fields: {
      serviceType: '',
      sourceAddrTon: 5,
      sourceAddrNpi: 0,
      sourceAddr: 'P',
      destAddresses: [{ ton: 1, npi: 1, address: '90' }, { listName: 'L1' }],
      esmClass: 0,
      protocolId: 0,
      priorityFlag: 0,
      scheduleDeliveryTime: '',
      validityPeriod: '',
      registeredDelivery: 0,
      replaceIfPresentFlag: 0,
      dataCoding: 0,
      smDefaultMsgId: 0,
      shortMessage: latin('hi'),
    },
  },
  {
    command: 'submit_multi_resp',
    sequence: 9,
    octets: hex(`
      0000001f 80000021 00000000 00000009
      61 62 31 32 00                            ; message_id "ab12"
      01                                        ; no_unsuccess
      01 01 39 30 00 0000000b                   ; "90": invalid destination`),
    fields: { messageId: 'ab12', unsuccessSmes: [{ ton: 1, npi: 1, address: '90', status: 0x0b }] },
  },
  {
    command: 'alert_notification',
    sequence: 10,
    octets: hex(`
      0000001e 00000102 00000000 0000000a
      01 01 39 30 00                            ; source "90"
      05 00 50 00                               ; esme_addr "P"
      0422 0001 00                              ; ms_availability_status`),
    fields: {
      sourceAddrTon: 1,
      sourceAddrNpi: 1,
      sourceAddr: '90',
      esmeAddrTon: 5,
      esmeAddrNpi: 0,
      esmeAddr: 'P',
    },
    tlvs: [[0x0422, '00']],
  },
  headerOnly('enquire_link', '00000015'),
  headerOnly('enquire_link_resp', '80000015'),
  headerOnly('unbind', '00000006'),
  headerOnly('unbind_resp', '80000006'),
  {
    command: 'generic_nack',
    status: 3,
    sequence: 11,
    octets: hex('00000010 80000000 00000003 0000000b'),
    fields: {},
  },
];
