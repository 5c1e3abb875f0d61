// Commercial orders: consent for everybody, then `iys` 1. The account has the sender PEYK and the brand 701701.

import type { Customer } from '../program/program.ts';
import { consentEntry } from './samples.ts';

export const brand = 701_701;
const consentsPerCall = 5_000;

export async function consentTo(customer: Customer, numbers: string[]): Promise<void> {
  for (let i = 0; i < numbers.length; i += consentsPerCall) {
    const list = numbers.slice(i, i + consentsPerCall).map(one => consentEntry({ recipient: `+90${one}` }));
    const reply = await customer.call('consent/create', { consent: { brandCode: brand, list } });
    if (reply.code !== 200) throw new Error(`consent/create answered ${reply.code} ${reply.message}`);
  }
}

export function campaign(customer: Customer, text: string, numbers: string[], members: object = {}): Promise<string> {
  return customer.send(text, numbers, { sender: 'PEYK', iys: '1', iysList: 'BIREYSEL', ...members });
}
