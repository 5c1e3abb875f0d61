// The token of a carrier that wants one: asked for when it is needed, kept for as long as the definition says, once for all who
// wait for it.

import type { CarrierWithPassword } from '../../carriers/carriers.ts';
import { monotonicMs } from '../../time/clock.ts';
import type { Peer } from './exchange.ts';
import { readAs } from './read-answer.ts';
import { makeRequest } from './request.ts';
import { secretValues } from './template.ts';

/** Whoever is there said no: asking again soon would be noise. */
export class TokenRefused extends Error {}

export class Token {
  readonly #carrier: CarrierWithPassword;
  readonly #peer: Peer;
  #kept: { token: string; untilMs: number } | null = null;

  constructor(carrier: CarrierWithPassword, peer: Peer) {
    this.#carrier = carrier;
    this.#peer = peer;
  }

  /** '' where none is wanted; null when it must be asked for first. */
  get current(): string | null {
    if (this.#carrier.definition?.auth.kind !== 'token') return '';
    return this.#kept && this.#kept.untilMs > monotonicMs() ? this.#kept.token : null;
  }

  forget(): void {
    this.#kept = null;
  }

  async ask(): Promise<string> {
    const { current } = this;
    if (current !== null) return current;
    const auth = this.#carrier.definition!.auth;
    if (auth.kind !== 'token') return '';
    const values = secretValues(this.#carrier);
    const outcome = await this.#peer.ask(makeRequest(auth.request, { kind: 'none' }, values));
    if (outcome.kind !== 'answer') throw new Error(`no token: ${outcome.error}`);
    const token = outcome.status < 300 ? readAs('json', outcome.body).at(auth.token) : undefined;
    if (!token) throw new TokenRefused(`no token: HTTP ${outcome.status}`);
    this.#kept = { token, untilMs: monotonicMs() + auth.seconds * 1_000 };
    return token;
  }
}
