// One polite live region for the whole page. Emptied first, so that the same sentence twice is spoken twice.
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
