// Commands about carriers.
import { readFileSync } from 'node:fs';
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { carrierSettings } from '../carriers/carrier-settings.ts';
import {
  type CarrierLine,
  callbackUrl,
  carriersWithPasswords,
  findCarrier,
  kindOf,
  listCarriers,
  pauseCarrier,
  putCarrier,
  simulatorName,
} from '../carriers/carriers.ts';
import { needsPublicUrl, requireDefinition } from '../carriers/http/check-definition.ts';
import type { Definition } from '../carriers/http/definition.ts';
import { presets } from '../carriers/http/presets.ts';
import { type RemovalRefusal, removeCarrier } from '../carriers/remove-carrier.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import { parseNumber } from '../numbers/phone.ts';
import { testCarrier } from '../sending/links/test-carrier.ts';
import { type Command, type CommandContext, need, operator, UsageError } from './command.ts';
import { passwordHelp, readPassword } from './password.ts';
import { table } from './table.ts';

const requiredAtFirst = ['host', 'port', 'system-id'];

export const carrierCommands: Command[] = [
  {
    words: 'carrier add',
    args: [],
    flags: {
      name: 'name of the carrier; required',
      ...Object.fromEntries(
        Object.entries(carrierSettings).map(([name, { help }]) => [
          name,
          requiredAtFirst.includes(name) ? `${help}; required for a new one over SMPP` : help,
        ]),
      ),
      secret: 'NAME=VALUE,NAME=VALUE: further secrets that the description of an HTTP carrier asks for',
      password: `${passwordHelp('password of the bind, or of an HTTP carrier; required for a new one')}`,
    },
    help: 'add a carrier, or change what is given of the one of that name',
    run: addCarrier,
  },
  {
    words: 'carrier list',
    args: [],
    help: 'carriers with the state of their links',
    run: ({ db }) => listCarriers(db),
    show: (lines: CarrierLine[]) =>
      table(
        ['name', 'state', 'address', 'priority', 'prefixes', 'why'],
        lines.map(one => [
          ...[one.name, one.state, addressOf(one), one.priority, one.prefixes.join(',') || 'all'],
          one.paused ? one.pauseReason : one.links.find(link => link.lastError)?.lastError,
        ]),
      ),
    empty: 'no carriers; peyk carrier add --help says how to add one',
  },
  {
    words: 'carrier presets',
    args: ['[NAME]'],
    database: 'none',
    help: 'descriptions of HTTP carriers that come with the program; with NAME the complete description, as a start for your own',
    run: async ({ args: [name] }) =>
      name !== undefined
        ? presetNamed(name)
        : Object.entries(presets).map(([name, { title, url, credentials, callback, inbound, poll }]) => ({
            ...{ name, title, url, credentials },
            receipts: callback ? 'callback' : poll ? 'polling' : 'none',
            inbound: inbound !== undefined,
          })),
    show: (
      lines: { name: string; title: string; url: string; receipts: string; credentials: object }[] | Definition,
    ) =>
      !Array.isArray(lines)
        ? JSON.stringify(lines, null, 2)
        : table(
            ['name', 'provider', 'address', 'receipts', 'credentials'],
            lines.map(one => [
              ...[one.name, one.title, one.url, one.receipts],
              Object.entries(one.credentials)
                .map(([name, what]) => `${name}: ${what}`)
                .join(', '),
            ]),
          ),
  },
  {
    words: 'carrier test',
    args: ['NAME', '[NUMBER]'],
    flags: { sender: 'sender of the test message; default PEYK' },
    help: 'connect to a carrier once, and send a short message if a number is given; nothing is stored or charged',
    run: tryCarrier,
  },
  {
    words: 'carrier callback',
    args: ['NAME'],
    help: 'addresses for receipts and inbound messages of an HTTP carrier, to be set at the provider; they contain a secret',
    async run({ db, args, config }) {
      const name = need(args[0], 'the name of the carrier');
      const carrier = await withSecrets(db, config, name);
      if (carrier.kind !== 'http') throw new UsageError(`carrier "${name}" is not over HTTP`);
      const url = callbackUrl(config.PEYK_PUBLIC_URL || 'https://ADDRESS-OF-PEYK', carrier.id, carrier.secrets);
      await recordAuditEntry(db, { actor: operator, action: 'carrier.callback', detail: { name } });
      return { both: url, receipts: `${url}/receipts`, inbound: `${url}/inbound` };
    },
  },
  {
    words: 'carrier pause',
    args: ['NAME'],
    help: 'stop sending through a carrier and release its binds',
    run: context => pause(context, true),
  },
  {
    words: 'carrier resume',
    args: ['NAME'],
    help: 'resume sending through a carrier',
    run: context => pause(context, false),
  },
  {
    words: 'carrier remove',
    args: ['NAME'],
    flags: { force: 'even if receipts are pending or messages wait for it' },
    switches: ['force'],
    help: 'remove a paused carrier; refused while receipts are pending or no other carrier can send its waiting messages',
    async run({ db, args, flags, cells }) {
      const name = need(args[0], 'the name of the carrier');
      const elsewhere = (cells?.all ?? []).map(one => one.db).filter(one => one !== db);
      const refusal = await removeCarrier(db, name, flags.force === 'on', elsewhere);
      if (refusal) throw new UsageError(removalText(name, refusal));
      await recordAuditEntry(db, {
        actor: operator,
        action: 'carrier.remove',
        detail: { name, force: flags.force === 'on' },
      });
      return { name, removed: true };
    },
  },
];

