// /api/manifest.json lists the operations as tools for assistants, in the format that the published MCP server of the hosted
// service reads at its start (ILETIMERKEZI_MANIFEST_URL). Generated from the operation table.
import { usualForm } from '../contract/usual.ts';
import { codesOf, type DocumentFacts, jsonPath } from './openapi.ts';
import { type Operation, operations } from './operations.ts';
import { webhooks } from './webhook-contract.ts';

type ManifestFacts = DocumentFacts & { madeAt: Date };

export function manifestOf({ baseUrl, version, madeAt }: ManifestFacts): Record<string, unknown> {
  return {
    schema_version: '1',
    generated_at: madeAt.toISOString(),
    source: `Peyk ${version}`,
    base_url: baseUrl,
    authentication: {
      type: 'api-key-and-hash',
      location: 'request.authentication.{key,hash}',
      panel_prerequisite: 'Settings → API: API access is on',
      panel_url: `${baseUrl}/panel/`,
    },
    endpoints: operations.map(one => endpointOf(one, baseUrl, madeAt)),
    webhook: { events: Object.keys(webhooks), reference: `${baseUrl}/docs/api#webhooks` },
    llm_resources: { openapi: `${baseUrl}/openapi.json`, mcp: `${baseUrl}/mcp` },
  };
}

function endpointOf(operation: Operation, baseUrl: string, madeAt: Date) {
  const { name, en, tr, needs, result, request } = operation;
  const path = jsonPath(operation.path);
  const page = (language: string) => `${baseUrl}/docs/api?lang=${language}#${name}`;
  const both = (english: string, turkish: string) => ({ tr: turkish, en: english });
  return {
    slug: name,
    method: 'POST',
    path,
    full_url: `${baseUrl}${path}`,
    base_url: baseUrl,
    auth: 'api-key-and-hash',
    request_shape: `request.{${['authentication', ...(needs ? [needs] : [])].join(', ')}}`,
    response_success_shape: `response.{${['status', ...(result ? [result] : [])].join(', ')}}`,
    error_codes: codesOf(operation),
    notes: tr,
    mcp_tool: name.replaceAll('-', '_'),
    input_schema: usualForm(request),
    summary: both(en, tr),
    title: both(name, name),
    description: both(en, tr),
    doc_url: both(page('en'), page('tr')),
    md_url: both(page('en'), page('tr')),
    last_updated: madeAt.toISOString().slice(0, 10),
  };
}
