/*
 * What happens to a submitted message: its outcome, its id, its phone, its receipts, its answer. Every message takes this path,
 * so it allocates one receipt and one stored message and no timer; one process takes well over 50,000 a second, so load tests
 * never measure it.
 */
import { DelayLines } from './delay-line.ts';
import { type Fate, fateOf, type PlannedReceipt } from './fates.ts';
import type { Faults } from './faults.ts';
import type { Link } from './link.ts';
import { MessageStates } from './message-states.ts';
import { attemptKey, Phones } from './phones.ts';
import { ReceiptQueue } from './receipt-queue.ts';
import { STATE_NUMBERS } from './receipts.ts';
import { COMMAND, type Reader, readData, readSubmit, STATUS, type Submit } from './wire.ts';

const ATTEMPTS_MAX = 100_000;
const HELD_ANSWERS_MAX = 100_000;
const ANSWER_STEP_MS = 1;
const OVERTAKEN_ANSWER_MS = 100;
/* The line of answers that wait for the end of the fault rather than for a time of their own. */
const UNTIL_FAULT_ENDS = -1;

const RECEIPT_NONE = 0;
const RECEIPT_FAILURES_ONLY = 2;
const FAILURES: ReadonlySet<string> = new Set(['UNDELIV', 'EXPIRED', 'REJECTD']);

type HeldAnswer = { link: Link; command: number; sequence: number; status: number; id: string; dueAtMs: number };

