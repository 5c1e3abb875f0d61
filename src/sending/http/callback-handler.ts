// Receives what carriers over HTTP post: receipts and inbound messages. It runs in every API process. A post is answered with
// 2xx only when its contents are stored, so nothing acknowledged is lost and the carrier repeats the rest. Receipts are handled
// like those over SMPP: in batches, matched by the carrier's id, even if they arrive before the answer that names it.

import { CarrierHistory, type LinkCounts, nothingCounted } from '../../carriers/carrier-history.ts';
import { publishTallies, Tally } from '../../carriers/carrier-tally.ts';
import { type CarrierWithPassword, carriersWithPasswords } from '../../carriers/carriers.ts';
import type { Callback, Inbound } from '../../carriers/http/definition.ts';
import type { Db } from '../../db/db.ts';
import { receiveInboundText } from '../../inbound/receive.ts';
import type { Log } from '../../log.ts';
import { inTime } from '../../loops/in-time.ts';
import { type Loop, startLoop } from '../../loops/loop.ts';
import { Inbox } from '../../receipts/inbox.ts';
import { strayRow } from '../../receipts/inbox-rows.ts';
import { backlogMax, Recorder } from '../../receipts/recorder.ts';
import { isEqualSecret } from '../../sealing/digest.ts';
import type { SecretKey } from '../../sealing/secrets.ts';
import { monotonicMs } from '../../time/clock.ts';
import { CarrierReports, type ReceiptSource } from '../carrier-reports.ts';
import { isGenuine, type Posted } from './callback-check.ts';
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

export class CallbackHandler {
  readonly #db: Db;
  readonly #key: SecretKey;
  readonly #log: Log;
  readonly #recorder: Recorder;
  readonly #inbox: Inbox;
  readonly #reports: CarrierReports;
  readonly #history: CarrierHistory;
  readonly #sources = new Map<number, Source>();
  readonly #publishing: Loop;
  #carriers: Promise<Map<number, CarrierWithPassword>> | undefined;
  #readAtMs = 0;

  constructor(db: Db, key: SecretKey, log: Log) {
    this.#db = db;
    this.#key = key;
    this.#log = log;
    // Owner 0: these batches hold receipts only, belong to no dispatcher, and may be stored twice.
    this.#recorder = new Recorder(
      db,
      log,
      () => 0,
      () => this.#reports.stored(),
    );
    const [owner] = strayRow();
    this.#inbox = new Inbox(db, log, () => owner, this.#recorder);
    this.#reports = new CarrierReports(this.#recorder, this.#inbox, db, log);
    this.#history = new CarrierHistory(db);
    this.#publishing = startLoop('carrier callbacks', log, async () => {
      const sources = [...this.#sources.values()];
      await publishTallies(db, 'words', sources);
      await this.#history.note(sources);
      return publishMs;
    });
  }

  /** Checked before the body is read, so that a request with a wrong path is cheap. */
  async knows(path: CallbackPath): Promise<boolean> {
    return (await this.#carrierOf(path)) !== undefined;
  }

  async receive(path: CallbackPath, posted: Posted): Promise<CallbackReply> {
    const carrier = await this.#carrierOf(path);
    if (!carrier?.definition) return refused(404);
    const { callback, inbound } = carrier.definition;
    const shapes = [path.what === 'inbound' ? undefined : callback, path.what === 'receipts' ? undefined : inbound];
    const wanted = shapes.filter(one => one !== undefined);
    if (wanted.length === 0) return refused(404);
    const values = secretValues(carrier);
    if (!wanted.every(one => isGenuine(one.check, values, posted))) return refused(403);
    if (this.#recorder.backlog + this.#inbox.waiting > backlogMax) return refused(503);
    const read = wanted.map(shape => ({ shape, items: itemsOf(shape, posted.body) }));
    if (read.every(one => one.items === null)) return refused(400);
    const source = this.#sourceOf(carrier);
    const stored = read.flatMap(({ shape, items }) =>
      (items ?? []).map(item => {
        if ('states' in shape) return this.#receipt(source, shape, item);
        return this.#inbound(carrier, shape, item);
      }),
    );
    // Storing goes on; a receipt that the carrier then repeats counts once.
    if ((await inTime(Promise.all(stored), storeMaxMs)) === 'late') return refused(503);
    return wanted[0]!.reply ?? done;
  }

  async stop(): Promise<void> {
    await this.#publishing.stop();
    await this.#inbox.drain();
    await this.#recorder.drain();
  }

  async #carrierOf({ carrierId, secret }: CallbackPath): Promise<CarrierWithPassword | undefined> {
    const carrier = (await this.#known()).get(carrierId);
    return carrier && isEqualSecret(secret, carrier.secrets['callback'] ?? '') ? carrier : undefined;
  }

  #receipt(source: Source, shape: Callback, item: Parameters<typeof saidOf>[1]): Promise<void> {
    return new Promise(resolve => {
      const said = saidOf(shape, item);
      this.#reports.record(source, said, said.number, resolve);
    });
  }

  async #inbound(carrier: CarrierWithPassword, shape: Inbound, item: Parameters<typeof saidOf>[1]): Promise<void> {
    const [from, to, text] = [item.at(shape.from), item.at(shape.to), item.at(shape.text)];
    if (!from || !to || text === undefined) return;
    const id = shape.id === undefined ? '' : (item.at(shape.id) ?? '');
    await receiveInboundText(this.#db, carrier.id, { id, from, to, text });
  }

  #sourceOf(carrier: CarrierWithPassword): Source {
    const known = this.#sources.get(carrier.id);
    if (known) return Object.assign(known, { carrier });
    const made = { carrier, counts: { ...nothingCounted }, words: new Tally(), windowUsed: 0 };
    this.#sources.set(carrier.id, made);
    return made;
  }

  /** Cached for two seconds: carriers change, and a request with a wrong path must not cost a statement. */
  #known(): Promise<Map<number, CarrierWithPassword>> {
    if (this.#carriers && monotonicMs() - this.#readAtMs < cacheMs) return this.#carriers;
    this.#readAtMs = monotonicMs();
    this.#carriers = carriersWithPasswords(this.#db, this.#key).then(
      list => new Map(list.filter(one => one.kind === 'http').map(one => [one.id, one])),
    );
    this.#carriers.catch(error => {
      this.#log.warn({ error: (error as Error).message }, 'carriers not read for a callback');
      this.#carriers = undefined;
    });
    return this.#carriers;
  }
}
