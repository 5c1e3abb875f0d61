// The dispatcher's own parts (claimer, pump, router, recorder, handler of reports) with a carrier at the other end of a real SMPP
// connection, turned by hand: a sequence decides when what waits is sent, and when a receipt comes. So what the program
// answers in between is known to the letter.

import { putCarrier } from '../../src/carriers/carriers.ts';
import type { Connection, Db } from '../../src/db/db.ts';
import { silentLog } from '../../src/log.ts';
import { ChunkProgress } from '../../src/queue/chunk-progress.ts';
import { registerDispatcher } from '../../src/queue/dispatcher-lease.ts';
import type { LeaseKeeper } from '../../src/queue/lease-keeper.ts';
import { Inbox } from '../../src/receipts/inbox.ts';
import { Recorder } from '../../src/receipts/recorder.ts';
import { resolveReceipts } from '../../src/receipts/resolve.ts';
import { CarrierReports } from '../../src/sending/carrier-reports.ts';
import { Claimer } from '../../src/sending/claimer.ts';
import { secretKey } from '../../src/sending/dispatch-fixture.ts';
import type { Flight } from '../../src/sending/flight.ts';
import { Router } from '../../src/sending/links/router.ts';
import { SlotLocks } from '../../src/sending/links/slot-locks.ts';
import { Templates } from '../../src/sending/links/submit.ts';
import { noteSubmit } from '../../src/sending/notes.ts';
import { Pump } from '../../src/sending/pump.ts';
import { ScriptedCarrier, type Submit } from '../support/carriers/scripted-carrier.ts';
import { wait } from '../support/run/wait.ts';
import { refusedNumber } from './numbers.ts';
import { isPlain } from './texts.ts';
import { dayMs } from './world.ts';

const invalidDestination = 0x0b;
// Beyond the database's own "now", by which the audit finds what should have been closed.
export const closing = { afterMs: 1_000 * dayMs, slackMs: 0 };
const operatorCode = 'B186';

export type HandCrank = {
  /** Sends what waits; what the carrier was given, number and text, sorted. */
  turn(): Promise<string[]>;
  /** The carrier says of a message how it ended, part by part; false where it never took it. */
  report(orderId: string, place: number, word: string): Promise<boolean>;
  stop(): Promise<void>;
};

type Taken = { submit: Submit; id: string };

export async function handCrank(db: Db, connection: Connection): Promise<HandCrank> {
  const taken = new Map<string, Taken>();
  const carrier = await new ScriptedCarrier().start();
  carrier.onSubmit = submit => {
    const isRefused = `+${submit.number}` === refusedNumber;
    const id = `m${carrier.submits.length}`;
    if (!isRefused) taken.set(id, { submit, id });
    carrier.answer(submit, id, isRefused ? invalidDestination : 0);
  };
  const address = { host: '127.0.0.1', port: String(carrier.port), 'system-id': 'peyk', password: 'peyk' };
  await putCarrier(db, secretKey, 'scripted', { ...address, window: '100' });
  const id = await registerDispatcher(db, 'model');
  // Nobody else could take its leases.
  const lease = { id, mayWrite: () => true, deathAt: null } as unknown as LeaseKeeper;
  let onRecorded = () => {};
  const pump = new Pump();
  const recorder = new Recorder(
    db,
    silentLog,
    () => id,
    () => {
      pump.wake();
      onRecorded();
    },
  );
  const inbox = new Inbox(db, silentLog, () => id, recorder);
  const reports = new CarrierReports(recorder, inbox, db, silentLog);
  const locks = new SlotLocks(connection, silentLog);
  const router = new Router<Flight>({
    db,
    key: secretKey,
    locks,
    log: silentLog,
    events: {
      onAccepted: pump.accepted.bind(pump),
      onRefused: pump.refused.bind(pump),
      onLateAccepted: noteSubmit.bind(null, recorder),
      onLost: pump.lost.bind(pump),
      onRoom: () => pump.wake(),
      onRequest: reports.onRequest.bind(reports),
      onState() {},
      onTrouble() {},
      mayWrite: () => true,
    },
  });
  let claimer: Claimer | null = null;
  pump.connect({
    router,
    recorder,
    progress: new ChunkProgress(null),
    templates: new Templates(operatorCode),
    log: silentLog,
    mayWrite: () => true,
    onNeed: () => claimer?.need(),
    unsureHoldMs: 0,
  });
  await router.reload();
  await wait('the bind', () => router.anyBound());

  const isIdle = async () => {
    const { rowCount } = await db.query(
      `select 1 from chunks c join accounts a on a.id = c.account_id where a.status = 'active' and c.lost < 2 limit 1`,
    );
    return rowCount === 0;
  };

  /** Which submits are whose is known from what was stored, which goes once a message has ended. */
  const partsOf = new Map<string, Taken[]>();
  const noteParts = async () => {
    const { rows } = await db.query(
      `select m.order_id || ' ' || m.id - o.first_message_id as message, array_agg(s.smsc_id order by s.part) as ids
       from submits s join messages m on m.id = s.message_id
       join orders o on o.id = m.order_id and o.account_id = m.account_id group by 1`,
    );
    for (const { message, ids } of rows as { message: string; ids: string[] }[])
      if (!partsOf.has(message))
        partsOf.set(
          message,
          ids.map(one => taken.get(one)!),
        );
  };

  return {
    async turn() {
      const before = carrier.submits.length;
      if (await isIdle()) return [];
      const parts = { db, key: secretKey, log: silentLog, pump, router, recorder, lease };
      claimer = new Claimer({ ...parts, validityMs: dayMs });
      claimer.start();
      for (;;) {
        const stored = new Promise<void>(resolve => {
          onRecorded = resolve;
        });
        if (await isIdle()) break;
        await stored;
      }
      await claimer.stop();
      claimer = null;
      await recorder.drain();
      await noteParts();
      return carrier.submits
        .slice(before)
        .filter(isFirstPart)
        .map(one => `+${one.number} ${textOf(one)}`)
        .sort();
    },
    async report(orderId, place, word) {
      const parts = partsOf.get(`${orderId} ${place}`) ?? [];
      for (const { submit, id } of parts) await carrier.receipt(submit, id, { stat: word });
      await inbox.drain();
      await recorder.drain();
      await resolveReceipts(db, 0, silentLog);
      return parts.length > 0;
    },
    async stop() {
      pump.stop();
      const stopped = router.stop();
      await stopped;
      await recorder.drain();
      await locks.stop();
      await carrier.stop();
    },
  };
}

/** A long text is several submits; the header of each but the first says so. */
function isFirstPart({ pdu }: Submit): boolean {
  const message = pdu.short_message as { udh?: Buffer[] } | undefined;
  return (message?.udh?.[0]?.at(-1) ?? 1) === 1;
}

/** As far as the model foretells it: one part, plain ASCII. */
function textOf({ pdu, text }: Submit): string {
  const message = pdu.short_message as { udh?: Buffer[] } | undefined;
  return message?.udh === undefined && isPlain(text) ? text : '';
}
