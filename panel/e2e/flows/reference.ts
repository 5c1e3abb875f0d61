// The public API reference at /docs/api: both languages, the narrowest phone, real calls.
import { expect, test } from 'vitest';
import { words } from '../../../src/http/reference/words.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { ofColours, seriousFindings } from '../accessibility.ts';
import { customer, newVisitor, program } from '../people.ts';
import { eventually, type Visitor } from '../visitor.ts';

const narrowest = 320;

test('the reference is accessible in both languages and colour schemes, fits the narrowest phone, and asks nobody else', async () => {
  const reader = await newVisitor({ viewport: { width: narrowest, height: 800 } });
  const asked = new Set<string>();
  reader.page.on('request', request => asked.add(new URL(request.url()).origin));
  // What differs in its text alone is examined in the first language.
  const [light, dark] = [new Set<string>(), new Set<string>()];
  for (const language of ['tr', 'en'] as const) {
    await reader.page.goto(`/docs/api?lang=${language}`);
    await reader.page.getByRole('tab').first().waitFor();
    expect(await seriousFindings(reader.page, undefined, light), language).toEqual([]);
    await reader.page.emulateMedia({ colorScheme: 'dark' });
    expect(await seriousFindings(reader.page, ofColours, dark), language).toEqual([]);
    await reader.page.emulateMedia({ colorScheme: 'light' });
    expect(await reader.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(narrowest);
  }
  expect([...asked]).toEqual([new URL(program.ready.api).origin]);
});

test('a try of the reference calls this server: the balance, a refusal, what is no JSON', async () => {
  const person = await customer();
  const { key, hash } = await person.call('settings.rotateKey', {});
  await person.open(paths.overview());
  await person.press(new RegExp(`^${tr.shell.userMenu}`));
  const manual = person.page.getByRole('menuitem', { name: tr.shell.manual });
  await person.page.goto((await manual.getAttribute('href'))!);
  const text = words.tr;
  await person.page.getByRole('navigation', { name: 'Peyk' }).getByRole('link', { name: 'API başvurusu' }).click();
  await eventually(() => person.page.url()).toContain('/docs/api');
  await person.page.getByLabel(text.key).fill(key);
  await person.page.getByLabel(text.hash).fill(hash);
  expect(await attempt(person, 'get-balance')).toContain('"sms": 100');
  expect(await attempt(person, 'get-report', '{ "order": { "id": 1 } }')).toContain('HTTP 455');
  expect(await attempt(person, 'get-report', '{ "order": ')).toBe(text.badJson);
});

async function attempt({ page }: Visitor, operation: string, body?: string): Promise<string> {
  const form = page.getByRole('form', { name: `${words.tr.tryIt}: ${operation}`, exact: true });
  const result = form.getByRole('status');
  const before = await result.innerText();
  if (body !== undefined) await form.getByRole('textbox').fill(body);
  await form.getByRole('button', { name: words.tr.send }).click();
  await eventually(() => result.innerText()).not.toBe(before);
  return result.innerText();
}
