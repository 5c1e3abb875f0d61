// A carrier that outlives the program: the SMSC simulator in the test's own process. No test kills
// it, so what its phones got is an independent record.
import { type Smsc, type SmscOptions, startSmsc } from '../../../simulators/smsc/main.ts';
import type { Program } from '../program/program.ts';
import { atEndOfFile } from '../run/clear-away.ts';
import { wait } from '../run/wait.ts';
import { CarrierSide } from './carrier-side.ts';

export class OutsideCarrier extends CarrierSide {
  readonly port: number;
  readonly #smsc: Smsc;
  #stopped: Promise<void> | undefined;

  constructor(smsc: Smsc) {
    super(smsc.url);
    this.port = smsc.port;
    this.#smsc = smsc;
    atEndOfFile(() => this.stop());
  }

  /** Adds itself to the program's carriers, or changes the one of that name, and waits until it is bound. */
  async serve(program: Program, name: string, ...settings: string[]): Promise<void> {
    const address = ['--host', '127.0.0.1', '--port', String(this.port), '--system-id', 'peyk', '--password', 'peyk'];
    await program.cli('carrier', 'add', '--name', name, ...address, ...settings);
    await wait(`carrier ${name} to be bound`, async () => (await this.stats()).sessions > 0);
  }

  /** Without HTTP, because thousands of phones are read after each fault. */
  override async copies(numbers: string[]): Promise<Map<string, number>> {
    return new Map(numbers.map(one => [one, this.#smsc.phones.shownOn(`90${one}`).length]));
  }

  async stop(): Promise<void> {
    this.#stopped ??= this.#smsc.stop();
    await this.#stopped;
  }
}

export async function outsideCarrier(options: Partial<SmscOptions> = {}): Promise<OutsideCarrier> {
  return new OutsideCarrier(await startSmsc({ port: 0, httpPort: 0, ...options }));
}
