// The four screens of sending, as the address names them.
export const steps = ['alicilar', 'mesaj', 'ayarlar', 'ozet'] as const;
export type StepName = (typeof steps)[number];
