// A consent record and the values the registry knows.
export const recipientTypes = ['BIREYSEL', 'TACIR'] as const;
export const consentTypes = ['MESAJ', 'EPOSTA', 'ARAMA'] as const;
export const consentStatuses = ['ONAY', 'RET'] as const;
export const consentSources = [
  'HS_FIZIKSEL_ORTAM',
  'HS_ISLAK_IMZA',
  'HS_ETKINLIK',
  'HS_EORTAM',
  'HS_WEB',
  'HS_MOBIL',
  'HS_MESAJ',
  'HS_EPOSTA',
  'HS_CAGRI_MERKEZI',
  'HS_SOSYAL_MEDYA',
  'HS_ATM',
  'HS_KARAR',
] as const;

export type RecipientType = (typeof recipientTypes)[number];
export type ConsentType = (typeof consentTypes)[number];
export type ConsentStatus = (typeof consentStatuses)[number];

export type ConsentDraft = {
  /** `+90…` or a lower-case e-mail address */
  recipient: string;
  recipientType: RecipientType;
  type: ConsentType;
  status: ConsentStatus;
  source: string;
  consentDate: Date;
};
