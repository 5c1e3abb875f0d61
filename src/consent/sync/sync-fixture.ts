// Shared by the synchronisation tests: an account with a brand, and short queries of its database and a registry simulator. The
// test file starts both, so that the build needs nothing of the tests.
import { openAccount } from '../../accounts/open.ts';
import type { Db } from '../../db/db.ts';
import { silentLog } from '../../log.ts';
import { now } from '../../time/clock.ts';
import { addBrand } from '../brands.ts';
import type { ConsentDraft } from '../record.ts';
import { registerConsents } from '../register.ts';
import { type SyncOptions, syncOnce } from './sync.ts';

export const brand = 7001;

type Stats = {
  requests: Record<string, number>;
  records: number;
  duplicates: number;
  refused: Record<string, number>;
  movements: number;
};
type Stored = {
  recipient: string;
  status: string;
  source: string;
  state: string;
  counts: boolean;
  code: string | null;
  reason: string | null;
  transactionId: string | null;
  requestId: string | null;
  requestIndex: number | null;
  origin: string;
};
type Held = { recipient: string; status: string; movements: number; consentDate: string };

export type Scene = Awaited<ReturnType<typeof createScene>>;

/** Only the client's own pace applies; the simulator's would depend on how tests follow each other. */
export const quickRegistry = { port: 0, ratePerSecond: 0, tokensPerHour: 0, resultDelayMs: 300 };

export async function createScene(
  database: { pool: Db; url: string; close(): Promise<void> },
  registry: { url: string; stop(): Promise<void> },
) {
  const db = database.pool;
  const account = await openAccount(db, 'Deneme');
  await addBrand(db, account.id, brand, null);

  const options: SyncOptions = {
    db,
    log: silentLog,
    pace: { askAfterMs: 100, askAgainMs: 100, pauseMaxMs: 200, quietMs: 0 },
    config: {
      PEYK_REGISTRY_URL: registry.url,
      PEYK_REGISTRY_CODE: '600',
      PEYK_REGISTRY_USER: 'api@example.org',
      PEYK_REGISTRY_PASSWORD: 'parola',
      PEYK_REGISTRY_SYNC_SECONDS: 60,
      PEYK_DATA: '.',
      PEYK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
  };

  async function control<T>(path: string, body?: object): Promise<T> {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${registry.url}/control/${path}`, init);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    return (await answer.json()) as T;
  }

  return {
    db,
    database,
    registry,
    options,
    accountId: account.id,
    control,
    sync: (change: Partial<SyncOptions> = {}) =>
      syncOnce({ ...options, ...change, pace: { ...options.pace, ...change.pace } }),
    stats: () => control<Stats>('stats'),
    held: () => control<Held[]>(`consents?brandCode=${brand}`),
    fault: (kind: string, seconds = 60) => control('fault', { kind, seconds }),
    citizen: (recipient: string, status: string, more: object = {}) =>
      control('citizen', { brandCode: brand, recipient, status, ...more }),
    register: (...drafts: ConsentDraft[]) => registerConsents(db, account.id, brand, drafts, 'api', now()),
    stored: async (): Promise<Stored[]> =>
      (
        await db.query(`select recipient, status, source, sync_state as state, counts, refusal_code as code,
          refusal_text as reason, transaction_id as "transactionId", request_id as "requestId",
          request_index as "requestIndex", origin from consent_records order by id`)
      ).rows,
    /** Why each number may not be written to; 0 means that it may. */
    blocked: async (...numbers: number[]): Promise<number[]> =>
      (await db.query(`select blocked(array[$1::bigint], '{BIREYSEL}', null, $2) as list`, [account.id, numbers]))
        .rows[0].list,
    async close() {
      await registry.stop();
      await database.close();
    },
  };
}

export function draft(recipient: string, change: Partial<ConsentDraft> & { minutesAgo?: number } = {}): ConsentDraft {
  const { minutesAgo = 60, ...rest } = change;
  const consentDate = new Date(Math.floor(now().getTime() / 1000) * 1000 - minutesAgo * 60_000);
  return {
    recipient,
    recipientType: 'BIREYSEL',
    type: 'MESAJ',
    status: 'ONAY',
    source: 'HS_WEB',
    consentDate,
    ...rest,
  };
}

export function numbered(index: number): string {
  return `+90555${String(index).padStart(7, '0')}`;
}
