// Letters as a search takes them: no case, no marks, ı and İ as i. Somebody without a Turkish keyboard finds “şifre” by “sifre”.
// The same when the index is made and when it is asked, so the browser has this file too.
export function fold(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');
}

/** What MiniSearch needs to know in both places. */
export const searchOptions = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'address', 'start'],
  processTerm: term => fold(term) || null,
  searchOptions: { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, page: 2 } },
};
