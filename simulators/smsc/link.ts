/*
 * One connection to the message centre: cuts the stream into PDUs, keeps the bind state, answers what needs no decision, and
 * keeps the deliver_sm that wait for their acknowledgement. Everything written during one turn of reading leaves in one write.
 */
import type { Socket } from 'node:net';
import { type Inbound, writeInbound } from './inbound.ts';
import { Outgoing } from './outgoing.ts';
import { type Account, type Receipt, type Receiver, writeReceipt } from './receipts.ts';
import { COMMAND, HEADER_BYTES, PDU_BYTES_MAX, RESPONSE_BIT, Reader, STATUS, Submit } from './wire.ts';

const SEQUENCE_MAX = 0x7fffffff;
const UNSENT_BYTES_MAX = 1_048_576;
const SLOW_READ_PAUSE_MS = 500;
const UNBIND_WAIT_MS = 1_000;
const BIND_ANSWER_BYTES_MAX = 32;
const TAG_INTERFACE_VERSION = 0x0210;
const INTERFACE_VERSION = 0x34;
const NOTHING = Buffer.alloc(0);

export type BindMode = 'receiver' | 'transmitter' | 'transceiver';
export type Delivery = Receipt | Inbound;

/* What a link leaves to the message centre. */
export type Duties = {
  readonly stalled: boolean;
  readonly slowRead: boolean;
  /* PDUs read and left alone while stalled. */
  ignored: number;
  bind(link: Link, mode: BindMode, systemId: string, password: string): number;
  submit(link: Link, sequence: number, command: number, reader: Reader): void;
  query(link: Link, sequence: number, command: number, reader: Reader): void;
  acknowledged(delivery: Delivery, status: number): void;
  turnEnded(link: Link): void;
  closed(link: Link, unacknowledged: Delivery[]): void;
};

const BIND_MODES = new Map<number, BindMode>([
  [COMMAND.bindReceiver, 'receiver'],
  [COMMAND.bindTransmitter, 'transmitter'],
  [COMMAND.bindTransceiver, 'transceiver'],
]);

export class Link implements Receiver {
  readonly message = new Submit();
  account: Account | null = null;
  mode: BindMode | null = null;
  closed = false;
  frozen = false;
  submitsThisTurn = 0;
  heardAtMs = Date.now();
  readonly #socket: Socket;
  readonly #duties: Duties;
  readonly #out = new Outgoing();
  readonly #reader = new Reader();
  #rest: Buffer = NOTHING;
  #sequence = 0;
  #deliveries = new Map<number, Delivery>();

