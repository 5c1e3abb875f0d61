// Who the tests are about: a customer with a fresh account, and the operator's staff. Accounts are opened by staff and taken
// over by invitation, because only the sign-up tests are about signing up.
import { type APIRequestContext, type BrowserContextOptions, request } from 'playwright-core';
import { afterAll } from 'vitest';
import type { InputOf, OperationName, OutputOf } from '../../src/panel-api/contract.ts';
import { startProgram } from '../../test/support/program/program.ts';
import { wait } from '../../test/support/run/wait.ts';
import { panelCall, type Visitor, visitor } from './visitor.ts';

export const password = 'uzun bir parola 1';
let people = 0;

export const freshEmail = (): string => `kisi${++people}@ornek.com`;

/** The whole program with both simulators, for every test of a file; webhooks may reach this machine. */
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
export type Wish = { credits?: number; rate?: number; brand?: number; senders?: string[]; mobile?: string };

export async function customer(wish: Wish = {}, options?: BrowserContextOptions): Promise<Customer> {
  const person = await newVisitor(options);
  const email = freshEmail();
  const mobile = wish.mobile ?? '555 000 00 00';
  const { id, invite } = await byStaff('staff.openAccount', { name: 'Deneme Ltd', ownerEmail: email });
  await person.call('session.acceptInvite', { token: invite!.token, mobile, password });
  const reason = 'test';
  if (wish.credits) await byStaff('staff.grantCredit', { id, sms: wish.credits, reason });
  if (wish.rate) await byStaff('staff.setAccount', { id, rate: wish.rate, reason });
  if (wish.brand) await byStaff('staff.addBrand', { id, code: wish.brand, quota: 5_000 });
  for (const name of wish.senders ?? []) await program.cli('sender', 'approve', String(id), name);
  return Object.assign(person, { email, accountId: id });
}

let office: Promise<APIRequestContext> | null = null;
afterAll(async () => {
  await (await office)?.dispose();
});

/** What staff do where the test is not about staff: one session for the file, without a window (which costs a second). */
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

/** The digits of the newest code on a simulated phone. */
export async function codeOn(phone: string, count = 1): Promise<string> {
  await wait('a code on the phone', async () => (await program.carrier.phone(phone)).length >= count);
  const messages = await program.carrier.phone(phone);
  return /: (\d{6})\./.exec(messages.at(-1)!.text)![1]!;
}
