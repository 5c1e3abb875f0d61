// The program that sequences are done on: the API in this process over a database of its own, the dispatcher's parts, and a
// clock that stands still unless a sequence moves it. Each sequence has two fresh accounts.

import { changeSettings } from '../../src/accounts/settings.ts';
import { addInboundNumber } from '../../src/inbound/numbers.ts';
import { setClock } from '../../src/time/clock.ts';
import type { Reply } from '../support/customers/client.ts';
import { type TestAccount, type TestApp, testApp } from '../support/program/app.ts';
import { closing, type HandCrank, handCrank } from './hand-crank.ts';
import { newWorld, type Who, type World } from './world.ts';

export class Rig {
  readonly app: TestApp;
  readonly crank: HandCrank;
  accounts!: [TestAccount, TestAccount];
  #sequences = 0;

  constructor(app: TestApp, crank: HandCrank) {
    this.app = app;
    this.crank = crank;
  }

  /** Two accounts of their own for a sequence, and the world as it then is. */
  async begin(): Promise<World> {
    this.accounts = [await this.app.open(), await this.app.open()];
    this.#sequences++;
    const numbers = [0, 1].map(who => `90850${String(this.#sequences * 2 + who).padStart(7, '0')}`);
    for (const [who, account] of this.accounts.entries()) {
      await addInboundNumber(this.app.db, account.id, numbers[who]!, '');
      // Pace is another promise, and another test's.
      await changeSettings(this.app.db, account.id, { rate: '1000000' });
    }
    const world = newWorld(numbers as [string, string]);
    this.clockIs(world);
    return world;
  }

  /** What waits of this sequence is sent in none that follows. */
  async end(): Promise<void> {
    for (const { id } of this.accounts) await changeSettings(this.app.db, id, { status: 'suspended' });
  }

  clockIs({ nowMs }: World): void {
    setClock(() => nowMs);
  }

  call(who: Who, operation: string, members: object, headers: Record<string, string> = {}): Promise<Reply> {
    return this.accounts[who].call(operation, members, { headers });
  }

  id(who: Who): number {
    return this.accounts[who].id;
  }
}

export type Rigged = { rig: Rig; stop(): Promise<void> };

export async function startRig(): Promise<Rigged> {
  const restore = setClock(() => Date.now());
  const app = await testApp({ closeAfterMs: closing.afterMs });
  const crank = await handCrank(app.db, app.connection);
  const stop = async () => {
    await crank.stop();
    await app.close();
    restore();
  };
  return { rig: new Rig(app, crank), stop };
}
