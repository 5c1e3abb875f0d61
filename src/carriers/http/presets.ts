// The descriptions that come with the program, by name.
import type { Definition } from './definition.ts';
import { elks } from './presets/elks.ts';
import { generic } from './presets/generic.ts';
import { iletimerkezi } from './presets/iletimerkezi.ts';
import { jetsms } from './presets/jetsms.ts';
import { mutlucell } from './presets/mutlucell.ts';
import { netgsm } from './presets/netgsm.ts';
import { ttmesaj } from './presets/ttmesaj.ts';
import { twilio } from './presets/twilio.ts';
import { verimor } from './presets/verimor.ts';
import { vonage } from './presets/vonage.ts';

export const presets: Record<string, Definition> = {
  iletimerkezi,
  jetsms,
  mutlucell,
  netgsm,
  ttmesaj,
  verimor,
  '46elks': elks,
  twilio,
  vonage,
  generic,
};

/** Own descriptions win; null: the preset is not known to this release. */
export function definitionOf(preset: string | null, own: unknown): Definition | null {
  if (own) return own as Definition;
  return preset !== null && Object.hasOwn(presets, preset) ? presets[preset]! : null;
}
