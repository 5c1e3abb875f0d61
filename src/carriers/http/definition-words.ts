// Sentences for the faults of a carrier's description.
import type { PlacedFault } from '../../contract/every-fault.ts';
import { fixed, shapeWords, type Words } from '../../contract/fault-words.ts';

type Rule = keyof typeof definitionWords;
export type Fault = PlacedFault<Rule>;

const definitionWords = {
  ...shapeWords,
  json: at => ({ tr: `JSON değil (${at})`, en: `not JSON (${at})` }),
  address: fixed('bir http adresi değil', 'is not an http address'),
  path: fixed('/ ile başlamalı; ? ve # bulunamaz', 'must begin with / and hold no ? or #'),
  header: name => ({ tr: `“${name}” bir başlık adı değil`, en: `"${name}" is no name of a header` }),
  placeholder: named => {
    const [name, others] = named.split(' ', 2);
    return {
      tr: `burada {{${name}}} yok; olanlar: ${others?.replaceAll(',', ', ')}`,
      en: `there is no {{${name}}} here; there are ${others?.replaceAll(',', ', ')}`,
    };
  },
  texts: max => ({ tr: `en çok ${max} metin`, en: `at most ${max} texts` }),
  deep: fixed('çok derin', 'is nested too deeply'),
  last: fixed('{{text}} ya da {{from}} ardından bir şey gelemez', 'nothing may follow {{text}} or {{from}}'),
  element: fixed(
    'her öge { name, attributes?, children? } olmalı: adlar harfle başlar, nitelikler metindir',
    'each element is { name, attributes?, children? }: names begin with a letter, attributes are texts',
  ),
  consentName: name => ({
    tr: `“${name}” küçük harfle başlamalı; küçük harf, rakam ve _`,
    en: `"${name}" must begin with a small letter; small letters, digits and _`,
  }),
  scalar: fixed('bir metin, sayı, true, false ya da null olmalı', 'must be a text, a number, true, false or null'),
  pollId: fixed('birden çok kimlik birlikte sorulduğunda gerekli', 'is needed where several are asked for at once'),
  eachOne: fixed(
    '"batch" varsa gövdede bir kez "{{each}}" olmalı: ["{{each}}", …], XML’de children’ın ilki; "batch" yoksa hiç',
    'with "batch" holds "{{each}}" once, ["{{each}}", …] or first of an element’s children; without "batch" never',
  ),
  eachOutside: name => ({
    tr: `{{${name}}} bir mesajındır; "{{each}}" ile başlayan listede durmalı`,
    en: `{{${name}}} is of one message: it belongs into the list that begins with "{{each}}"`,
  }),
  batchIds: fixed(
    'ids theirs ise gerekli: bir kimlik birkaç mesajı adlandıramaz',
    'is needed where ids is theirs: one id cannot name several messages',
  ),
  batchRules: fixed('"list" ile birlikte gerekir', 'are needed with "list", and only there'),
  timeOver: fixed('zaman varsa time.body olmalı', 'must be time.body where there is a time'),
  timeMissing: fixed('over time.body ise gerekli', 'is needed where over is time.body'),
} satisfies Record<string, Words>;

export function faultWords({ at, rule, detail = '' }: Fault): { tr: string; en: string } {
  const { tr, en } = (definitionWords[rule] as Words)(detail);
  return at === '' ? { tr, en } : { tr: `${at}: ${tr}`, en: `${at}: ${en}` };
}
