/*
 * Live feed of the page as server-sent events. It checks four times a second how many messages the phones have got and sends
 * the newest of them, so that a load run costs watchers and centre the same few kilobytes as a single message and no submit
 * waits for it.
 */
import type { ServerResponse } from 'node:http';
import type { Phones } from './phones.ts';

const LOOK_MS = 250;
const MESSAGES_PER_LOOK_MAX = 50;
const WATCHERS_MAX = 20;
const UNSENT_BYTES_MAX = 262_144;
const KEEP_ALIVE_LOOKS = 60;

export class Events {
  readonly #phones: Phones;
  readonly #watchers = new Set<ServerResponse>();
  #timer: NodeJS.Timeout | undefined;
  #published = 0;
  #looks = 0;

  constructor(phones: Phones) {
    this.#phones = phones;
  }

  add(watcher: ServerResponse): boolean {
    if (this.#watchers.size >= WATCHERS_MAX) return false;
    watcher.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    watcher.write('retry: 1000\n\n');
    if (this.#watchers.size === 0) this.#start();
    this.#watchers.add(watcher);
    watcher.on('close', () => this.#remove(watcher));
    return true;
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const watcher of this.#watchers) watcher.destroy();
    this.#watchers.clear();
  }

  #start(): void {
    this.#published = this.#phones.delivered;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  #remove(watcher: ServerResponse): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size === 0) clearInterval(this.#timer);
  }

  #look(): void {
    const fresh = this.#phones.delivered - this.#published;
    this.#published = this.#phones.delivered;
    this.#looks++;
    if (fresh < 0) this.#send('event: reset\ndata: {}\n\n');
    else if (fresh > 0) {
      const messages = this.#phones.newest(Math.min(fresh, MESSAGES_PER_LOOK_MAX));
      const skipped = Math.max(0, fresh - messages.length);
      this.#send(`event: messages\ndata: ${JSON.stringify({ messages, skipped })}\n\n`);
    } else if (this.#looks % KEEP_ALIVE_LOOKS === 0) this.#send(': still here\n\n');
  }

  /* A watcher that does not read is disconnected; its page reconnects by itself. */
  #send(event: string): void {
    for (const watcher of this.#watchers) {
      if (watcher.writableLength > UNSENT_BYTES_MAX) watcher.destroy();
      else watcher.write(event);
    }
  }
}