function presetNamed(name: string): Definition {
  const found = presets[name as keyof typeof presets];
  if (!found) throw new UsageError(`there is no preset "${name}"; there are ${Object.keys(presets).join(', ')}`);
  return found;
}

/** A provider that has nowhere to send receipts to leaves every message without an end. */
function requirePublicUrl(definition: Definition | null, { PEYK_PUBLIC_URL: url }: CommandContext['config']): void {
  if (url === '' && definition && needsPublicUrl(definition))
    throw new UsageError('PEYK_PUBLIC_URL is not set: this carrier posts receipts, and has no address to post them to');
}

/** For HTTP with its scheme. */
function addressOf({ kind, tls, host, port }: CarrierLine): string {
  return `${kind === 'http' ? (tls ? 'https://' : 'http://') : ''}${host}:${port}`;
}

async function addCarrier({ db, flags, config }: CommandContext): Promise<unknown> {
  const { name: given, ...settings } = flags;
  const name = need(given, '--name');
  const isNew = !(await findCarrier(db, name));
  const isHttp = (await kindOf(db, name, settings)) === 'http';
  if (isNew && !isHttp) for (const flag of requiredAtFirst) need(settings[flag], `--${flag}`);
  if (settings['definition']) settings['definition'] = readFileSync(settings['definition'], 'utf8');
  // The description of a carrier over HTTP says which secrets it needs.
  if ((isNew && !isHttp) || settings.password !== undefined) settings.password = await readPassword(settings.password);
  if (isHttp) requirePublicUrl(definitionWanted(settings), config);
  const key = await secretKeyOfData(db, config);
  const played = await findCarrier(db, simulatorName);
  await putCarrier(db, key, name, settings);
  const pausesSimulator = played && !played.paused && (await findCarrier(db, simulatorName))!.paused;
  if (pausesSimulator)
    process.stderr.write(
      `carrier ${simulatorName} is paused: it only plays deliveries (carrier resume ${simulatorName} undoes it)\n`,
    );
  const { kind: _, ...others } = settings;
  await recordAuditEntry(db, {
    actor: operator,
    action: 'carrier.put',
    detail: {
      ...others,
      name,
      password: undefined,
      secret: undefined,
      definition: settings['definition'] && 'changed',
    },
  });
  return findCarrier(db, name);
}

function definitionWanted({ preset, definition }: Record<string, string>): Definition | null {
  if (definition) return requireDefinition(definition);
  return presets[preset as keyof typeof presets] ?? null;
}

async function withSecrets(db: CommandContext['db'], config: CommandContext['config'], name: string) {
  const key = await secretKeyOfData(db, config);
  const found = (await carriersWithPasswords(db, key)).find(one => one.name === name);
  if (!found) throw new UsageError(`there is no carrier "${name}"`);
  return found;
}

const testText = 'Peyk baglanti denemesi';

async function tryCarrier({ db, args, flags, config }: CommandContext): Promise<unknown> {
  const name = need(args[0], 'the name of the carrier');
  const number = args[1] === undefined ? null : parseNumber(args[1], true);
  if (number !== null && number <= 0) throw new UsageError(`"${args[1]}" is not a mobile number`);
  const carrier = await withSecrets(db, config, name);
  if (carrier.kind === 'http') requirePublicUrl(carrier.definition, config);
  const message = number && { sender: flags['sender'] ?? 'PEYK', number: String(number), text: testText };
  const result = await testCarrier(db, carrier, config.PEYK_OPERATOR_CODE, message || null);
  await recordAuditEntry(db, {
    actor: operator,
    action: 'carrier.test',
    detail: { name, outcome: result.outcome, reason: result.error },
  });
  if (result.outcome === 'failed') throw new UsageError(result.error ?? 'failed');
  return result;
}

async function pause({ db, args }: CommandContext, paused: boolean): Promise<unknown> {
  const name = need(args[0], 'the name of the carrier');
  await pauseCarrier(db, name, paused, 'operator');
  await recordAuditEntry(db, {
    actor: operator,
    action: paused ? 'carrier.pause' : 'carrier.resume',
    detail: { name },
  });
  return findCarrier(db, name);
}

/** The refusal and its remedy, for the command line. */
function removalText(name: string, { code, receipts }: RemovalRefusal): string {
  const texts: Record<RemovalRefusal['code'], string> = {
    unknown: `there is no carrier "${name}"`,
    'not-paused': `carrier "${name}" may be sending now; pause it first: peyk carrier pause ${name}`,
    releasing: `carrier "${name}" is being released; try again in a moment`,
    receipts:
      `carrier "${name}" has ${receipts >= 10_000 ? '10000 or more' : receipts} pending receipts; let them come without new ` +
      `ones: peyk carrier add --name ${name} --prefixes 0, peyk carrier resume ${name}, later pause and remove it; with --force they ` +
      'end as undelivered when their time is over',
    waiting:
      'messages are waiting and no other carrier could send them; add or resume one first, or insist with --force',
  };
  return texts[code];
}
