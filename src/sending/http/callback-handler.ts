// Receives what carriers over HTTP post: receipts and inbound messages. It runs in every API process. A post is answered with
// 2xx only when its contents are stored, so nothing acknowledged is lost and the carrier repeats the rest. Receipts are handled
// like those over SMPP: in batches, matched by the carrier's id, even if they arrive before the answer that names it.

import { carrierHistory, type LinkCounts, nothingCounted } from '../../carriers/carrier-history.ts';
import { publishTallies, Tally } from '../../carriers/carrier-tally.ts';
import { type CarrierWithPassword, carriersWithPasswords } from '../../carriers/carriers.ts';
import type { Callback, Inbound } from '../../carriers/http/definition.ts';
import type { Db } from '../../db/db.ts';
import { receiveInboundText } from '../../inbound/receive.ts';
import type { Log } from '../../log.ts';
import { inTime } from '../../loops/in-time.ts';
import { startLoop } from '../../loops/loop.ts';
import { Inbox } from '../../receipts/inbox.ts';
import { strayRow } from '../../receipts/inbox-rows.ts';
import { backlogMax, Recorder } from '../../receipts/recorder.ts';
import { isEqualSecret } from '../../sealing/digest.ts';
import type { SecretKey } from '../../sealing/secrets.ts';
import { monotonicMs } from '../../time/clock.ts';
import { CarrierReports, type ReceiptSource } from '../carrier-reports.ts';
import { isGenuine, type Posted } from './callback-check.ts';
import type { Reading } from './read-answer.ts';
import { itemsOf, saidOf } from './receipt-items.ts';
import { secretValues } from './template.ts';

type CallbackPath = { carrierId: number; secret: string; what: 'receipts' | 'inbound' | null };
type CallbackReply = { status: number; body: string };

const cacheMs = 2_000;
const publishMs = 5_000;
const storeMaxMs = 8_000;
const done: CallbackReply = { status: 200, body: 'OK' };
const refused = (status: number): CallbackReply => ({ status, body: '' });

type Source = ReceiptSource & {
  carrier: CarrierWithPassword;
  counts: LinkCounts;
  windowUsed: number;
};

export type CallbackHandler = ReturnType<typeof startCallbackHandler>;

export function startCallbackHandler(db: Db, key: SecretKey, log: Log) {
  // Owner 0: these batches hold receipts only, belong to no dispatcher, and may be stored twice.
  const recorder: Recorder = new Recorder(
    db,
    log,
    () => 0,
    () => reports.stored(),
  );
  const [owner] = strayRow();
  const inbox = new Inbox(db, log, () => owner, recorder);
  const reports = new CarrierReports(recorder, inbox, db, log);
  const noteHistory = carrierHistory(db);
  const sources = new Map<number, Source>();
  const publishing = startLoop('carrier callbacks', log, async () => {
    await publishTallies(db, 'words', [...sources.values()]);
    await noteHistory([...sources.values()]);
    return publishMs;
  });
  let carriers: Promise<Map<number, CarrierWithPassword>> | undefined;
  let readAtMs = 0;

  /** Cached for two seconds: carriers change, and a request with a wrong path must not cost a statement. */
  function known(): Promise<Map<number, CarrierWithPassword>> {
    if (carriers && monotonicMs() - readAtMs < cacheMs) return carriers;
    readAtMs = monotonicMs();
    carriers = carriersWithPasswords(db, key).then(
      list => new Map(list.filter(one => one.kind === 'http').map(one => [one.id, one])),
    );
    carriers.catch(error => {
      log.warn({ error: (error as Error).message }, 'carriers not read for a callback');
      carriers = undefined;
    });
    return carriers;
  }

  async function carrierOf({ carrierId, secret }: CallbackPath): Promise<CarrierWithPassword | undefined> {
    const carrier = (await known()).get(carrierId);
    return carrier && isEqualSecret(secret, carrier.secrets['callback'] ?? '') ? carrier : undefined;
  }

  function sourceOf(carrier: CarrierWithPassword): Source {
    const before = sources.get(carrier.id) ?? { counts: { ...nothingCounted }, words: new Tally(), windowUsed: 0 };
    const source = Object.assign(before, { carrier });
    sources.set(carrier.id, source);
    return source;
  }

  function receipt(source: Source, shape: Callback, item: Reading): Promise<void> {
    return new Promise(resolve => {
      const said = saidOf(shape, item);
      reports.record(source, said, said.number, resolve);
    });
  }

  async function inbound(carrierId: number, shape: Inbound, item: Reading): Promise<void> {
    const [from, to, text] = [item.at(shape.from), item.at(shape.to), item.at(shape.text)];
    if (!from || !to || text === undefined) return;
    const id = shape.id === undefined ? '' : (item.at(shape.id) ?? '');
    await receiveInboundText(db, carrierId, { id, from, to, text });
  }

  return {
    /** Checked before the body is read, so that a request with a wrong path is cheap. */
    async knows(path: CallbackPath): Promise<boolean> {
      return (await carrierOf(path)) !== undefined;
    },

    async receive(path: CallbackPath, posted: Posted): Promise<CallbackReply> {
      const carrier = await carrierOf(path);
      if (!carrier?.definition) return refused(404);
      const { definition } = carrier;
      const shapes = [
        path.what === 'inbound' ? undefined : definition.callback,
        path.what === 'receipts' ? undefined : definition.inbound,
      ];
      const wanted = shapes.filter(one => one !== undefined);
      if (wanted.length === 0) return refused(404);
      const values = secretValues(carrier);
      if (!wanted.every(one => isGenuine(one.check, values, posted))) return refused(403);
      if (recorder.backlog + inbox.waiting > backlogMax) return refused(503);
      const read = wanted.map(shape => ({ shape, items: itemsOf(shape, posted.body) }));
      if (read.every(one => one.items === null)) return refused(400);
      const source = sourceOf(carrier);
      const stored = read.flatMap(({ shape, items }) =>
        (items ?? []).map(item =>
          'states' in shape ? receipt(source, shape, item) : inbound(carrier.id, shape, item),
        ),
      );
      // Storing goes on; a receipt that the carrier then repeats counts once.
      if ((await inTime(Promise.all(stored), storeMaxMs)) === 'late') return refused(503);
      return wanted[0]!.reply ?? done;
    },

    async stop(): Promise<void> {
      await publishing.stop();
      await inbox.drain();
      await recorder.drain();
    },
  };
}
