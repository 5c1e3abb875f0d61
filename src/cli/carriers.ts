// Commands about carriers and inbound numbers.
import { recordDeed } from '../accounts/audit-log.ts';
import { secretKeyOfData } from '../db/sealed-data.ts';
import { carrierSettings, findCarrier, listCarriers, pauseCarrier, putCarrier } from '../dispatch/carriers.ts';
import { addInboundNumber } from '../inbound/numbers.ts';
import { existingAccount } from './accounts.ts';
import { type Command, type CommandContext, need } from './command.ts';
import { passwordHelp, readPassword } from './password.ts';

const settingsHelp = Object.keys(carrierSettings)
  .map(name => `--${name}`)
  .join(' ');

export const carrierCommands: Command[] = [
  {
    words: 'carrier add',
    args: [],
    flags: { name: 'name of the carrier', password: passwordHelp('password of the bind') },
    openFlags: true,
    help: `add a carrier, or change the one of that name: ${settingsHelp}`,
    async run({ db, flags, config }) {
      const { name, ...settings } = flags;
      const isNew = !(await findCarrier(db, name ?? ''));
      if (isNew) for (const flag of ['host', 'port', 'system-id']) need(settings[flag], `--${flag}`);
      if (isNew || settings.password !== undefined) settings.password = await readPassword(settings.password);
      const key = await secretKeyOfData(db, config);
      await putCarrier(db, key, need(name, '--name'), settings);
      await recordDeed(db, {
        actor: 'operator (command line)',
        action: 'carrier.put',
        detail: { ...settings, name, password: undefined },
      });
      return findCarrier(db, name!);
    },
  },
  {
    words: 'carrier list',
    args: [],
    help: 'carriers with the state of their links',
    run: ({ db }) => listCarriers(db),
    show: (lines: { name: string; state: string; host: string; port: number; priority: number }[]) =>
      lines.map(one => `${one.name}\t${one.state}\t${one.host}:${one.port}\tpriority ${one.priority}`).join('\n'),
  },
  {
    words: 'carrier pause',
    args: ['NAME'],
    help: 'send nothing more through it',
    run: context => pause(context, true),
  },
  { words: 'carrier resume', args: ['NAME'], help: 'send through it again', run: context => pause(context, false) },
  {
    words: 'number add',
    args: ['ID', 'NUMBER'],
    flags: { keyword: 'first word that belongs to the account, on a shared short code' },
    help: 'give an account an inbound number or a keyword on a short code',
    async run({ db, args, flags }) {
      const account = await existingAccount(db, args[0]);
      return addInboundNumber(db, account.id, need(args[1], 'the number'), flags.keyword ?? '');
    },
  },
];

async function pause({ db, args }: CommandContext, paused: boolean): Promise<unknown> {
  const name = need(args[0], 'the name of the carrier');
  await pauseCarrier(db, name, paused, 'operator');
  await recordDeed(db, {
    actor: 'operator (command line)',
    action: paused ? 'carrier.pause' : 'carrier.resume',
    detail: { name },
  });
  return findCarrier(db, name);
}
