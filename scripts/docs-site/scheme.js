// Runs before the first paint: applies the colour scheme chosen here or in the panel (panel/src/preferences.ts), else the
// system's.
const dark = matchMedia('(prefers-color-scheme: dark)');
const chosenScheme = () => {
  try {
    const scheme = localStorage.getItem('peyk-scheme');
    return scheme === 'dark' || scheme === 'light' ? scheme : null;
  } catch {
    // Storage may be disabled; then the system's scheme applies.
    return null;
  }
};
const showScheme = () => {
  document.documentElement.dataset.mantineColorScheme = chosenScheme() ?? (dark.matches ? 'dark' : 'light');
};
showScheme();
dark.addEventListener('change', showScheme);
document.addEventListener('click', event => {
  if (!event.target.closest?.('#scheme')) return;
  const next = document.documentElement.dataset.mantineColorScheme === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem('peyk-scheme', next);
  } catch {
    // Applies to this page only.
  }
  document.documentElement.dataset.mantineColorScheme = next;
});
