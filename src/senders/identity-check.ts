// The identity step of an application behind one interface: either an external service that verifies the applicant's browser
// session and is then asked for its verdict server to server, or a manual check by staff.
export type IdentityMethod = 'simulator' | 'manual';
/** The browser returns `state`, the verdict contains `nonce`: neither can be replaced by another's. */
type Begun = { state: string; nonce: string; returnTo: string };
export type Verdict = { confirmed: boolean; nonce: string; name: string };

export interface IdentityCheck {
  readonly method: IdentityMethod;
  /** Where the applicant goes; null if the applicant has nothing to do. */
  begin(begun: Begun): string | null;
  /** The service's verdict for the browser's token; null if the token is unknown or was used before. */
  finish(token: string): Promise<Verdict | null>;
}

const answerMaxMs = 10_000;
const answerMaxBytes = 10_000;
const nameMax = 200;

/** `url`: of the identity service; '' means none, staff check the documents. */
export function createIdentityCheck(url: string): IdentityCheck {
  return url === '' ? manual : simulator(url.replace(/\/+$/, ''));
}

const manual: IdentityCheck = {
  method: 'manual',
  begin: () => null,
  finish: async () => null,
};

function simulator(base: string): IdentityCheck {
  return {
    method: 'simulator',
    begin({ state, nonce, returnTo }) {
      const query = new URLSearchParams({ state, nonce, return: returnTo });
      return `${base}/identity?${query}`;
    },
    async finish(token) {
      const answer = await fetch(`${base}/identity/verdict`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: token }),
        signal: AbortSignal.timeout(answerMaxMs),
        redirect: 'error',
      });
      if (answer.status === 404) return null;
      const text = await answer.text();
      if (!answer.ok || text.length > answerMaxBytes) throw new Error(`the identity service answered ${answer.status}`);
      return readVerdict(JSON.parse(text));
    },
  };
}

function readVerdict(given: unknown): Verdict {
  const { verdict, nonce, name } = (given ?? {}) as Record<string, unknown>;
  if ((verdict !== 'confirmed' && verdict !== 'refused') || typeof nonce !== 'string')
    throw new Error('the identity service answered something else');
  const shown = typeof name === 'string' ? name.replace(/\p{Cc}/gu, ' ').slice(0, nameMax) : '';
  return { confirmed: verdict === 'confirmed', nonce, name: shown };
}
