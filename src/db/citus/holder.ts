// Finds the server that has a distributed schema, and prepares it (prepare.ts). The coordinator is asked once a second, so that connections
// which only wait or read follow a moved schema too. While it does not answer, its last answer is used: the servers work without it.
import type { Place } from '../../settings/database-places.ts';
import type pg from '../driver.ts';
import type { Finder } from '../primary.ts';
import { ask } from '../probe.ts';
import type { Coordinator, Holding } from './coordinator.ts';
import { dropPrepared, prepare } from './prepare.ts';

const lookMs = 1_000;

export class Holder implements Finder {
  readonly coordinator: Coordinator;
  readonly #schema: string;
  readonly #config: pg.ClientConfig;
  readonly #listeners = new Set<(place: Place) => void>();
  #known: Place | undefined;
  #last: Place | undefined;
  #looking: Promise<Place | undefined> | undefined;
  #trouble: Error | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `config`: for connections to the server that has the schema. */
  constructor(coordinator: Coordinator, schema: string, config: pg.ClientConfig) {
    this.coordinator = coordinator;
    this.#schema = schema;
    this.#config = config;
  }

  async find(): Promise<Place | undefined> {
    const place = this.#known ?? (await this.look());
    if (!place && this.#trouble) throw this.#trouble;
    return place;
  }

  look(): Promise<Place | undefined> {
    this.#looking ??= this.#look()
      .catch((error: Error) => {
        this.#trouble = error;
        return undefined;
      })
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  forget(place: Place): void {
    if (this.#known === place) this.#known = undefined;
  }

  /** After a migration. */
  async prepareAgain(): Promise<void> {
    await prepare(this.#order(await this.coordinator.holding(this.#schema)));
  }

  /** Before a migration that stops all nodes. `whole`: for good, with the sequences. */
  async dropPrepared(whole = false): Promise<void> {
    await dropPrepared(this.#order(await this.coordinator.holding(this.#schema)), whole);
  }

  #order(holding: Holding) {
    return { coordinator: this.coordinator, schema: this.#schema, config: this.#config, holding };
  }

  onMoved(listener: (place: Place) => void): () => void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => void this.#follow(), lookMs).unref();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  async #look(): Promise<Place | undefined> {
    const holding = await this.coordinator.holding(this.#schema).catch(error => {
      if (this.#last) return this.#last;
      throw error;
    });
    if (!same(holding, this.#last)) await this.#settle(holding as Holding);
    const { row, heldUp } = await ask(this.#config, 'select 1', this.#last);
    this.#trouble = undefined;
    this.#known = row || heldUp ? this.#last : undefined;
    return this.#known;
  }

  async #settle(holding: Holding): Promise<void> {
    await prepare(this.#order(holding));
    this.#last = { host: holding.host, port: holding.port };
    for (const listener of this.#listeners) listener(this.#last);
  }

  async #follow(): Promise<void> {
    if (!this.#last || this.#looking) return;
    const holding = await this.coordinator.holding(this.#schema).catch(() => undefined);
    if (holding && !same(holding, this.#last)) await this.look();
  }
}

function same(one: Place, other: Place | undefined): boolean {
  return one.host === other?.host && one.port === other.port;
}
