// The signature headers of a webhook. The time is signed together with the body, so that a recorded call cannot be replayed
// later; while a secret is being replaced both sign, so that the receiver may switch at any moment.
import { createHmac } from 'node:crypto';

/** `v1=<hex>`, one value per secret, separated by a comma; the current secret first. */
export function signatureHeader(secrets: readonly string[], timestampSeconds: number, body: string): string {
  return secrets.map(secret => `v1=${signature(secret, timestampSeconds, body)}`).join(',');
}

function signature(secret: string, timestampSeconds: number, body: string): string {
  return createHmac('sha256', secret).update(`${timestampSeconds}.${body}`).digest('hex');
}

/** The Standard Webhooks form, for libraries that know only that: their secret is ours in base64. */
export function standardSignature(
  secrets: readonly (string | Buffer)[],
  id: string,
  timestampSeconds: number,
  body: string,
): string {
  const said = `${id}.${timestampSeconds}.${body}`;
  return secrets.map(secret => `v1,${createHmac('sha256', secret).update(said).digest('base64')}`).join(' ');
}
