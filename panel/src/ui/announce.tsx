// The one polite live region of the panel. It is emptied first, so that a repeated sentence is announced again.
import { VisuallyHidden } from '@mantine/core';

const regionId = 'peyk-announcer';

export function Announcer() {
  return <VisuallyHidden id={regionId} role="status" aria-live="polite" aria-atomic="true" />;
}

export function announce(sentence: string): void {
  const region = document.getElementById(regionId);
  if (!region) return;
  region.textContent = '';
  requestAnimationFrame(() => {
    region.textContent = sentence;
  });
}
