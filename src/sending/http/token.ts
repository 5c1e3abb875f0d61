// The access token of a carrier that needs one: requested when needed, and cached for as long as the definition says.

import type { CarrierWithPassword } from '../../carriers/carriers.ts';
import type { HttpClient } from '../../http-client/http-client.ts';
import { monotonicMs } from '../../time/clock.ts';
import { readAs } from './read-answer.ts';
import { makeRequest } from './request.ts';
import { secretValues } from './template.ts';

/** The carrier answered and refused; the next attempt should wait. */
export class TokenRefused extends Error {}

export class Token {
  readonly #carrier: CarrierWithPassword;
  readonly #client: HttpClient;
  #cached: { token: string; untilMs: number } | null = null;

  constructor(carrier: CarrierWithPassword, client: HttpClient) {
    this.#carrier = carrier;
    this.#client = client;
  }

  /** '' if the carrier has no tokens; null if one must be requested first. */
  get current(): string | null {
    if (this.#carrier.definition?.auth.kind !== 'token') return '';
    return this.#cached && this.#cached.untilMs > monotonicMs() ? this.#cached.token : null;
  }

  forget(): void {
    this.#cached = null;
  }

  async ask(): Promise<string> {
    const { current } = this;
    if (current !== null) return current;
    const auth = this.#carrier.definition!.auth;
    if (auth.kind !== 'token') return '';
    const values = secretValues(this.#carrier);
    const { failure, status, body } = await this.#client.ask(makeRequest(auth.request, { kind: 'none' }, values));
    if (failure) throw new Error(`no token: ${failure.text}`);
    const token = status < 300 ? readAs('json', body.toString()).at(auth.token) : undefined;
    if (!token) throw new TokenRefused(`no token: HTTP ${status}`);
    this.#cached = { token, untilMs: monotonicMs() + auth.seconds * 1_000 };
    return token;
  }
}
