// The users of the tests: customers with a new account, and the operator's staff. Staff open the accounts by invitation; only the
// sign-up tests sign up.
import { type APIRequestContext, type BrowserContextOptions, request } from 'playwright-core';
import { afterAll } from 'vitest';
import type { Answer, InputOf, OperationName, OutputOf } from '../../src/panel-api/contract/contract.ts';
import { panelHeader } from '../../src/panel-api/contract/facts.ts';
import type { UploadedDocument } from '../../src/panel-api/contract/shapes.ts';
import { startProgram } from '../../test/support/program/program.ts';
import { wait } from '../../test/support/run/wait.ts';
import { picture } from './picture.ts';
import { panelCall, type Visitor, visitor } from './visitor.ts';

export const password = 'uzun bir parola 1';
let people = 0;

export const freshEmail = (): string => `kisi${++people}@ornek.com`;

/** The whole program with both simulators, one for each test file; webhooks to this machine are allowed. */
export const program = await startProgram({
  env: {
    PEYK_SIMULATORS: 'smsc,registry',
    PEYK_ALLOW_PRIVATE_WEBHOOKS: 'on',
    PEYK_REGISTRY_SYNC_SECONDS: '1',
    PEYK_SMPP_PORT: '0',
  },
});
await wait('the panel to be served', async () => (await fetch(program.ready.panel)).ok);

export const newVisitor = (options?: BrowserContextOptions): Promise<Visitor> => visitor(program.ready.api, options);

export type Customer = Visitor & { email: string; accountId: number };
type CustomerOptions = { credits?: number; rate?: number; brand?: number; senders?: string[]; mobile?: string };

export async function customer(given: CustomerOptions = {}, options?: BrowserContextOptions): Promise<Customer> {
  const person = await newVisitor(options);
  const email = freshEmail();
  const mobile = given.mobile ?? '555 000 00 00';
  const { id, invite } = await byStaff('staff.openAccount', { name: 'Deneme Ltd', ownerEmail: email });
  await person.call('session.acceptInvite', { token: invite!.token, mobile, password });
  const reason = 'test';
  if (given.credits) await byStaff('staff.grantCredit', { id, sms: given.credits, reason });
  if (given.rate) await byStaff('staff.setAccount', { id, rate: given.rate, reason });
  if (given.brand) await byStaff('staff.addBrand', { id, code: given.brand, quota: 5_000 });
  for (const name of given.senders ?? []) await program.cli('sender', 'approve', String(id), name);
  return Object.assign(person, { email, accountId: id });
}

let office: Promise<APIRequestContext> | null = null;
afterAll(async () => {
  await (await office)?.dispose();
});

/** Calls of staff in tests about something else: one session for the file, without a window (which costs a second). */
export async function byStaff<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
  office ??= signedInOffice();
  return panelCall(await office, name, input);
}

async function signedInOffice(): Promise<APIRequestContext> {
  const made = await request.newContext({ baseURL: new URL(program.ready.api).origin });
  await panelCall(made, 'session.signIn', program.ready.staff!);
  return made;
}

export async function staffMember(options?: BrowserContextOptions): Promise<Visitor> {
  const person = await newVisitor(options);
  await person.call('session.signIn', program.ready.staff!);
  return person;
}

/** A document for an application; returns its id. */
export async function uploadPicture(person: Visitor, name: string): Promise<number> {
  const headers = { 'Content-Type': 'image/png', 'X-Peyk-File-Name': name, [panelHeader.name]: panelHeader.value };
  const response = await person.context.request.post('/panel/api/upload', { data: picture, headers });
  const answer = (await response.json()) as Answer<UploadedDocument>;
  if (!answer.ok) throw new Error(answer.error.en);
  return answer.data.id;
}

/** The newest code on a simulated phone. */
export async function codeOn(phone: string, count = 1): Promise<string> {
  await wait('a code on the phone', async () => (await program.carrier.phone(phone)).length >= count);
  const messages = await program.carrier.phone(phone);
  return /: (\d{6})\./.exec(messages.at(-1)!.text)![1]!;
}
