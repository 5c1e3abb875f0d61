// Carriers as an operator handles them while the program runs: added, preferred, failing over, paused, moved, refused.
import { beforeAll, expect, test } from 'vitest';
import { type OutsideCarrier, outsideCarrier } from '../support/carriers/outside-carrier.ts';
import { plainNumbers } from '../support/customers/journey-numbers.ts';
import { type Customer, type Program, startProgram } from '../support/program/program.ts';
import { wait } from '../support/run/wait.ts';

type Line = { name: string; state: string; links: { state: string; lastError: string | null }[] };

let program: Program;
let customer: Customer;
let preferred: OutsideCarrier;
let sent = 0;

beforeAll(async () => {
  program = await startProgram();
  customer = await program.account({ credits: 10_000 });
  preferred = await outsideCarrier();
  await preferred.serve(program, 'preferred', '--priority', '1');
});

/** Sends to one number and returns it once it is delivered. */
async function deliver(number = plainNumbers(1, sent + 1)[0]!): Promise<string> {
  const id = await customer.send(`Deneme ${++sent}`, [number]);
  expect(await customer.finished(id)).toMatchObject({ status: 114, delivered: 1 });
  return number;
}

async function line(name: string): Promise<Line> {
  return (await program.cli<Line[]>('carrier', 'list')).find(one => one.name === name)!;
}

test('the carrier of the better priority is used, and listed as bound', async () => {
  const listed = await wait('both to be listed', async () => {
    const lines = await program.cli<Line[]>('carrier', 'list');
    return lines.every(one => one.state === 'bound') ? lines : undefined;
  });
  expect(listed.map(one => one.name)).toEqual(['preferred', 'simulator']);
  expect(await preferred.phone(await deliver())).toHaveLength(1);
});

test('when it goes down the next one takes over, and when it is back it is used again', async () => {
  await preferred.fault('drop', 3);
  expect(await program.carrier.phone(await deliver())).toHaveLength(1);
  await wait('it to be bound again', async () => (await preferred.stats()).sessions === 1);
  expect(await preferred.phone(await deliver())).toHaveLength(1);
});

test('a paused carrier is released and passed over until it is resumed', async () => {
  expect(await program.cli<Line>('carrier', 'pause', 'preferred')).toMatchObject({ state: 'paused' });
  await wait('its bind to be released', async () => (await preferred.stats()).sessions === 0);
  expect(await program.carrier.phone(await deliver())).toHaveLength(1);
  await program.cli('carrier', 'resume', 'preferred');
  // As the program sees it: the carrier counts a bind when it sends its answer.
  await wait('it to be bound again', async () => (await line('preferred')).state === 'bound');
  expect(await preferred.phone(await deliver())).toHaveLength(1);
});

test('a changed port is used without a restart, and long messages go by the changed rule', async () => {
  const moved = await outsideCarrier();
  await moved.serve(program, 'preferred', '--long', 'sar');
  await wait('the old bind to be released', async () => (await preferred.stats()).sessions === 0);
  const text = 'Uzun bir mesaj, iki parca. '.repeat(10).trim();
  const [number] = plainNumbers(1, 500);
  const id = await customer.send(text, [number!]);
  expect(await customer.finished(id)).toMatchObject({ delivered: 1, price: 2 });
  expect(await moved.phone(number!)).toEqual([expect.objectContaining({ text: `${text} B186`, parts: 2 })]);
  await preferred.serve(program, 'preferred', '--long', 'udh');
  await moved.stop();
});

test('a carrier with prefixes serves only those', async () => {
  const { binds } = await preferred.stats();
  await program.cli('carrier', 'add', '--name', 'preferred', '--prefixes', '90553,90554');
  // Of its own accord, not the bind of before.
  await wait('it to be bound again', async () => {
    const { binds: now, sessions } = await preferred.stats();
    return now > binds && sessions === 1 && (await line('preferred')).state === 'bound';
  });
  expect(await preferred.phone(await deliver('5531000001'))).toHaveLength(1);
  expect(await program.carrier.phone(await deliver('5551000001'))).toHaveLength(1);
});

test('a refused password shows in the list and is not hammered; the right one is used at once', async () => {
  const strict = await outsideCarrier({ passwords: { peyk: 'dogru' } });
  const address = ['--host', '127.0.0.1', '--port', String(strict.port), '--system-id', 'peyk'];
  await program.cli('carrier', 'add', '--name', 'strict', ...address, '--password', 'yanlis', '--priority', '0');
  const refused = await wait('the reason to show', async () => {
    const found = await line('strict');
    return found.links[0]?.lastError ? found : undefined;
  });
  expect(refused).toMatchObject({
    state: 'down',
    links: [{ state: 'down', lastError: 'bind refused: ESME_RINVPASWD' }],
  });
  await deliver();
  await deliver();
  expect((await strict.stats()).bindsRefused).toBe(1);
  await program.cli('carrier', 'add', '--name', 'strict', '--password', 'dogru');
  await wait('it to be bound', async () => (await line('strict')).state === 'bound');
  expect(await strict.phone(await deliver())).toHaveLength(1);
  await program.cli('carrier', 'pause', 'strict');
});

test('the simulator runs as a command of its own and serves as a carrier', async () => {
  const outside = await program.run('simulator', 'smsc', '--port', '0', '--http-port', '0');
  const ready = JSON.parse(/smsc ready (.*)/.exec(await outside.line(/^smsc ready/))![1]!) as {
    smpp: string;
    http: string;
  };
  const [host, port] = ready.smpp.split(':');
  const address = ['--host', host!, '--port', port!, '--system-id', 'peyk', '--password', 'x', '--priority', '0'];
  await program.cli('carrier', 'add', '--name', 'own', ...address);
  await wait('it to be bound', async () => (await line('own')).state === 'bound');
  const number = await deliver();
  const shown = (await (await fetch(`${ready.http}/messages?to=90${number}`)).json()) as unknown[];
  expect(shown).toHaveLength(1);
  await outside.stop();
  expect(await program.carrier.phone(await deliver())).toHaveLength(1);
  expect(await program.audit()).toEqual({ ok: true, findings: [] });
});

test('a carrier with pending receipts is not removed; without new numbers it reports them and can then be removed', async () => {
  const remove = () => program.cli('carrier', 'remove', 'preferred');
  const change = (...settings: string[]) => program.cli('carrier', 'add', '--name', 'preferred', ...settings);
  const released = () => wait('its bind to be released', async () => (await preferred.stats()).sessions === 0);
  await expect(remove()).rejects.toThrow('pause it first');
  // Ends in 9005: the receipt comes after five seconds.
  const id = await customer.send('Makbuz bekler', ['5531009005']);
  await wait('it to be submitted', async () => (await preferred.phone('5531009005')).length === 1);
  await program.cli('carrier', 'pause', 'preferred');
  await released();
  await wait('pending receipts to be the reason', async () => /1 pending receipts/.test(await reasonOf(remove())));
  await change('--prefixes', '0');
  await program.cli('carrier', 'resume', 'preferred');
  expect(await program.carrier.phone(await deliver('5531000002'))).toHaveLength(1);
  expect(await customer.finished(id)).toMatchObject({ delivered: 1 });
  await program.cli('carrier', 'pause', 'preferred');
  await released();
  await wait('it to be removed', remove);
  expect(await line('preferred')).toBeUndefined();
  expect(await program.carrier.phone(await deliver())).toHaveLength(1);
});

async function reasonOf(failing: Promise<unknown>): Promise<string> {
  return failing.then(
    () => '',
    error => (error as Error).message,
  );
}
