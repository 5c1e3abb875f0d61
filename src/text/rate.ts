// The delivery rate and its rounding, one definition for server, panel and exports: 100 % means that nothing failed, 0 % that
// nothing was delivered. 13,782 of 13,788 is 99.9 %, not 100 %.

/** delivered ÷ (delivered + not delivered by carriers); filtered and pending messages count in neither. */
export function deliveryRate(delivered: number, failed: number): number | null {
  return delivered + failed === 0 ? null : delivered / (delivered + failed);
}

/** In steps of a tenth of a per cent; only a full rate shows as 100 %, only an empty one as 0 %. */
export function shownShare(share: number): number {
  if (share <= 0 || share >= 1) return share;
  return Math.min(999, Math.max(1, Math.round(share * 1_000))) / 1_000;
}
