// A real call of the public API from the page, as a program would make it: without the session's cookie. Key and hash live in
// the memory of the page only: not in storage, not in the address, gone with the next reload.
export type CallResult = { code: number; ms: number; body: string };

// Kept between the pages of one visit.
export const callMemory = { hash: '' };

/** Throws when the server cannot be reached. */
export async function callApi(
  path: string,
  authentication: { key: string; hash: string },
  request: Record<string, unknown> = {},
): Promise<CallResult> {
  callMemory.hash = authentication.hash;
  const started = performance.now();
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ request: { authentication, ...request } }),
    credentials: 'omit',
  });
  const text = await answer.text();
  return { code: answer.status, ms: performance.now() - started, body: pretty(text) };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
