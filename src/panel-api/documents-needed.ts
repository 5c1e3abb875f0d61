// Which documents an applicant hands in, by kind of applicant, and the usual reasons for a rejection.
import type { Both } from './contract.ts';
import type { ApplicantKind } from './contract-account.ts';

const taxPlate: Both = { tr: 'Vergi levhası', en: 'Tax certificate' };
const signatures: Both = { tr: 'İmza sirküleri', en: 'Signature circular' };
const undertaking: Both = { tr: 'İmzalı başlık taahhütnamesi', en: 'Signed sender ID undertaking' };
const trademark: Both = {
  tr: 'Başlık unvandan farklıysa marka tescil ya da bayilik belgesi',
  en: 'Trademark or dealership document where the sender ID differs from the title',
};
const identity: Both = { tr: 'Yetkilinin kimlik belgesi', en: 'Identity document of the person in charge' };

export const applicantKinds = [
  'company',
  'sole-trader',
  'association',
  'public-body',
] as const satisfies ApplicantKind[];

export const subscriptionDocuments: Record<ApplicantKind, Both[]> = {
  company: [{ tr: 'Ticaret sicil gazetesi', en: 'Trade registry gazette' }, taxPlate, signatures, identity],
  'sole-trader': [taxPlate, identity],
  association: [{ tr: 'Dernek ya da vakıf tüzüğü', en: 'Statute of the association' }, signatures, identity],
  'public-body': [{ tr: 'Resmî yazı', en: 'Official letter' }, identity],
};

export const senderDocuments: Record<ApplicantKind, Both[]> = {
  company: [undertaking, taxPlate, trademark],
  'sole-trader': [undertaking, taxPlate, trademark],
  association: [undertaking, { tr: 'Faaliyet belgesi', en: 'Certificate of activity' }],
  'public-body': [{ tr: 'Başlığı belirten resmî yazı', en: 'Official letter that names the sender ID' }],
};

export const rejectionReasons: Both[] = [
  { tr: 'Başlık, unvan ya da marka ile ilişkili değil.', en: 'The sender ID has no relation to title or trademark.' },
  { tr: 'Belge eksik.', en: 'A document is missing.' },
  { tr: 'Belge okunmuyor ya da süresi dolmuş.', en: 'A document is unreadable or has expired.' },
  { tr: 'İmza yetkisi belgelenmemiş.', en: 'The authority to sign is not shown.' },
  { tr: 'Başlık başka bir kuruluşu çağrıştırıyor.', en: 'The sender ID suggests another organisation.' },
];
