// Waiting times in words, in both languages.
import type { Both } from '../contract/shapes.ts';

/** Rounded up, so that a retry then is not too early. */
export function aboutHowLong(ms: number): Both {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const [count, tr, en] =
    seconds <= 90
      ? [seconds, 'sn', 's']
      : seconds <= 90 * 60
        ? [Math.ceil(seconds / 60), 'dk', 'min']
        : [Math.ceil(seconds / 3600), 'sa', 'h'];
  return { tr: `yaklaşık ${count} ${tr}`, en: `about ${count} ${en}` };
}
