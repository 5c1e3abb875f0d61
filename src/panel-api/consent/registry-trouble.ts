// The registry's present fault as a sentence for customers and staff.
import { registryCodes } from '../../consent/registry/codes.ts';
import { iso } from '../contract/input.ts';
import type { Both } from '../contract/shapes.ts';
import type { RegistryTrouble } from './contract.ts';

const without: Record<string, Both> = {
  unreachable: {
    tr: 'İYS’ye ulaşılamıyor; kayıtlar bekliyor ve yeniden denenecek.',
    en: 'The registry cannot be reached; records wait and will be tried again.',
  },
  unauthorised: {
    tr: 'İYS, kullanıcı adını ya da parolayı kabul etmedi; ayarları düzeltin.',
    en: 'The registry did not accept the user or the password; correct the settings.',
  },
};

export function showTrouble(trouble: { code: string; since: Date } | null): RegistryTrouble | null {
  return trouble && { code: trouble.code, sentence: sentenceFor(trouble.code), since: iso(trouble.since) };
}

function sentenceFor(code: string): Both {
  if (Object.hasOwn(without, code)) return without[code]!;
  if (Object.hasOwn(registryCodes, code)) {
    const { tr, en } = registryCodes[code as keyof typeof registryCodes];
    return { tr, en };
  }
  return { tr: `İYS isteği kabul etmedi (${code}).`, en: `The registry refused the request (${code}).` };
}
