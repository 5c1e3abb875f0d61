// Whatever a page reads shows that it is on its way, that it failed, and of when the data are that stay. Found in the sources, so that a
// new read is covered as soon as it is written; lists are forced through their states in every-page.e2e.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Unreachable } from '../api.ts';
import { loadLanguage, t } from '../text/language.ts';
import { ReadState } from './read-state.tsx';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name =>
  /^(pages|ui).*\.tsx?$/.test(name),
);

/** Reads that show nothing of their own, and why. */
const beside: Record<string, string> = {
  'pages/consents/consent-import.tsx consent.overview': 'choices of a field',
  'pages/consents/query-card.tsx consent.query': 'a refusal is the answer to what was typed',
  'pages/developers/api-log.tsx apiLog.groups': 'choices of a filter',
  'pages/developers/attempts.tsx webhook.deliveries': 'drawn from the list below it, which says so',
  'pages/developers/successful-calls.tsx settings.read': 'choices of a filter',
  'pages/inbox/conversation.tsx send.options': 'choices of a field',
  'pages/inbox/inbox.tsx inbox.list': 'the number of a link',
  'pages/orders/orders.tsx senders.list': 'choices of a filter',
  'pages/overview/overview.tsx orders.list': 'chooses between two pages that each say so',
  'pages/staff/carriers.tsx staff.carriers': 'the speeds of the list on the same page',
  'pages/start/api-card.tsx settings.read': 'the sample has a placeholder',
  'pages/start/first-sms.tsx orders.read': 'asked again until the message is final',
  'pages/start/first-sms.tsx orders.recipients': 'asked again until the message is final',
  'ui/accept-texts.tsx legal.mine': 'a dialog with its own sentence',
  'ui/palette.tsx search': 'suggestions while typing',
  'ui/palette.tsx staff.search': 'suggestions while typing',
  'ui/shell.tsx session.me': 'without it there is no page',
  'ui/sidebar.tsx onboarding.read': 'a count in the menu',
};

test('every read of a page is shown in all its states, or is named here with the reason', () => {
  const silent = files.flatMap(file => {
    const source = readFileSync(join(root, file), 'utf8');
    return [...source.matchAll(/const (\w+) = useRead\(\s*'([\w.]+)'|useRead\(\s*'([\w.]+)'/g)]
      .filter(([, variable]) => variable === undefined || !source.includes(`<ReadState of={${variable}}`))
      .map(([, , named, plain]) => `${file} ${named ?? plain}`);
  });
  expect(silent.sort()).toEqual(Object.keys(beside).sort());
});

test('a read waits in its shape, says that it failed, and keeps old data with their time', async () => {
  await loadLanguage('tr');
  const refetch = () => {};
  const none = { data: undefined, error: null, isLoading: false, dataUpdatedAt: 0, refetch };
  const markup = (of: object) =>
    renderToStaticMarkup(createElement(MantineProvider, {}, createElement(ReadState, { of: { ...none, ...of } })));
  const text = (html: string) =>
    html
      .replace(/<style.*?<\/style>|<[^>]*>/gs, ' ')
      .replace(/\s+/g, ' ')
      .trim();

  expect(markup({ isLoading: true })).toContain(`aria-busy="true" aria-label="${t.load.loading}"`);
  const failed = text(markup({ error: new Unreachable() }));
  expect(failed).toContain(t.load.failed);
  expect(failed).toContain(t.load.byItself);
  expect(failed).toContain(t.load.retry);
  const at = new Date('2026-11-19T11:24:00Z').getTime();
  const old = { error: new Unreachable(), data: {}, dataUpdatedAt: at };
  expect(failed).not.toContain('14:24');
  expect(text(markup(old))).toContain(t.load.shownSince('14:24'));
  expect(text(markup({ data: {} }))).toBe('');
});
