// The entry point: loads the language, then the console. If a chunk is missing (a new version was deployed) it reloads
// the page once.
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
  // Only once the server answers: the browser's own error page would not retry.
  void serverBack().then(() => {
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    window.location.reload();
  });
});

const [{ App }] = await Promise.all([import('./app.tsx'), loadLanguage(firstLanguage(navigator.languages))]);
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
