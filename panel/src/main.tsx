// The first code that runs: the language, then the console. A chunk that is gone (a new version was deployed) reloads
// the page once instead of leaving it blank.
import './fonts.css';
import './tokens.css';
import './mantine.css';
import './app.css';
import './controls.css';
import { createRoot } from 'react-dom/client';
import { noteLostCode, serverBack } from './outage.ts';
import { firstLanguage, loadLanguage } from './text/language.ts';

const reloadedKey = 'peyk-reloaded-at';
const reloadPauseMs = 30_000;

window.addEventListener('vite:preloadError', event => {
  const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
  if (Date.now() - last < reloadPauseMs) return;
  event.preventDefault();
  noteLostCode();
  // Not before the server answers: the browser's own error page would never come back by itself.
  void serverBack().then(() => {
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    window.location.reload();
  });
});

const [{ App }] = await Promise.all([import('./app.tsx'), loadLanguage(firstLanguage(navigator.languages))]);
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
