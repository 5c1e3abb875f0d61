// One operation for one item: the envelope, all of its pages, and refusals as errors that say what to do next.
import type { Credentials, Host, Json } from './host.ts';
import type { Operation, Read } from './operations.ts';

const pagesMax = 1_000;

/** An error in the form that n8n shows: a headline, an explanation, and the item. */
export class PeykNodeError extends Error {
  readonly description: string;
  readonly httpCode: string;
  readonly context: { itemIndex: number };

  constructor(code: number, message: string, description: string, itemIndex: number) {
    super(message);
    this.name = 'NodeApiError';
    this.httpCode = String(code);
    this.description = description;
    this.context = { itemIndex };
  }
}

export async function itemsOf(host: Host, operation: Operation, item: number): Promise<Json[]> {
  const found: Json[] = [];
  const all = operation.rowsPerPage !== undefined && host.getNodeParameter('returnAll', item, false) === true;
  for (let page = 1; page <= pagesMax; page++) {
    const read: Read = name => (name === 'page' ? page : host.getNodeParameter(name, item, ''));
    const rows = operation.items(await ask(host, operation, read, item));
    found.push(...rows);
    if (!all || rows.length < operation.rowsPerPage!) break;
  }
  return found;
}

async function ask(host: Host, operation: Operation, read: Read, item: number): Promise<Json> {
  const { baseUrl, key, hash } = (await host.getCredentials('peykApi')) as Credentials;
  const members = operation.members(read);
  const { statusCode, body } = await host.helpers.httpRequest({
    method: 'POST',
    url: `${baseUrl.replace(/\/+$/, '')}/v1/${operation.path}/json`,
    headers: operation.sends ? { 'Idempotency-Key': idempotencyKey(host, read, item, members) } : {},
    body: { request: { authentication: { key, hash }, ...members } },
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  });
  const response = (body as { response?: Json } | null)?.response;
  const status = response?.['status'] as { code: number; message: string } | undefined;
  if (!response || !status)
    throw new PeykNodeError(statusCode, 'The answer is not Peyk’s', 'Check the base URL of the credentials.', item);
  if (status.code === 200) return response;
  const fields = response['errors'] ? ` ${JSON.stringify(response['errors'])}` : '';
  throw new PeykNodeError(
    status.code,
    `${status.code} ${status.message}`,
    `${operation.action} was refused.${fields}`,
    item,
  );
}

/** A retry of n8n sends nothing twice; the same item with another text, as in a loop, is another order. */
function idempotencyKey(host: Host, read: Read, item: number, members: Json): string {
  const given = String(read('idempotencyKey') ?? '');
  return given || `n8n-${host.getExecutionId()}-${host.getNode().id}-${item}-${fingerprint(JSON.stringify(members))}`;
}

/** FNV-1a over 2 × 32 bits: distinguishes texts, but does not hide them. */
function fingerprint(text: string): string {
  const halves = [0x811c9dc5, 0x01000193].map(seed => {
    let hash = seed;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193 + (seed % 7)) >>> 0;
    return hash.toString(16).padStart(8, '0');
  });
  return halves.join('');
}
