// The first webhook address of an account, for tests that need only one.
import type { Queryable } from '../../../src/db/db.ts';
import type { SecretKey } from '../../../src/sealing/secrets.ts';
import { type EndpointState, endpointStates } from '../../../src/webhooks/endpoint-state.ts';
import { endpointSecret, rotateSecret } from '../../../src/webhooks/endpoints.ts';

export async function firstState(db: Queryable, accountId: number): Promise<EndpointState | null> {
  return (await endpointStates(db, accountId))[0] ?? null;
}

export function firstSecret(db: Queryable, key: SecretKey, accountId: number, rotate = false): Promise<string> {
  return (rotate ? rotateSecret : endpointSecret)(db, key, accountId, 1);
}
