// Typed calls to the server: one function for every operation of the contract. If the session has ended, the call waits
// for the sign-in dialog and is repeated once, so nothing that was typed is lost.
import type { Answer, InputOf, OperationName, OutputOf } from '../../src/panel-api/contract/contract.ts';
import { panelHeader } from '../../src/panel-api/contract/facts.ts';
import type { PanelError } from '../../src/panel-api/contract/shapes.ts';
import { inOurs, t } from './text/language.ts';

/** A refusal of the server, with its sentence in both languages and the field it concerns. */
export class Fault extends Error {
  readonly error: PanelError;
  constructor(error: PanelError) {
    super(error.en);
    this.error = error;
  }
}

export class Unreachable extends Error {}

type CallOptions = {
  signal?: AbortSignal /** Do not ask to sign in: the caller deals with it. */;
  quiet?: boolean;
};

export async function call<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  options: CallOptions = {},
): Promise<OutputOf<Name>> {
  const before = signIns;
  const answer = await post<OutputOf<Name>>(name, JSON.stringify(input), options.signal);
  if (answer.ok) return answer.data;
  const ended = answer.error.code === 'signed-out' && !options.quiet && !name.startsWith('session.');
  // The refusal belongs to an older session: another dialog would only repeat the sign-in.
  if (ended && before !== signIns) return call(name, input, options);
  if (ended && (await signInAgain())) return call(name, input, { ...options, quiet: true });
  throw new Fault(answer.error);
}

async function post<T>(name: string, body: string, signal?: AbortSignal): Promise<Answer<T>> {
  const headers = { 'Content-Type': 'application/json', [panelHeader.name]: panelHeader.value };
  try {
    const response = await fetch(`/panel/api/${name}`, {
      method: 'POST',
      headers,
      body,
      signal,
      credentials: 'same-origin',
    });
    return (await response.json()) as Answer<T>;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Unreachable();
  }
}

// The shell shows the dialog (ui/sign-in-again.tsx); callers without a session wait here together.
type Waiting = (signedIn: boolean) => void;
const waiting: Waiting[] = [];
const watchers = new Set<() => void>();
let signIns = 0;

export const isSignInAsked = (): boolean => waiting.length > 0;

export function onSignInAsked(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function signInAgain(): Promise<boolean> {
  return new Promise(resolve => {
    waiting.push(resolve);
    for (const watcher of watchers) watcher();
  });
}

export function finishSignIn(signedIn: boolean): void {
  if (signedIn) signIns++;
  for (const resolve of waiting.splice(0)) resolve(signedIn);
  for (const watcher of watchers) watcher();
}

/** The sentence for a person about any error. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Fault) return inOurs(error.error);
  if (error instanceof Unreachable) return t.load.unreachable;
  return t.load.broken;
}

export function faultOf(error: unknown): PanelError | null {
  return error instanceof Fault ? error.error : null;
}

/** An idempotency key of a request. crypto.randomUUID exists only on https and localhost, and a panel may be on neither. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');
}
