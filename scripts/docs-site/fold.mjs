// Folds letters for the search: no case, no marks, ı and İ as i, so that "sifre" finds "şifre". The build folds the index and
// the browser the query, both with this file.
export function fold(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');
}

/** Options of MiniSearch for both. */
export const searchOptions = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'address', 'start'],
  processTerm: term => fold(term) || null,
  searchOptions: { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, page: 2 } },
};
