// Rules that hold for any carrier that keeps to HTTP, after its own. A gateway that gave up (500, 502, 504) may have passed the
// message on: unknown, like every status that is not here.
import type { Rule } from '../definition.ts';

export const usualRules: Rule[] = [
  { status: [401, 402, 403], means: 'account' },
  { status: [429], means: 'slow' },
  { status: [503], means: 'retry' },
  { status: [400, 404, 405, 413, 415, 422], means: 'failed' },
];
