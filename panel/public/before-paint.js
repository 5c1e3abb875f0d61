// Runs before the first paint so that neither the colour scheme nor the page language flickers. A file of its own: the
// content security policy allows no inline script. The keys are those of src/preferences.ts.
(() => {
  let scheme = 'auto';
  let language = 'tr';
  try {
    scheme = localStorage.getItem('peyk-scheme') || 'auto';
    language = localStorage.getItem('peyk-language') || 'tr';
  } catch {
    // Storage can be switched off; the defaults stand.
  }
  const dark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  document.documentElement.lang = language === 'en' ? 'en' : 'tr';
})();
