/*
 * Plans receipts, keeps them for system_ids that are away, and sends them over the binds that may
 * receive. Above 500,000 stored receipts a new one is dropped and counted, as if a real centre's store
 * were full.
 */
import { DelayLines } from './delay-line.ts';
import type { PlannedReceipt } from './fates.ts';
import type { Faults } from './faults.ts';
import type { MessageStates } from './message-states.ts';
import {
  ACCOUNTS_MAX,
  Account,
  RECEIPT_TRIES_MAX,
  RECEIPTS_MAX,
  RETRY_STATUSES,
  type Receipt,
  type Receiver,
  STATE_NUMBERS,
} from './receipts.ts';
import { Waits } from './waits.ts';
import type { Submit } from './wire.ts';

const WINDOW_USUAL = 100;
const WINDOW_FLOOD = 50_000;
const STEP_MS = 5;
const RETRY_MS = 1_000;
/* Far above any id this centre gives, so that it is unknown to every peer. */
const STRAY_ID_BASE = 9_000_000_000_000_000;

export class ReceiptQueue {
  sent = 0;
  acknowledged = 0;
  refused = 0;
  dropped = 0;
  held = 0;
  readonly accounts = new Map<string, Account>();
  readonly #faults: Faults;
  readonly #states: MessageStates;
  readonly #waiting = new DelayLines<Receipt>(
    STEP_MS,
    receipt => this.#ready(receipt),
    () => this.pumpAll(),
  );
  readonly waits = new Waits();
  #usual = WINDOW_USUAL;
  #window = WINDOW_USUAL;
  #strays = 0;

  constructor(faults: Faults, states: MessageStates) {
    this.#faults = faults;
    this.#states = states;
  }

  /* null when there are as many system_ids as the centre keeps receipts for. */
  account(systemId: string): Account | null {
    let account = this.accounts.get(systemId);
    if (account === undefined) {
      if (this.accounts.size >= ACCOUNTS_MAX) return null;
      account = new Account(systemId);
      this.accounts.set(systemId, account);
    }
    return account;
  }

  make(account: Account, submit: Submit, id: number, planned: PlannedReceipt, nowMs: number): Receipt {
    return {
      kind: 'receipt',
      account,
      id,
      source: submit.source,
      sourceTon: submit.sourceTon,
      sourceNpi: submit.sourceNpi,
      destination: submit.destination,
      state: planned.state,
      error: planned.error,
      submittedAtMs: nowMs,
      dueAtMs: 0,
      sentAtMs: 0,
      sentMonotonicMs: 0,
      tries: 0,
    };
  }

  plan(receipt: Receipt, afterMs: number, nowMs: number): void {
    if (!this.#admit()) return;
    this.#waiting.push(receipt, afterMs, nowMs + afterMs, nowMs);
  }

  /* At once and on this very link if it can (then true); otherwise as the next of its account. */
  sendFirst(receipt: Receipt, link: Receiver): boolean {
    if (!this.#admit()) return true;
    this.#states.set(receipt.id, STATE_NUMBERS[receipt.state]);
    if (link.mayReceive && link.unacknowledged < this.#window && !this.#blocked()) {
      this.#send(link, receipt);
      return true;
    }
    receipt.account.ready.unshift(receipt);
    this.pump(receipt.account);
    return false;
  }

  settled(receipt: Receipt, status: number): void {
    if (RETRY_STATUSES.has(status) && receipt.tries < RECEIPT_TRIES_MAX) {
      const nowMs = Date.now();
      this.#waiting.push(receipt, RETRY_MS, nowMs + RETRY_MS, nowMs);
      return;
    }
    this.held--;
    this.waits.add(performance.now() - receipt.sentMonotonicMs);
    if (status === 0) this.acknowledged++;
    else this.refused++;
  }

  /* Unanswered receipts of a link that is gone go to the front, in their old order. */
  takeBack(receipts: readonly Receipt[]): void {
    for (let index = receipts.length - 1; index >= 0; index--) {
      const receipt = receipts[index]!;
      receipt.account.ready.unshift(receipt);
    }
  }

  pumpAll(): void {
    for (const account of this.accounts.values()) this.pump(account);
    if (this.#window === WINDOW_FLOOD && this.#allSent()) this.#window = this.#usual;
  }

  pump(account: Account): void {
    if (account.ready.length === 0 || this.#blocked()) return;
    // A turn is taken only for a receipt that is there: otherwise every round would favour the same links.
    while (account.ready.length > 0) {
      const link = account.nextReceiver(this.#window);
      if (link === undefined) break;
      this.#send(link, account.ready.shift()!);
    }
    for (const link of account.receivers) link.flush();
  }

  /* How many may wait for their acknowledgement on each link. */
  get window(): number {
    return this.#usual;
  }

  set window(size: number) {
    this.#usual = this.#window = size;
    this.waits.forget();
    this.pumpAll();
  }

  flood(): void {
    this.#window = WINDOW_FLOOD;
    this.pumpAll();
  }

  resetCounters(): void {
    this.sent = 0;
    this.acknowledged = 0;
    this.refused = 0;
    this.dropped = 0;
  }

  stop(): void {
    this.#waiting.stop();
  }

  #admit(): boolean {
    if (this.held >= RECEIPTS_MAX) {
      this.dropped++;
      return false;
    }
    this.held++;
    return true;
  }

  #ready(receipt: Receipt): void {
    this.#states.set(receipt.id, STATE_NUMBERS[receipt.state]);
    receipt.account.ready.push(receipt);
  }

  #send(link: Receiver, receipt: Receipt): void {
    receipt.tries++;
    receipt.sentAtMs = Date.now();
    receipt.sentMonotonicMs = performance.now();
    this.sent++;
    if (this.#faults.on['receipt-unknown-id']) link.deliverStray(receipt, String(STRAY_ID_BASE + ++this.#strays));
    link.deliverReceipt(receipt, receipt.id.toString(this.#faults.on['receipt-wrong-base'] ? 16 : 10));
  }

  #blocked(): boolean {
    return this.#faults.on.stall || this.#faults.on['receipt-flood'];
  }

  #allSent(): boolean {
    for (const account of this.accounts.values()) if (account.ready.length > 0) return false;
    return true;
  }
}
