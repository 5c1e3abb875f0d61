// The delivery rate and how a share is rounded, one definition for server, panel and exports: a rate of 100 % means that
// nothing failed, one of 0 % that nothing was delivered. 13,782 of 13,788 is 99.9 %, not 100 %.

/** delivered ÷ (delivered + not delivered by carriers); filtered and waiting ones count in neither. */
export function deliveryRate(delivered: number, failed: number): number | null {
  return delivered + failed === 0 ? null : delivered / (delivered + failed);
}

/** In steps of a tenth of a per cent; only the whole is shown as the whole, and only nothing as nothing. */
export function shownShare(share: number): number {
  if (share <= 0 || share >= 1) return share;
  return Math.min(999, Math.max(1, Math.round(share * 1_000))) / 1_000;
}
