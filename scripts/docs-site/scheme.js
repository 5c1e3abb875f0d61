// Before the first paint: the colour scheme that was chosen in the panel, if any (panel/src/preferences.ts).
try {
  const scheme = localStorage.getItem('peyk-scheme');
  if (scheme === 'dark' || scheme === 'light') document.documentElement.dataset.scheme = scheme;
} catch {
  // Storage can be switched off; the system's scheme stands.
}
