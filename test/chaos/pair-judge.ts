// Compares reports with the carriers' logs, message by message. Text and number identify a message.
import type { Db } from '../../src/db/db.ts';
import type { RecordingCarrier, Taken } from '../support/carriers/recording-carrier.ts';
import type { Pair } from './pairs.ts';

type Row = { text: string; number: string; lane: number; status: number; reason: number };
export type Verdict = {
  /** Errors by pair. */
  findings: Map<number, string[]>;
  messages: number;
  /** Messages that ended as "outcome unknown" or "no receipt": delivered or not. */
  unknown: number;
  /** Those of them that no carrier ever got, by kind and reason. */
  neverWritten: Record<string, number>;
  /** The same by pair. */
  neverWrittenIn: Map<number, number>;
  twice: number;
};

const delivered = 111;
const undelivered = 112;
const open = 110;
const mayBeEither = [14, 15];
const neverSent = [14, 15, 18];
const copiesMost = { transactional: 2, campaign: 1 };

/** Reads `P17 k` from a sent text, which ends with the operator code. */
export function tokenOf(text: string): { pair: number; token: string } | null {
  const found = /^P(\d+) (\w+)/.exec(text);
  return found ? { pair: Number(found[1]), token: found[2]! } : null;
}

const keyOf = (text: string, number: string) => `${text} ${number}`;

function copiesIn(carriers: RecordingCarrier[]): Map<string, Taken[]> {
  const found = new Map<string, Taken[]>();
  for (const taken of carriers.flatMap(one => one.log)) {
    const of = tokenOf(taken.text);
    if (!of) continue;
    const key = keyOf(`P${of.pair} ${of.token}`, taken.number);
    found.set(key, [...(found.get(key) ?? []), taken]);
  }
  return found;
}

export async function storedMessages(db: Db, where = ''): Promise<Row[]> {
  const { rows } = await db.query(
    `select o.text, m.number::text as number, o.lane, m.status, m.reason from messages m join orders o on o.id = m.order_id
     where o.text like 'P%' ${where}`,
  );
  return rows as Row[];
}

/** The carrier answered and sends no receipt: the message waits, as it should. */
function waitsRightly(copies: Taken[] = []): boolean {
  return copies.some(one => one.answered && one.plan.fate === 'swallowed');
}

/** Messages that have not ended although they should. */
export async function unended(db: Db, carriers: RecordingCarrier[]): Promise<string[]> {
  const waiting = await storedMessages(db, `and m.status = ${open}`);
  if (waiting.length > 200) return waiting.map(one => one.text);
  const copies = copiesIn(carriers);
  return waiting.map(one => keyOf(one.text, one.number)).filter(key => !waitsRightly(copies.get(key)));
}

export function judge(pairs: Pair[], rows: Row[], carriers: RecordingCarrier[]): Verdict {
  const copies = copiesIn(carriers);
  const verdict: Verdict = {
    findings: new Map(),
    messages: rows.length,
    unknown: 0,
    neverWritten: {},
    neverWrittenIn: new Map(),
    twice: 0,
  };
  const found = (text: string, what: string) => {
    const { pair } = tokenOf(text)!;
    verdict.findings.set(pair, [...(verdict.findings.get(pair) ?? []), what]);
  };
  const stored = new Set<string>();
  for (const row of rows) {
    const key = keyOf(row.text, row.number);
    if (stored.has(key)) found(row.text, `${key}: stored twice`);
    stored.add(key);
    const wrong = judgeOne(row, copies.get(key) ?? [], verdict);
    if (wrong)
      found(row.text, `${key}: ${wrong}, reported ${row.status}/${row.reason}; ${copiesOf(copies.get(key) ?? [])}`);
  }
  for (const { no, accepted } of pairs)
    for (const { token, numbers } of accepted)
      for (const number of numbers)
        if (!stored.has(keyOf(`P${no} ${token}`, `90${number}`))) found(`P${no} ${token}`, `${token} ${number}: lost`);
  return verdict;
}

function judgeOne({ text, lane, status, reason }: Row, copies: Taken[], verdict: Verdict): string | null {
  const reached = copies.some(one => one.plan.fate === 'delivered');
  if (copies.length > 1) verdict.twice++;
  if (status === undelivered && mayBeEither.includes(reason)) verdict.unknown++;
  if (status === undelivered && neverSent.includes(reason) && copies.length === 0) {
    const { pair, token } = tokenOf(text)!;
    const kind = `${token[0]} ${reason}`;
    verdict.neverWritten[kind] = (verdict.neverWritten[kind] ?? 0) + 1;
    verdict.neverWrittenIn.set(pair, (verdict.neverWrittenIn.get(pair) ?? 0) + 1);
  }
  if (copies.length > (lane === 1 ? copiesMost.campaign : copiesMost.transactional))
    return `${copies.length} on the air`;
  if (status === delivered && !reached) return 'false delivered';
  if (status === undelivered && reached && !mayBeEither.includes(reason)) return 'false undelivered';
  if (status === open && !waitsRightly(copies)) return 'never ended';
  return null;
}

function copiesOf(copies: Taken[]): string {
  return copies
    .map(one => {
      const { plan, atMs, answered, receiptsSent, receiptsAcknowledged } = one;
      const receipts = `${receiptsAcknowledged}/${receiptsSent} receipts from ${plan.receiptMs.toFixed(0)} ms`;
      return `copy ${plan.id} at ${(atMs / 1_000).toFixed(2)} s ${plan.fate} ${answered ? 'answered' : 'unanswered'} ${receipts}`;
    })
    .join(' | ');
}
