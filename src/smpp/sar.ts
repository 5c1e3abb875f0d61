// The place of a part in a long message, as TLVs (sar_*).
import { numberTlv, type Tlv, tlvNumber } from './tlv.ts';

type Segment = { reference: number; total: number; sequence: number };

/** Null: not a part. */
export function readSar(tlvs: readonly Tlv[]): Segment | null | 'malformed' {
  if (tlvs.length === 0) return null;
  const total = tlvNumber(tlvs, 'sar_total_segments');
  const sequence = tlvNumber(tlvs, 'sar_segment_seqnum');
  const reference = tlvNumber(tlvs, 'sar_msg_ref_num');
  if (total === undefined && sequence === undefined && reference === undefined) return null;
  if (!total || !sequence || reference === undefined || sequence > total) return 'malformed';
  return { reference, total, sequence };
}

export function sarTlvs({ reference, total, sequence }: Segment): Tlv[] {
  return [
    numberTlv('sar_msg_ref_num', reference, 2),
    numberTlv('sar_total_segments', total, 1),
    numberTlv('sar_segment_seqnum', sequence, 1),
  ];
}
