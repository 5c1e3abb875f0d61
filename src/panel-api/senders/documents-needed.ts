// Documents that an application needs, by kind of applicant, and the usual reasons for a rejection.
import type { Both } from '../contract/shapes.ts';
import type { ApplicantKind, NeededDocument } from './contract.ts';

const needed = (key: string, tr: string, en: string): NeededDocument => ({ key, tr, en, optional: false });

const taxPlate = needed('tax-certificate', 'Vergi levhası', 'Tax certificate');
const signatures = needed('signatures', 'İmza sirküleri', 'Signature circular');
const undertaking = needed('undertaking', 'İmzalı başlık taahhütnamesi', 'Signed sender ID undertaking');
const trademark: NeededDocument = {
  key: 'trademark',
  tr: 'Başlık unvandan farklıysa marka tescil ya da bayilik belgesi',
  en: 'Trademark or dealership document where the sender ID differs from the title',
  optional: true,
};
const identity = needed('identity', 'Yetkilinin kimlik belgesi', 'Identity document of the person in charge');

const applicantKinds = ['company', 'sole-trader', 'association', 'public-body'] as const satisfies ApplicantKind[];

export const subscriptionDocuments: Record<ApplicantKind, NeededDocument[]> = {
  company: [
    needed('trade-registry', 'Ticaret sicil gazetesi', 'Trade registry gazette'),
    taxPlate,
    signatures,
    identity,
  ],
  'sole-trader': [taxPlate, identity],
  association: [needed('statute', 'Dernek ya da vakıf tüzüğü', 'Statute of the association'), signatures, identity],
  'public-body': [needed('official-letter', 'Resmî yazı', 'Official letter'), identity],
};

export const senderDocuments: Record<ApplicantKind, NeededDocument[]> = {
  company: [undertaking, taxPlate, trademark],
  'sole-trader': [undertaking, taxPlate, trademark],
  association: [undertaking, needed('activity', 'Faaliyet belgesi', 'Certificate of activity')],
  'public-body': [needed('sender-letter', 'Başlığı belirten resmî yazı', 'Official letter that names the sender ID')],
};

const documents = new Map(
  [subscriptionDocuments, senderDocuments].flatMap(one =>
    Object.values(one)
      .flat()
      .map(document => [document.key, document] as const),
  ),
);
export const documentKinds = new Set(documents.keys());

/** The name of a kind of document; null for one without a kind. */
export const documentName = (kind: string | null): Both | null => documents.get(kind ?? '') ?? null;

type Applied = { kind: 'subscription' | 'sender'; form: Record<string, string>; documents: { kind: string | null }[] };

/** Required documents that the application lacks; documents without a kind do not count. */
export function missingDocuments({ kind, form, documents }: Applied): NeededDocument[] {
  const lists = kind === 'subscription' ? subscriptionDocuments : senderDocuments;
  const applicant = applicantKinds.find(one => one === form['applicantKind']);
  const there = new Set(documents.map(one => one.kind));
  return applicant ? lists[applicant].filter(one => !one.optional && !there.has(one.key)) : [];
}

export const rejectionReasons: Both[] = [
  { tr: 'Başlık, unvan ya da marka ile ilişkili değil.', en: 'The sender ID has no relation to title or trademark.' },
  { tr: 'Belge eksik.', en: 'A document is missing.' },
  { tr: 'Belge okunmuyor ya da süresi dolmuş.', en: 'A document is unreadable or has expired.' },
  { tr: 'İmza yetkisi belgelenmemiş.', en: 'The authority to sign is not shown.' },
  { tr: 'Başlık başka bir kuruluşu çağrıştırıyor.', en: 'The sender ID suggests another organisation.' },
];
