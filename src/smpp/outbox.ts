// Collects outgoing PDUs in one buffer and writes it to the socket once per turn of the event loop: one system call carries a
// whole window of PDUs, while a write per PDU costs about ten times as much. The buffer is reused after the socket has written
// it, so steady traffic allocates nothing here.
import type { Socket } from 'node:net';
import { encodeBody, headerBytes, writeHeader } from './codec.ts';
import type { FieldsOf, ResponseName } from './pdus.ts';
import { isResponseId, pdus } from './pdus.ts';
import type { Tlv } from './tlv.ts';

const { submit_sm, submit_sm_resp, deliver_sm_resp, data_sm_resp } = pdus;
/** Answers whose body is just a message id: written without the table. */
const idAnswers = new Set([submit_sm_resp.id, deliver_sm_resp.id, data_sm_resp.id]);

/** One write: 64 kB hold about 400 submits of one part. */
const bufferBytes = 65_536;
/** Buffers kept for reuse; a flush is usually taken over by the kernel at once, so two serve steady traffic. */
const spareMax = 4;
/** Answers must be queued even if the socket takes no more. A peer that leaves 4 MB of them (200,000 answers) unread is closed. */
const unsentBytesMax = 4 * 1024 * 1024;

export class Outbox {
  readonly #socket: Socket;
  readonly #onOverflow: () => void;
  readonly #mayWrite: () => boolean;
  readonly #onForbidden: () => void;
  readonly #spare: Buffer[] = [];
  #buffer: Buffer = Buffer.allocUnsafeSlow(bufferBytes);
  #used = 0;
  #scheduled = false;
  #blocked = false;
  #closed = false;
  #submits = 0;
  /** How many of the newest requests were never given to the socket. */
  unwritten = 0;

  /** `mayWrite` is asked right before collected submits go to the socket; if it says no, none of them does, and `onForbidden` is called. */
  constructor(
    socket: Socket,
    on: { drain(): void; overflow(): void; forbidden(): void },
    mayWrite: () => boolean = () => true,
  ) {
    this.#socket = socket;
    this.#mayWrite = mayWrite;
    this.#onForbidden = on.forbidden;
    this.#onOverflow = on.overflow;
    socket.on('drain', () => {
      this.#blocked = false;
      on.drain();
    });
  }

  /** True from a write that the socket could not take at once until it has drained. */
  get blocked(): boolean {
    return this.#blocked;
  }

  put(commandId: number, status: number, sequence: number, body: Buffer): void {
    const bytes = headerBytes + body.length;
    const to = this.#reserve(bytes);
    if (!isResponseId(commandId)) this.unwritten++;
    if (commandId === submit_sm.id) this.#submits++;
    writeHeader(this.#buffer, to, bytes, commandId, status, sequence);
    this.#buffer.set(body, to + headerBytes);
  }

  /** A PDU without a body. */
  putHeader(commandId: number, status: number, sequence: number): void {
    const to = this.#reserve(headerBytes);
    writeHeader(this.#buffer, to, headerBytes, commandId, status, sequence);
  }

  /** A PDU whose body is one C-octet string: the answers of submit_sm, deliver_sm and data_sm. */
  putText(commandId: number, status: number, sequence: number, text: string): void {
    const bytes = headerBytes + text.length + 1;
    const to = this.#reserve(bytes);
    const buffer = this.#buffer;
    writeHeader(buffer, to, bytes, commandId, status, sequence);
    if (text.length > 0) buffer.write(text, to + headerBytes, 'latin1');
    buffer[to + bytes - 1] = 0;
  }

  /** Without fields and TLVs an error answer has no body, as the standard asks. */
  putAnswer<C extends ResponseName>(
    command: C,
    withStatus: number,
    sequence: number,
    fields: Partial<FieldsOf<C>> | undefined,
    tlvs: readonly Tlv[],
  ): void {
    const { id } = pdus[command];
    const messageId = (fields as { messageId?: string } | undefined)?.messageId ?? '';
    if (withStatus !== 0 && fields === undefined && tlvs.length === 0) this.putHeader(id, withStatus, sequence);
    else if (idAnswers.has(id) && tlvs.length === 0 && messageId.length < 65) {
      this.putText(id, withStatus, sequence, messageId);
    } else this.put(id, withStatus, sequence, encodeBody(command, fields ?? {}, tlvs));
  }

  /** Writes the collected octets to the socket now. */
  flush(): void {
    this.#scheduled = false;
    // After the peer's end the socket takes nothing more: what is collected was never written.
    if (this.#closed || !this.#socket.writable) this.#used = 0;
    if (this.#used === 0) return;
    if (this.#submits > 0 && !this.#mayWrite()) return this.#onForbidden();
    this.unwritten = this.#submits = 0;
    const full = this.#buffer;
    const used = this.#used;
    this.#buffer = this.#spare.pop() ?? Buffer.allocUnsafeSlow(bufferBytes);
    this.#used = 0;
    const taken = this.#socket.write(full.subarray(0, used), () => this.#takeBack(full));
    // write() answers false for any write over the high-water mark, even one the kernel took whole at once.
    if (!taken && this.#socket.writableLength > 0) this.#blocked = true;
    if (this.#socket.writableLength > unsentBytesMax) this.#onOverflow();
  }

  /** Writes nothing from now on. */
  close(): void {
    this.#closed = true;
    this.#used = 0;
  }

  #reserve(bytes: number): number {
    if (this.#used + bytes > this.#buffer.length) {
      this.flush();
      if (bytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(bytes);
    }
    const to = this.#used;
    this.#used = to + bytes;
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.flush());
    }
    return to;
  }

  #takeBack(buffer: Buffer): void {
    if (buffer.length === bufferBytes && this.#spare.length < spareMax) this.#spare.push(buffer);
  }
}
