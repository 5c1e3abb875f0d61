// What of a page moves, or would move with its next change: animations and transitions of anything but colours.
import type { Page } from 'playwright-core';

export function movingParts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // One millisecond is how the panel delays a skeleton without moving it.
    const lasts = (times: string) => times.split(', ').some(time => Number.parseFloat(time) > 0.001);
    const harmless =
      /^(none|color|background-color|background|border-color|outline-color|fill|stroke|box-shadow|opacity)$/;
    const found = new Set<string>();
    for (const one of document.querySelectorAll('body, body *')) {
      const style = getComputedStyle(one);
      const animates = style.animationName !== 'none' && lasts(style.animationDuration);
      const slides =
        lasts(style.transitionDuration) &&
        !style.transitionProperty.split(', ').every(property => harmless.test(property));
      if (animates || slides) found.add(`${one.tagName.toLowerCase()}.${one.getAttribute('class')}`);
    }
    return [...found];
  });
}
