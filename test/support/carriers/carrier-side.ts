// The phones' side of the SMSC simulator, through its HTTP port: received messages, faults, statistics, replies. It is the
// independent record that the program's own reports are compared with.

type PhoneMessage = { from: string; to: string; text: string; parts: number; receivedAt: string };
type CarrierStats = {
  binds: number;
  bindsRefused: number;
  sessions: number;
  submits: number;
  accepted: number;
  throttled: number;
  delivered: number;
  duplicates: number;
  receiptsSent: number;
  receiptsAcknowledged: number;
  receiptsQueued: number;
  faults: string[];
};

export class CarrierSide {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** Messages on one phone; the number as customers write it (5XXXXXXXXX). */
  phone(number: string): Promise<PhoneMessage[]> {
    return this.#get(`/messages?to=90${number}`);
  }

  /** How many copies each of these phones received. */
  async copies(numbers: string[]): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    const atOnce = 50;
    for (let i = 0; i < numbers.length; i += atOnce)
      await Promise.all(numbers.slice(i, i + atOnce).map(async one => found.set(one, (await this.phone(one)).length)));
    return found;
  }

  stats(): Promise<CarrierStats> {
    return this.#get('/stats');
  }

  fault(kind: string, seconds = 1, more: object = {}): Promise<unknown> {
    return this.#post('/fault', { kind, seconds, ...more });
  }

  write(from: string, to: string, text: string): Promise<unknown> {
    return this.#post('/inbound', { from: `90${from}`, to, text });
  }

  reset(): Promise<unknown> {
    return this.#post('/reset', {});
  }

  async #get<T>(path: string): Promise<T> {
    return (await (await fetch(this.url + path)).json()) as T;
  }

  async #post(path: string, body: object): Promise<unknown> {
    const answer = await fetch(this.url + path, { method: 'POST', body: JSON.stringify(body) });
    const value = (await answer.json()) as unknown;
    if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${JSON.stringify(value)}`);
    return value;
  }
}
