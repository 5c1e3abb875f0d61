// The identity step of an application behind one interface: a service to which the applicant's browser is sent and which is
// then asked for its verdict behind the browser's back, or nothing but the eyes of staff.
export type IdentityMethod = 'simulator' | 'manual';
/** `state` comes back with the browser, `nonce` with the verdict: neither can be taken for another's. */
export type Begun = { state: string; nonce: string; returnTo: string };
export type Verdict = { confirmed: boolean; nonce: string; name: string };

export interface IdentityCheck {
  readonly method: IdentityMethod;
  /** Where the applicant goes; null when there is nothing for them to do. */
  begin(begun: Begun): string | null;
  /** What the service says of the token the browser brought; null when it knows none, or has told it before. */
  finish(token: string): Promise<Verdict | null>;
}

const answerMaxMs = 10_000;
const answerMaxBytes = 10_000;
const nameMax = 200;

/** `url`: of the identity service; '' = none, staff look at the documents. */
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