export class Intake {
  readonly phones: Phones;
  readonly receipts: ReceiptQueue;
  lateByMs = 0;
  readonly #faults: Faults;
  readonly #answerDelayMs: number;
  readonly #states = new MessageStates();
  readonly #attempts = new Map<string, number>();
  readonly #touched = new Set<Link>();
  readonly #held = new DelayLines<HeldAnswer>(
    ANSWER_STEP_MS,
    held => this.#answerHeld(held),
    () => this.#flushTouched(),
  );
  /* Seconds since 1970 times a million: ids of different runs never collide. */
  readonly #firstId = Math.floor(Date.now() / 1000) * 1_000_000;
  #nextId = this.#firstId;
  #second = 0;
  #inSecond = 0;
  counts = noCounts();

  constructor(faults: Faults, answerDelayMs: number, messagesMax?: number) {
    this.#faults = faults;
    this.#answerDelayMs = answerDelayMs;
    this.phones = new Phones(messagesMax);
    this.receipts = new ReceiptQueue(faults, this.#states);
  }

  submit(link: Link, sequence: number, command: number, reader: Reader): void {
    const nowMs = link.heardAtMs;
    const submit = link.message;
    this.#countSubmit(nowMs);
    const unreadable = read(link, command, reader);
    const fate = fateOf(submit.destination);
    const refusal = unreadable || this.#refusal(link, submit, fate);
    if (refusal !== STATUS.ok) {
      if (refusal === STATUS.throttled) this.counts.throttled++;
      else this.counts.refused++;
      this.#answer({ link, command, sequence, status: refusal, id: '', dueAtMs: 0 }, nowMs);
      return;
    }
    const id = this.#nextId++;
    this.counts.accepted++;
    if (fate.shown) this.phones.receive(submit, nowMs);
    const overtaken = this.#planReceipts(link, submit, id, fate, nowMs);
    if (this.#faults.on['accept-then-drop']) return;
    const answer = { link, command, sequence, status: STATUS.ok, id: String(id), dueAtMs: 0 };
    if (overtaken) this.#hold(answer, OVERTAKEN_ANSWER_MS, nowMs);
    else this.#answer(answer, nowMs);
  }

  /* Messages reach their phone at once here, so none is left to cancel or to replace. */
  query(link: Link, sequence: number, command: number, reader: Reader): void {
    if (link.account === null) {
      link.answer(command, STATUS.wrongBindState, sequence);
      return;
    }
    if (command === COMMAND.cancelSm) {
      link.answer(command, STATUS.cancelFailed, sequence);
      return;
    }
    if (command === COMMAND.replaceSm) {
      link.answer(command, STATUS.replaceFailed, sequence);
      return;
    }
    const id = reader.text();
    const state = this.#states.get(Number(id));
    if (state === 0) {
      link.answer(command, STATUS.queryFailed, sequence);
      return;
    }
    link.answerQuery(sequence, id, state);
  }

  restartIds(): void {
    this.#nextId = this.#firstId;
  }

  releaseAnswers(): void {
    this.#held.releaseAll();
  }

  reset(): void {
    this.phones.clear();
    this.#attempts.clear();
    this.receipts.resetCounters();
    this.counts = noCounts();
  }

  stop(): void {
    this.#held.stop();
    this.receipts.stop();
  }

  #refusal(link: Link, submit: Submit, fate: Fate): number {
    if (this.#faults.on.throttle) return STATUS.throttled;
    if (this.#faults.on['window-1'] && link.submitsThisTurn > 1) return STATUS.throttled;
    if (fate.refusal === null) return STATUS.ok;
    if (fate.refusal.attempts === Number.POSITIVE_INFINITY) return fate.refusal.status;
    const key = attemptKey(submit);
    const attempts = this.#attempts.get(key) ?? 0;
    this.#attempts.delete(key);
    if (attempts >= fate.refusal.attempts) return STATUS.ok;
    this.#attempts.set(key, attempts + 1);
    if (this.#attempts.size > ATTEMPTS_MAX) this.#attempts.delete(this.#attempts.keys().next().value!);
    return fate.refusal.status;
  }

  /* True if a receipt left before the answer over another link, so that the answer has to wait a little. */
  #planReceipts(link: Link, submit: Submit, id: number, fate: Fate, nowMs: number): boolean {
    const account = link.account!;
    let overtaken = false;
    let planned = 0;
    for (const plan of fate.receipts) {
      if (!isWanted(submit.registeredDelivery, plan)) continue;
      planned++;
      const receipt = this.receipts.make(account, submit, id, plan, nowMs);
      if (!fate.receiptBeforeAnswer) this.receipts.plan(receipt, plan.afterMs, nowMs);
      else overtaken = !this.receipts.sendFirst(receipt, link) && account.receivers.length > 0;
    }
    if (fate.receiptBeforeAnswer && planned > 0) return overtaken;
    const last = fate.receipts.at(-1)?.state ?? 'DELIVRD';
    this.#states.set(id, STATE_NUMBERS[planned > 0 ? 'ENROUTE' : last]);
    return false;
  }

  #answer(answer: HeldAnswer, nowMs: number): void {
    if (this.#faults.on['answer-late']) {
      if (this.lateByMs > 0) {
        this.#hold(answer, this.lateByMs, nowMs);
        return;
      }
      this.#hold(answer, UNTIL_FAULT_ENDS, nowMs, this.#faults.endsAtMs('answer-late'));
      return;
    }
    if (this.#answerDelayMs > 0) {
      this.#hold(answer, this.#answerDelayMs, nowMs);
      return;
    }
    write(answer);
  }

  #hold(answer: HeldAnswer, line: number, nowMs: number, dueAtMs = nowMs + line): void {
    if (this.#held.length >= HELD_ANSWERS_MAX) {
      write(answer);
      return;
    }
    this.#held.push(answer, line, dueAtMs, nowMs);
  }

  #answerHeld(answer: HeldAnswer): void {
    if (answer.link.closed || answer.link.frozen) return;
    write(answer);
    this.#touched.add(answer.link);
  }

  #flushTouched(): void {
    for (const link of this.#touched) link.flush();
    this.#touched.clear();
  }

  #countSubmit(nowMs: number): void {
    this.counts.submits++;
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#inSecond = 0;
    }
    this.#inSecond++;
    if (this.#inSecond > this.counts.peakPerSecond) this.counts.peakPerSecond = this.#inSecond;
  }
}

function noCounts() {
  return { submits: 0, accepted: 0, refused: 0, throttled: 0, peakPerSecond: 0 };
}

function read(link: Link, command: number, reader: Reader): number {
  if (link.account === null || !link.maySubmit) return STATUS.wrongBindState;
  return command === COMMAND.submitSm ? readSubmit(reader, link.message) : readData(reader, link.message);
}

/* The two low bits of registered_delivery; the value 3 is reserved in SMPP 3.4 and taken as "all". */
function isWanted(registeredDelivery: number, plan: PlannedReceipt): boolean {
  const wanted = registeredDelivery & 0x03;
  if (wanted === RECEIPT_NONE) return false;
  return wanted !== RECEIPT_FAILURES_ONLY || FAILURES.has(plan.state);
}

function write(answer: HeldAnswer): void {
  if (answer.status === STATUS.ok) answer.link.answerId(answer.command, answer.sequence, answer.id);
  else answer.link.answer(answer.command, answer.status, answer.sequence);
}
