// A simulated identity service like e-Devlet: a page where a person confirms or refuses, a code that returns with the browser,
// and the verdict, given once to the caller with the code.
import { randomBytes } from 'node:crypto';
import type { Answer } from './answers.ts';

const codesMax = 10_000;
const lifeMs = 10 * 60_000;
const verdicts = ['confirmed', 'refused'];

export type IdentityAnswer =
  | { kind: 'page'; html: string }
  | { kind: 'go'; to: string }
  | { kind: 'json'; answer: Answer };

export function createIdentity(now: () => number) {
  const codes = new Map<string, { verdict: string; nonce: string; name: string; until: number }>();

  return function answer(method: string, path: string, query: URLSearchParams, text: string): IdentityAnswer {
    if (method === 'GET' && path === '/identity') return { kind: 'page', html: page(query) };
    if (method === 'POST' && path === '/identity') return decide(new URLSearchParams(text));
    if (method === 'POST' && path === '/identity/verdict') return { kind: 'json', answer: verdictOf(text) };
    return { kind: 'json', answer: { http: 404, body: { message: 'Böyle bir yol yok' } } };
  };

  function decide(form: URLSearchParams): IdentityAnswer {
    const [verdict, back] = [form.get('verdict') ?? '', form.get('return') ?? ''];
    if (!verdicts.includes(verdict) || !/^https?:\/\//.test(back) || !URL.canParse(back))
      return { kind: 'json', answer: { http: 400, body: { message: 'Eksik ya da geçersiz bilgi' } } };
    const code = randomBytes(24).toString('base64url');
    if (codes.size >= codesMax) codes.delete(codes.keys().next().value!);
    const name = verdict === 'confirmed' ? (form.get('name') ?? '').slice(0, 100) : '';
    codes.set(code, { verdict, nonce: form.get('nonce') ?? '', name, until: now() + lifeMs });
    const to = new URL(back);
    to.searchParams.set('state', form.get('state') ?? '');
    to.searchParams.set('code', code);
    return { kind: 'go', to: to.href };
  }

  function verdictOf(text: string): Answer {
    const code = codeIn(text);
    const found = codes.get(code);
    codes.delete(code);
    if (!found || found.until < now()) return { http: 404, body: { message: 'Kod bilinmiyor' } };
    const { verdict, nonce, name } = found;
    return { http: 200, body: { verdict, nonce, name } };
  }
}

function codeIn(text: string): string {
  try {
    const { code } = JSON.parse(text) as { code?: unknown };
    return typeof code === 'string' ? code : '';
  } catch {
    return '';
  }
}

const escaped = (text: string) => text.replace(/[&<>"']/g, one => `&#${one.charCodeAt(0)};`);

function page(query: URLSearchParams): string {
  const hidden = ['state', 'nonce', 'return']
    .map(name => `<input type="hidden" name="${name}" value="${escaped(query.get(name) ?? '')}">`)
    .join('');
  return `<!doctype html><html lang="tr"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Kimlik doğrulama (simülatör)</title>
<body style="font-family: sans-serif; max-width: 30rem; margin: 3rem auto; padding: 0 1rem">
<h1>Kimlik doğrulama (simülatör)</h1>
<p>Bu sayfa gerçek bir kimlik hizmeti değildir; sonucu siz seçersiniz.</p>
<form method="post" action="/identity">${hidden}
<p><label>Ad soyad <input name="name" value="Deneme Kişisi" maxlength="100"></label></p>
<button name="verdict" value="confirmed">Onayla</button> <button name="verdict" value="refused">Reddet</button>
</form></body></html>`;
}
