import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { webhookBodies } from './webhook-bodies.ts';

test('the bodies of the reference are those of docs/webhooks.md', () => {
  const page = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/```json\n([\s\S]*?)\n```/g)].map(([, json]) => JSON.parse(json!));
  expect(documented).toEqual([webhookBodies.accepted, webhookBodies.inbound, webhookBodies.test]);
});
