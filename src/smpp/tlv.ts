// Optional parameters (SMPP 3.4 section 5.3). Every TLV, known or not, travels as its tag and raw octets, so private TLVs of
// carriers survive decode and encode unchanged; the table only gives names, and readers that check widths.
import { PduError } from './pdu-error.ts';
import { status } from './status.ts';

export type Tlv = { tag: number; value: Buffer };

const tlvTags = {
  dest_addr_subunit: 0x0005,
  dest_network_type: 0x0006,
  dest_bearer_type: 0x0007,
  dest_telematics_id: 0x0008,
  source_addr_subunit: 0x000d,
  source_network_type: 0x000e,
  source_bearer_type: 0x000f,
  source_telematics_id: 0x0010,
  qos_time_to_live: 0x0017,
  payload_type: 0x0019,
  additional_status_info_text: 0x001d,
  receipted_message_id: 0x001e,
  ms_msg_wait_facilities: 0x0030,
  privacy_indicator: 0x0201,
  source_subaddress: 0x0202,
  dest_subaddress: 0x0203,
  user_message_reference: 0x0204,
  user_response_code: 0x0205,
  source_port: 0x020a,
  destination_port: 0x020b,
  sar_msg_ref_num: 0x020c,
  language_indicator: 0x020d,
  sar_total_segments: 0x020e,
  sar_segment_seqnum: 0x020f,
  sc_interface_version: 0x0210,
  callback_num_pres_ind: 0x0302,
  callback_num_atag: 0x0303,
  number_of_messages: 0x0304,
  callback_num: 0x0381,
  dpf_result: 0x0420,
  set_dpf: 0x0421,
  ms_availability_status: 0x0422,
  network_error_code: 0x0423,
  message_payload: 0x0424,
  delivery_failure_reason: 0x0425,
  more_messages_to_send: 0x0426,
  message_state: 0x0427,
  ussd_service_op: 0x0501,
  display_time: 0x1201,
  sms_signal: 0x1203,
  ms_validity: 0x1204,
  alert_on_message_delivery: 0x130c,
  its_reply_type: 0x1380,
  its_session_info: 0x1383,
} as const;

type TlvName = keyof typeof tlvTags;

/** A private TLV is known by its tag alone. */
function tagOf(name: TlvName | number): number {
  return typeof name === 'number' ? name : tlvTags[name];
}

const tlvHeaderBytes = 4;

export function findTlv(tlvs: readonly Tlv[], name: TlvName | number): Buffer | undefined {
  const tag = tagOf(name);
  for (const tlv of tlvs) if (tlv.tag === tag) return tlv.value;
  return undefined;
}

/** An integer TLV of 1, 2 or 4 octets; undefined when absent or of another width. */
export function tlvNumber(tlvs: readonly Tlv[], name: TlvName): number | undefined {
  const value = findTlv(tlvs, name);
  if (value === undefined || (value.length !== 1 && value.length !== 2 && value.length !== 4)) return undefined;
  return value.readUIntBE(0, value.length);
}

/** A text TLV, with or without its NUL: peers do both, whatever the standard says for the tag. */
export function tlvText(tlvs: readonly Tlv[], name: TlvName | number): string | undefined {
  const value = findTlv(tlvs, name);
  if (value === undefined) return undefined;
  const end = value.indexOf(0);
  return value.toString('latin1', 0, end < 0 ? value.length : end);
}

export function numberTlv(name: TlvName, value: number, bytes: 1 | 2 | 4): Tlv {
  const raw = Buffer.allocUnsafe(bytes);
  raw.writeUIntBE(value, 0, bytes);
  return { tag: tlvTags[name], value: raw };
}

/** A C-octet string TLV (with its NUL), such as receipted_message_id. */
export function textTlv(name: TlvName | number, value: string): Tlv {
  return { tag: tagOf(name), value: Buffer.from(`${value}\0`, 'latin1') };
}

export function octetsTlv(name: TlvName, value: Buffer): Tlv {
  return { tag: tlvTags[name], value };
}

/** Reads TLVs from `at` to `end`. Values are views into `buffer`. The count is bounded by the PDU's length. */
export function readTlvs(buffer: Buffer, at: number, end: number): Tlv[] {
  const tlvs: Tlv[] = [];
  while (at < end) {
    if (at + tlvHeaderBytes > end) throw new PduError('TLV header cut off', status.ESME_RINVOPTPARSTREAM, {});
    const tag = buffer.readUInt16BE(at);
    const valueAt = at + tlvHeaderBytes;
    const valueEnd = valueAt + buffer.readUInt16BE(at + 2);
    if (valueEnd > end) throw new PduError('TLV longer than its PDU', status.ESME_RINVOPTPARSTREAM, {});
    tlvs.push({ tag, value: buffer.subarray(valueAt, valueEnd) });
    at = valueEnd;
  }
  return tlvs;
}

export function tlvsBytes(tlvs: readonly Tlv[]): number {
  let bytes = 0;
  for (const tlv of tlvs) bytes += tlvHeaderBytes + tlv.value.length;
  return bytes;
}

/** Writes the TLVs at `at`, where the caller has made room, and returns the offset behind them. */
export function writeTlvs(buffer: Buffer, at: number, tlvs: readonly Tlv[]): number {
  for (const tlv of tlvs) {
    if (tlv.value.length > 0xffff) throw new PduError('TLV over 65,535 octets', status.ESME_RINVPARLEN, {});
    buffer.writeUInt16BE(tlv.tag, at);
    buffer.writeUInt16BE(tlv.value.length, at + 2);
    tlv.value.copy(buffer, at + tlvHeaderBytes);
    at += tlvHeaderBytes + tlv.value.length;
  }
  return at;
}
