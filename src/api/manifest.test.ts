// The manifest as the published MCP server of the hosted service uses it: the calls that it makes of the tools work here.
import { afterAll, expect, test } from 'vitest';
import { brandCode, sender, validMembers } from '../../test/support/customers/samples.ts';
import { testApp } from '../../test/support/program/app.ts';
import { operations } from './operations.ts';

const app = await testApp();
afterAll(() => app.close());

type Endpoint = Record<'mcp_tool' | 'path' | 'base_url' | 'full_url' | 'method', string> & {
  input_schema: { type: string; properties: Record<string, object>; required?: string[] };
  summary: { tr: string; en: string };
  doc_url: { tr: string; en: string };
};

test('every operation is a tool, and calling it by what the manifest says works', async () => {
  const answer = await fetch(`${app.url}/api/manifest.json`, { headers: { accept: 'application/json' } });
  const manifest = (await answer.json()) as { schema_version: string; generated_at: string; endpoints: Endpoint[] };
  expect([manifest.schema_version, Number.isNaN(Date.parse(manifest.generated_at))]).toEqual(['1', false]);
  expect(manifest.endpoints.map(one => one.mcp_tool)).toEqual(operations.map(one => one.name.replaceAll('-', '_')));
  const account = await app.open({ senders: [sender], brands: [brandCode] });
  const { key, hash } = account;
  for (const [index, endpoint] of manifest.endpoints.entries()) {
    const operation = operations[index]!;
    const scheduled = await account.send({
      sender,
      sendDateTime: '01/01/2090 10:00',
      message: { text: operation.name, receipents: { number: ['5550000000'] } },
    });
    const input = validMembers(operation.name, scheduled);
    expect(endpoint.input_schema).toMatchObject({ type: 'object' });
    expect(Object.keys(endpoint.input_schema.properties)).toEqual(expect.arrayContaining(Object.keys(input)));
    expect(endpoint).toMatchObject({ method: 'POST', base_url: app.url, full_url: `${app.url}${endpoint.path}` });
    // A future order has no report yet.
    if (operation.name === 'get-report') continue;
    if (operation.name === 'delete-blacklist') await account.call('add-blacklist', input);
    const said = await fetch(`${endpoint.base_url}${endpoint.path}`, {
      method: endpoint.method,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ request: { authentication: { key, hash }, ...input } }),
    });
    expect([operation.name, said.status]).toEqual([operation.name, 200]);
  }
});

test('no schema offers several ways to write a thing, nor our own marks', async () => {
  const text = await (await fetch(`${app.url}/api/manifest.json`)).text();
  expect(text).not.toMatch(/"anyOf"|"x-/);
});
