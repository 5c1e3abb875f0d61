// The reference page as the server sends it. What it does in a browser: panel/e2e/flows/reference.ts.
import { request } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../../test/support/program/app.ts';
import { codeWords } from '../../api/code-words.ts';
import { fieldsOf } from '../../api/fields.ts';
import { operations } from '../../api/operations.ts';
import { statusTexts } from '../../status.ts';

const app = await testApp();
afterAll(() => app.close());

const page = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${app.url}${path}`, { headers });
  return { answer, text: await answer.text() };
};

for (const language of ['tr', 'en'] as const)
  test(`the reference (${language}) tells every operation, field and code`, async () => {
    const { text } = await page(`/docs/api?lang=${language}`);
    expect(text).toContain(`<html lang="${language}">`);
    const plain = text.replaceAll(/<\/?em>/g, '');
    for (const operation of operations) {
      expect(text).toContain(`<h2 id="${operation.name}">`);
      expect(text).toContain(escaped(operation[language]));
      for (const about of Object.values(fieldsOf(operation))) expect(plain).toContain(escaped(about[language]));
      for (const code of operation.codes)
        expect(text).toContain(`<b>${code}</b> <span>${language === 'tr' ? statusTexts[code] : codeWords[code].en}`);
    }
    expect(text).toContain(`POST ${app.url}/v1/send-sms/json`);
  });

function escaped(text: string): string {
  return text
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replace(/`([^`]*)`/g, '<code>$1</code>');
}

test('the language is the one asked for, else the browser’s, else Turkish', async () => {
  const languageOf = async (path: string, accepts: string) =>
    /<html lang="(..)">/.exec((await page(path, { 'accept-language': accepts })).text)![1];
  expect(await languageOf('/docs/api?lang=en', 'tr')).toBe('en');
  expect(await languageOf('/docs/api', 'en-GB,en;q=0.9,tr;q=0.8')).toBe('en');
  expect(await languageOf('/docs/api', 'tr-TR,tr;q=0.9,en;q=0.8')).toBe('tr');
  expect(await languageOf('/docs/api', 'de')).toBe('tr');
});

test('nothing in the page is fetched from elsewhere, and nothing is inline', async () => {
  const { answer, text } = await page('/docs/api');
  const policy = answer.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  for (const [, address] of text.matchAll(/\s(?:src|href)="([^"]*)"/g)) expect(address).toMatch(/^[/#](?!\/)/);
  expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script>/);
});

test('a host that is markup stays text', async () => {
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request(`${app.url}/docs/api`, { headers: { host: 'x"><script>alert(1)</script>' } }, answer => {
      let whole = '';
      answer
        .setEncoding('utf8')
        .on('data', piece => (whole += piece))
        .on('end', () => resolve(whole));
    });
    sent.on('error', reject).end();
  });
  expect(text).not.toContain('<script>alert');
});
