import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exampleBody } from '../../../../src/webhooks/payload.ts';

const pages = ['docs/webhooks.md', 'docs/tr/webhooks.md'];

test.each(pages)('the bodies that are posted and shown in the panel are those of %s', path => {
  const page = readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
  const documented = [...page.matchAll(/```json\n([\s\S]*?)\n```/g)].map(([, json]) => JSON.parse(json!));
  expect(documented).toEqual([exampleBody('accepted'), exampleBody('inbound'), exampleBody('test')]);
});
