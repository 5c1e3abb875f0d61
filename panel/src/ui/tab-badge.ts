// "(2) " before the title of the browser tab while orders run; set by the live poll, read by every page.
let running = 0;

export const tabBadge = (): string => (running > 0 ? `(${running}) ` : '');

export function showRunning(count: number): void {
  if (count === running) return;
  running = count;
  document.title = `${tabBadge()}${document.title.replace(/^\(\d+\) /, '')}`;
}
