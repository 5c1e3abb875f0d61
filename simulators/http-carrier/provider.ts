// What the simulator must know of a provider: how it reads a submit, what it answers, how it reports. The formats come from the
// providers' public documents; nothing here is shared with the program.

export type Call = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: string;
};
/** `ownId`: the caller's id; `callback`: where it wants the receipt, if the request can say so. */
export type Submit = { to: string; from: string; text: string; ownId?: string; callback?: string };
export type Reply = { status: number; body: string; type?: string };
/** A receipt: `state` is delivered, undelivered or expired. */
export type Report = { id: string; ownId: string; to: string; state: ReportState };
/** A message from a phone. */
type FromPhone = { id: number; from: string; to: string; text: string };
export type ReportState = 'waiting' | 'delivered' | 'undelivered' | 'expired';
export type Post = { body: string; type: string; headers?: Record<string, string> };
export type Refusal = 'slow' | 'busy' | 'number' | 'sender' | 'account';
export type Login = { user: string; password: string };

/** `id` null: refused. */
export type Result = { submit: Submit; id: string | null; refusal: Refusal | null };

export type Provider = {
  /** The path of submits. */
  path: string | RegExp;
  /** null: not let in. */
  read(call: Call, login: Login): Submit | Submit[] | null;
  newId(count: number): string;
  sent(id: string, submit: Submit): Reply;
  /** Of providers that answer for each message of a request. */
  each?(results: Result[]): Reply;
  refused: Record<Refusal, Reply>;
  /** Other paths: tokens, reports on request. */
  others?(call: Call, login: Login, reportOf: (id: string) => Report | undefined): Reply | undefined;
  push?(reports: Report[], url: string, login: Login): Post;
  inbound?(message: FromPhone, url: string, login: Login): Post;
};

export const json = (status: number, value: unknown): Reply => ({
  status,
  body: JSON.stringify(value),
  type: 'application/json',
});
export const textReply = (status: number, body: string): Reply => ({ status, body, type: 'text/plain' });
export const jsonPost = (value: unknown): Post => ({ body: JSON.stringify(value), type: 'application/json' });
export const formPost = (pairs: Record<string, string>): Post => ({
  body: new URLSearchParams(pairs).toString(),
  type: 'application/x-www-form-urlencoded',
});

export function isBasic(call: Call, { user, password }: Login): boolean {
  return call.headers['authorization'] === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** 5550000000 and +905550000000 are one phone. */
export function phoneOf(given: string): string {
  const digits = given.replace(/\D/g, '');
  return digits.length === 10 ? `90${digits}` : digits;
}
