// The faults of every-fault.ts as sentences.
import type { ShapeRule } from './every-fault.ts';

export type Words = (detail: string) => { tr: string; en: string };
export const fixed =
  (tr: string, en: string): Words =>
  () => ({ tr, en });

export const shapeWords: Record<ShapeRule, Words> = {
  missing: fixed('eksik', 'is missing'),
  member: names => ({ tr: `böyle bir üye yok; olanlar: ${names}`, en: `there is no such member; there are ${names}` }),
  object: fixed('bir nesne olmalı: { … }', 'must be an object: { … }'),
  list: fixed('bir liste olmalı: [ … ]', 'must be a list: [ … ]'),
  text: fixed('bir metin olmalı', 'must be a text'),
  boolean: fixed('true ya da false olmalı', 'must be true or false'),
  number: range => ({ tr: `${range} arasında bir tam sayı olmalı`, en: `must be a whole number, ${range}` }),
  choice: list => ({ tr: `şunlardan biri olmalı: ${list}`, en: `must be one of: ${list}` }),
  long: max => ({ tr: `en çok ${max} karakter`, en: `at most ${max} characters` }),
  count: range => ({ tr: `${range} öge olmalı`, en: `must have ${range} entries` }),
};
