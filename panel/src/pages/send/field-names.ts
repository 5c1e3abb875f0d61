/** A field that says how somebody is called. Only there one wording fits everybody; of a code or a date none does. */
export const isName = (field: string): boolean => /^(ad|isim|name|müşteri|musteri)|soyad|surname/i.test(field);
