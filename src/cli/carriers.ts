// Commands about carriers.
import { recordAuditEntry } from '../accounts/audit-log.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import {
  type CarrierLine,
  carrierSettings,
  findCarrier,
  listCarriers,
  pauseCarrier,
  putCarrier,
} from '../dispatch/links/carriers.ts';
import { removalText, removeCarrier } from '../dispatch/links/remove-carrier.ts';
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
          requiredAtFirst.includes(name) ? `${help}; required for a new one` : help,
        ]),
      ),
      password: `${passwordHelp('password of the bind; required for a new one')}`,
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
          ...[one.name, one.state, `${one.host}:${one.port}`, one.priority, one.prefixes.join(',') || 'all'],
          one.paused ? one.pauseReason : one.links.find(link => link.lastError)?.lastError,
        ]),
      ),
    empty: 'no carriers; peyk carrier add --help says how to add one',
  },
  {
    words: 'carrier pause',
    args: ['NAME'],
    help: 'send nothing more through it, and release its binds',
    run: context => pause(context, true),
  },
  { words: 'carrier resume', args: ['NAME'], help: 'send through it again', run: context => pause(context, false) },
  {
    words: 'carrier remove',
    args: ['NAME'],
    flags: { force: 'also when receipts are owed or messages wait for it' },
    switches: ['force'],
    help: 'take a paused carrier away for good; refused while it owes receipts or is the only one for waiting messages',
    async run({ db, args, flags }) {
      const name = need(args[0], 'the name of the carrier');
      const refusal = await removeCarrier(db, name, flags.force === 'on');
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

async function addCarrier({ db, flags, config }: CommandContext): Promise<unknown> {
  const { name: given, ...settings } = flags;
  const name = need(given, '--name');
  const isNew = !(await findCarrier(db, name));
  if (isNew) for (const flag of requiredAtFirst) need(settings[flag], `--${flag}`);
  if (isNew || settings.password !== undefined) settings.password = await readPassword(settings.password);
  const key = await secretKeyOfData(db, config);
  await putCarrier(db, key, name, settings);
  await recordAuditEntry(db, {
    actor: operator,
    action: 'carrier.put',
    detail: { ...settings, name, password: undefined },
  });
  return findCarrier(db, name);
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
