// Errors in the form of a carrier, field by field, as sentences.

import type { CarrierKind } from '../../carriers/carrier-settings.ts';
import { needsPublicUrl } from '../../carriers/http/check-definition.ts';
import { MissingCredential } from '../../carriers/http/http-columns.ts';
import { definitionOf } from '../../carriers/http/presets.ts';
import type { UserCall } from '../call/context.ts';
import type { Both } from '../contract/shapes.ts';
import { PanelRefusal } from '../words/errors.ts';
import { type CarrierFault, carrierFaults } from './carrier-fields.ts';

const missing: Both = { tr: 'Bu alan gerekli.', en: 'This field is needed.' };
const typeAgain: Both = {
  tr: 'Adres değişti: kayıtlı olan oraya kendiliğinden gitmez, yeniden yazın.',
  en: 'The address changed: what is stored does not go there by itself, type it again.',
};
const addressNeeded: Both = {
  tr: 'Bu sağlayıcı raporları bize gönderir; önce PEYK_PUBLIC_URL ayarlanmalı.',
  en: 'This provider posts receipts to us: PEYK_PUBLIC_URL must be set first.',
};
const special: Record<string, Both> = {
  name: {
    tr: 'Ad 1-40 harf (Türkçe harf yok), rakam, nokta ya da çizgi olmalı.',
    en: 'A name has 1 to 40 letters, digits, dots or dashes.',
  },
  url: {
    tr: 'https ile başlayan bir adres yazın (http yalnız özel ağda).',
    en: 'Give an https address (http only for private ones).',
  },
  host: { tr: 'Sunucu adı ya da IP adresi yazın.', en: 'Give a host name or address.' },
  prefixes: { tr: 'Rakamları virgülle ayırarak yazın: 9053,9054.', en: 'Digits separated by commas: 9053,9054.' },
  password: {
    tr: 'Parola en çok 64 karakter olmalı; Türkçe harf kullanılamaz.',
    en: 'A password has at most 64 printable ASCII characters.',
  },
};

/** Errors that only the whole form shows, such as a missing secret of its description. */
export function sayWhy(error: Error): never {
  if (error instanceof MissingCredential) {
    const fault = { field: error.field, ...missing };
    throw new PanelRefusal('bad-setting', { ...fault, faults: [fault] });
  }
  if (!error.message.startsWith('--')) throw error;
  throw new PanelRefusal('bad-setting', { field: 'name', tr: error.message, en: error.message });
}

/** Refuses with all errors of the form together. `moved`: to another address, where stored secrets must be entered again. */
export async function requireGoodCarrier(
  { options: { publicUrl } }: Pick<UserCall, 'options'>,
  name: string,
  given: Record<string, string>,
  as: 'new' | 'changed' | 'moved',
  kind?: CarrierKind,
): Promise<void> {
  const found = await carrierFaults(name, given, as !== 'changed', kind);
  const faults = found.map(fault => ({ field: fault.field, ...(as === 'moved' ? again(fault) : sentenceOf(fault)) }));
  if (faults.length === 0 && publicUrl === '') faults.push(...withoutAddress(given));
  const [first] = faults;
  if (first) throw new PanelRefusal('bad-setting', { ...first, faults });
}

/** A provider that has nowhere to send receipts to leaves every message without an end. */
function withoutAddress({ preset, definition }: Record<string, string>) {
  const wanted = definitionOf(preset || null, preset || !definition ? null : JSON.parse(definition));
  if (!wanted || !needsPublicUrl(wanted)) return [];
  return [{ field: preset ? 'preset' : 'definition.callback', ...addressNeeded }];
}

/** A stored carrier only lacks its secrets. */
function again(fault: CarrierFault): Both {
  return fault.isMissing && !fault.control && !fault.words ? typeAgain : sentenceOf(fault);
}

function sentenceOf({ field, control, isMissing, words }: CarrierFault): Both {
  if (words) return words;
  if (isMissing) return missing;
  if (special[field]) return special[field];
  if (control?.kind === 'number') {
    const { min, max } = control;
    return { tr: `${min} ile ${max} arasında bir tam sayı yazın.`, en: `Give a whole number from ${min} to ${max}.` };
  }
  if (control?.kind === 'text')
    return {
      tr: `En çok ${control.max} karakter; Türkçe harf kullanılamaz.`,
      en: `At most ${control.max} printable ASCII characters.`,
    };
  if (control) return { tr: 'Seçeneklerden birini seçin.', en: 'Choose one of the options.' };
  return { tr: 'Böyle bir ayar yok.', en: 'There is no such setting.' };
}