  constructor(socket: Socket, duties: Duties) {
    this.#socket = socket;
    this.#duties = duties;
    socket.setNoDelay(true);
    socket.on('data', chunk => this.#read(chunk));
    socket.on('drain', () => this.frozen || socket.resume());
    socket.on('error', () => this.destroy());
    socket.on('close', () => this.destroy());
  }

  get unacknowledged(): number {
    return this.#deliveries.size;
  }

  get maySubmit(): boolean {
    return this.mode === 'transmitter' || this.mode === 'transceiver';
  }

  get mayReceive(): boolean {
    return this.mode === 'receiver' || this.mode === 'transceiver';
  }

  answer(command: number, status: number, sequence: number): void {
    this.#out.begin(command + RESPONSE_BIT, status, sequence, 0);
    this.#out.end();
  }

  /* submit_sm_resp and data_sm_resp carry the message id when they say yes. */
  answerId(command: number, sequence: number, id: string): void {
    this.#out.begin(command + RESPONSE_BIT, STATUS.ok, sequence, id.length + 1);
    this.#out.text(id);
    this.#out.end();
  }

  answerQuery(sequence: number, id: string, state: number): void {
    this.#out.begin(COMMAND.querySm + RESPONSE_BIT, STATUS.ok, sequence, id.length + 4);
    this.#out.text(id);
    this.#out.octet(0);
    this.#out.octet(state);
    this.#out.octet(0);
    this.#out.end();
  }

  deliverReceipt(receipt: Receipt, id: string): void {
    writeReceipt(this.#out, this.#expect(receipt), receipt, id);
  }

  /* An intermediate receipt whose acknowledgement is not awaited. */
  deliverStray(receipt: Receipt, id: string): void {
    writeReceipt(this.#out, this.#nextSequence(), receipt, id);
  }

  deliverInbound(inbound: Inbound): void {
    writeInbound(this.#out, this.#expect(inbound), inbound);
  }

  /* Deliveries sent before `sentBeforeMs` and still unanswered; they are no longer awaited here. */
  takeOverdue(sentBeforeMs: number): Delivery[] {
    const overdue: Delivery[] = [];
    for (const [sequence, delivery] of this.#deliveries) {
      if (delivery.sentAtMs >= sentBeforeMs) break;
      this.#deliveries.delete(sequence);
      overdue.push(delivery);
    }
    return overdue;
  }

  enquire(): void {
    this.#request(COMMAND.enquireLink);
  }

  unbind(): void {
    this.#request(COMMAND.unbind);
    setTimeout(() => this.destroy(), UNBIND_WAIT_MS).unref();
  }

  sendRaw(octets: Buffer): void {
    this.#out.raw(octets);
    this.flush();
  }

  /* Half-open: the peer sees a connection, but this side is gone. */
  freeze(): void {
    if (this.closed || this.frozen) return;
    this.frozen = true;
    this.#socket.pause();
    this.#handBack();
  }

  destroyIfFrozen(): void {
    if (this.frozen) this.destroy();
  }

  destroy(): void {
    if (this.closed) return;
    this.closed = true;
    this.#socket.destroy();
    this.#handBack();
  }

  flush(): void {
    if (this.closed || this.frozen) return;
    this.#out.take(octets => this.#socket.write(octets));
    if (this.#socket.writableLength === 0) this.#out.reuse();
    else if (this.#socket.writableLength > UNSENT_BYTES_MAX) this.#socket.pause();
  }

  /* Closes once everything written so far has left. */
  #end(): void {
    this.flush();
    this.closed = true;
    this.#socket.destroySoon();
    this.#handBack();
  }

  #handBack(): void {
    const left = [...this.#deliveries.values()];
    this.#deliveries.clear();
    this.#duties.closed(this, left);
  }

  #request(command: number): void {
    this.#out.begin(command, 0, this.#nextSequence(), 0);
    this.#out.end();
    this.flush();
  }

  #nextSequence(): number {
    this.#sequence = this.#sequence === SEQUENCE_MAX ? 1 : this.#sequence + 1;
    return this.#sequence;
  }

  #expect(delivery: Delivery): number {
    const sequence = this.#nextSequence();
    this.#deliveries.set(sequence, delivery);
    return sequence;
  }

  #read(chunk: Buffer): void {
    if (this.closed || this.frozen) return;
    this.heardAtMs = Date.now();
    this.submitsThisTurn = 0;
    this.#rest = this.#cut(this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]));
    this.#duties.turnEnded(this);
    this.flush();
    if (this.#duties.slowRead && !this.closed) {
      this.#socket.pause();
      setTimeout(() => this.#socket.resume(), SLOW_READ_PAUSE_MS).unref();
    }
  }

  #cut(data: Buffer): Buffer {
    let at = 0;
    while (data.length - at >= 4 && !this.closed) {
      const length = data.readUInt32BE(at);
      if (length < HEADER_BYTES || length > PDU_BYTES_MAX) return this.#giveUp();
      if (data.length - at < length) break;
      if (this.#duties.stalled) this.#duties.ignored++;
      else this.#take(data, at, at + length);
      at += length;
    }
    return at === data.length ? NOTHING : data.subarray(at);
  }

  /* After an impossible length the position of the next PDU is unknown. */
  #giveUp(): Buffer {
    this.answer(0, STATUS.invalidCommandLength, 0);
    this.#end();
    return NOTHING;
  }

  #take(data: Buffer, start: number, end: number): void {
    const command = data.readUInt32BE(start + 4);
    const sequence = data.readUInt32BE(start + 12);
    if (command >= RESPONSE_BIT) {
      this.#settle(sequence, data.readUInt32BE(start + 8));
      if (command === COMMAND.unbind + RESPONSE_BIT) this.destroy();
      return;
    }
    this.#serve(command, sequence, this.#reader.open(data, start + HEADER_BYTES, end));
  }

  #serve(command: number, sequence: number, reader: Reader): void {
    switch (command) {
      case COMMAND.submitSm:
      case COMMAND.dataSm:
        this.submitsThisTurn++;
        this.#duties.submit(this, sequence, command, reader);
        break;
      case COMMAND.enquireLink:
        this.answer(command, STATUS.ok, sequence);
        break;
      case COMMAND.unbind:
        this.answer(command, STATUS.ok, sequence);
        this.#end();
        break;
      case COMMAND.querySm:
      case COMMAND.cancelSm:
      case COMMAND.replaceSm:
        this.#duties.query(this, sequence, command, reader);
        break;
      case COMMAND.bindReceiver:
      case COMMAND.bindTransmitter:
      case COMMAND.bindTransceiver:
        this.#bind(command, sequence, reader);
        break;
      case COMMAND.submitMulti:
        this.answer(command, STATUS.invalidCommand, sequence);
        break;
      default:
        this.answer(0, STATUS.invalidCommand, sequence);
    }
  }

  #settle(sequence: number, status: number): void {
    const delivery = this.#deliveries.get(sequence);
    if (delivery === undefined) return;
    this.#deliveries.delete(sequence);
    this.#duties.acknowledged(delivery, status);
  }

  #bind(command: number, sequence: number, reader: Reader): void {
    const status = this.#bindStatus(command, reader);
    if (status === STATUS.ok) this.#answerBind(command, sequence);
    else this.answer(command, status, sequence);
  }

  #bindStatus(command: number, reader: Reader): number {
    const systemId = reader.text();
    const password = reader.text();
    if (reader.broken) return STATUS.invalidCommandLength;
    if (this.mode !== null) return STATUS.alreadyBound;
    return this.#duties.bind(this, BIND_MODES.get(command)!, systemId, password);
  }

  #answerBind(command: number, sequence: number): void {
    this.#out.begin(command + RESPONSE_BIT, STATUS.ok, sequence, BIND_ANSWER_BYTES_MAX);
    this.#out.text('peyk-smsc');
    this.#out.pair(TAG_INTERFACE_VERSION);
    this.#out.pair(1);
    this.#out.octet(INTERFACE_VERSION);
    this.#out.end();
  }
}
