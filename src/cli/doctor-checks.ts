// The checks of `peyk doctor`: a name, a function, and advice for a failure. A check returns its findings (none: it passed) and a
// short note of what it measured.
import { statfs } from 'node:fs/promises';
import { type CarrierLine, listCarriers, simulatorName } from '../carriers/carriers.ts';
import { needsPublicUrl } from '../carriers/http/check-definition.ts';
import { definitionOf } from '../carriers/http/presets.ts';
import { announcedRegistry, registryTrouble } from '../consent/sync/state.ts';
import { clocksDiffer, readDatabaseClock } from '../db/database-clock.ts';
import { type Db, row, rows, sql } from '../db/db.ts';
import { forgetfulSettings } from '../db/durability.ts';
import { migrationsApart } from '../db/migrate.ts';
import { secretKeyProblem } from '../db/sealed-data.ts';
import { listStaff } from '../people/staff.ts';
import { holdReasons, readHold } from '../queue/dispatch-hold.ts';
import { listQuarantined } from '../queue/quarantined.ts';
import type { Config } from '../settings/config.ts';
import { settingFaults } from '../settings/faults.ts';
import { toTurkeyTime } from '../time/clock.ts';
import { backupsAtWork } from './doctor-backups.ts';
import { cellsAtWork } from './doctor-cells.ts';
import { contentReadable } from './doctor-content.ts';
import { readyForCustomers } from './doctor-customers.ts';
import { certificateDates, registryReachable, webhooksReachable } from './doctor-peers.ts';

export type Look = { db: Db; config: Config; warnings: string[]; given: ReadonlySet<string> };
export type Seen = { saw: string; wrong: string[]; warnings?: string[] };
export type Check = {
  name: string;
  /** The check needs no database. */
  offline?: true;
  /** With cells, the check runs in the database of each. */
  inEachCell?: true;
  look(context: Look): Promise<Seen> | Seen;
  todo: string;
};

const oldestServer = 150_000;
const freeBytesMin = 2 * 1024 ** 3;
const freeShareMin = 0.05;
const connectionShareMax = 0.8;

const versionSql = sql<{ number: number; text: string }>('doctor version')`
  select current_setting('server_version_num')::integer as number, current_setting('server_version') as text`;
const connectionsSql = sql<{ used: number; most: number }>('doctor connections')`
  select (select count(*) from pg_stat_activity where backend_type = 'client backend') as used,
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as most`;
const linksSql = sql<{ links: number }>('doctor links')`
  select count(*) as links from carrier_links where at > now() - interval '15 seconds'`;
const elsewhereSql = sql<{ id: number }>('doctor carriers of other cells')`select id from carriers where share = 0`;

export const checks: Check[] = [
  {
    name: 'settings',
    offline: true,
    look({ config, warnings, given }) {
      const faults = settingFaults(config, given).map(one => one.text);
      return { saw: `${warnings.length} unknown names, ${faults.length} faults`, wrong: [...warnings, ...faults] };
    },
    todo: 'correct them in the environment or the .env file; peyk config check looks again',
  },
  {
    name: 'database version',
    inEachCell: true,
    async look({ db }) {
      const { number, text } = (await row(db, versionSql))!;
      return { saw: `PostgreSQL ${text}`, wrong: versionTrouble(number, text) };
    },
    todo: 'move to PostgreSQL 15 or newer',
  },
  {
    name: 'schema',
    inEachCell: true,
    async look({ db }) {
      const { pending, unknown } = await migrationsApart(db);
      const wrong = [
        ...(pending.length ? [`migrations pending: ${pending.join(', ')}`] : []),
        ...(unknown.length ? [`migrations of a newer program: ${unknown.join(', ')}`] : []),
      ];
      return { saw: wrong.length ? 'another version' : 'up to date', wrong };
    },
    todo: 'pending: run peyk migrate; of a newer program: run that one',
  },
  {
    name: 'durability',
    inEachCell: true,
    async look({ db }) {
      const off = await forgetfulSettings(db);
      return {
        saw: `${off.length} settings off`,
        wrong: off.map(name => `${name} is off: a crash forgets what was accepted`),
      };
    },
    todo: 'turn them on in postgresql.conf and reload the server',
  },
  {
    name: 'clock',
    inEachCell: true,
    async look({ db }) {
      const difference = await readDatabaseClock(db);
      const saw = `${difference.aheadMs} ms ahead of the database, ± ${difference.uncertainMs} ms`;
      return { saw, wrong: clocksDiffer(difference) ? [`the clock of this host is ${saw}`] : [] };
    },
    todo: 'let both hosts follow a time server; the database’s clock is the one that counts',
  },
  {
    name: 'disk',
    offline: true,
    look: ({ config }) => diskSpace(config.PEYK_DATA),
    todo: 'make room, or move the data folder to a larger disk; a full disk stops everything',
  },
  {
    name: 'connections',
    inEachCell: true,
    async look({ db }) {
      const { used, most } = (await row(db, connectionsSql))!;
      return { saw: `${used} of ${most} connections used`, wrong: connectionTrouble(used, most) };
    },
    todo: 'raise max_connections, or end what else is connected to the server',
  },
  {
    name: 'secret key',
    async look({ db, config }) {
      const problem = await secretKeyProblem(db, config);
      return { saw: problem ? 'does not fit' : 'opens the stored secrets', wrong: problem ? [problem] : [] };
    },
    todo: 'bring the key back before anything is sent or signed',
  },
  {
    name: 'content',
    inEachCell: true,
    look: contentReadable,
    todo: 'add the key of then to PEYK_SECRET_KEY, behind the one of now; peyk secrets reseal --content brings texts under the new one',
  },
  {
    name: 'carriers',
    inEachCell: true,
    look: carriersAtWork,
    todo: 'see peyk carrier list; add one (peyk carrier add --help), resume it, or correct address and password',
  },
  {
    name: 'cells',
    look: cellsAtWork,
    todo: 'start the database of the cell, run peyk migrate, or give the carrier more binds (peyk carrier add --name NAME --binds N)',
  },
  {
    name: 'registry',
    look: ({ db, config }) => registryAtWork(db, config.PEYK_REGISTRY_URL),
    todo: 'check the PEYK_REGISTRY_ settings and the way to the registry, then run peyk consent sync',
  },
  {
    name: 'webhooks',
    look: ({ db }) => webhooksReachable(db),
    todo: 'let this host reach them (firewall, DNS), or tell their owners; peyk webhook deliveries ID shows what waits',
  },
  {
    name: 'certificates',
    look: ({ db, config }) => certificateDates(db, config),
    todo: 'renew it, or ask its owner to; ours is taken over from its files without a restart',
  },
  {
    name: 'backups',
    inEachCell: true,
    look: backupsAtWork,
    todo: 'see docs/backup.md: make room in the target or open the way to it, let the role of DATABASE_URL replicate; peyk backup takes one now',
  },
  {
    name: 'sending',
    inEachCell: true,
    async look({ db }) {
      const hold = await readHold(db);
      const saw = hold ? `held since ${toTurkeyTime(hold.since)}` : 'not held';
      return { saw, wrong: hold ? [`nothing is sent: ${holdReasons[hold.reason]}`] : [] };
    },
    todo: 'see peyk dispatch status, then run peyk dispatch release',
  },
  {
    name: 'quarantine',
    inEachCell: true,
    async look({ db }) {
      const aside = await listQuarantined(db);
      const wrong = aside.map(one => `${one.messages} messages of order ${one.orderId} are set aside`);
      return { saw: `${aside.length} set aside`, wrong };
    },
    todo: 'find the cause in the log of the dispatcher, then run peyk quarantine release ORDER',
  },
  {
    name: 'real customers',
    look: readyForCustomers,
    todo: 'see docs/going-live.md',
  },
  {
    name: 'staff',
    async look({ db }) {
      const staff = await listStaff(db);
      return {
        saw: `${staff.length} of the staff`,
        wrong: staff.length ? [] : ['nobody of the staff can sign in to the panel'],
      };
    },
    todo: 'peyk staff create --email E-MAIL',
  },
];

async function diskSpace(folder: string): Promise<Seen> {
  const disk = await statfs(folder).catch(() => null);
  if (!disk) return { saw: 'no data folder', wrong: [] };
  const [free, all] = [disk.bavail * disk.bsize, disk.blocks * disk.bsize];
  const saw = `${(free / 1024 ** 3).toFixed(1)} GiB of ${(all / 1024 ** 3).toFixed(1)} GiB free in ${folder}`;
  return { saw, wrong: isDiskFull(free, all) ? [saw] : [] };
}

export function isDiskFull(free: number, all: number): boolean {
  return free < freeBytesMin || free < all * freeShareMin;
}

export function versionTrouble(number: number, text: string): string[] {
  return number < oldestServer ? [`PostgreSQL ${text} is too old`] : [];
}

export function connectionTrouble(used: number, most: number): string[] {
  return used > most * connectionShareMax ? [`${used} of ${most} connections used`] : [];
}

async function carriersAtWork({ db, config }: Look): Promise<Seen> {
  const carriers = await listCarriers(db);
  const running = (await row(db, linksSql))!.links > 0;
  const elsewhere = new Set((await rows(db, elsewhereSql)).map(one => one.id));
  const states = carriers.map(
    one => `${one.name} ${running || one.paused ? one.state : 'not in use: nothing is running'}`,
  );
  return {
    saw: states.join(', ') || 'none',
    wrong: [...carrierTroubles(carriers, running, elsewhere), ...withoutAddress(carriers, config)],
  };
}

function withoutAddress(carriers: CarrierLine[], { PEYK_PUBLIC_URL: url }: Config): string[] {
  if (url !== '') return [];
  const lost = carriers.filter(one => {
    const definition = one.kind === 'http' && !one.paused ? definitionOf(one.preset, one.ownDefinition) : null;
    return definition !== null && needsPublicUrl(definition);
  });
  return lost.map(one => `${one.name} has nowhere to send receipts to: PEYK_PUBLIC_URL is not set`);
}

/** `elsewhere`: carriers whose binds all belong to other cells. */
function carrierTroubles(carriers: CarrierLine[], running: boolean, elsewhere: Set<number>): string[] {
  if (carriers.length === 0) return ['there is no carrier: messages wait'];
  const active = carriers.filter(one => !one.paused);
  if (active.length === 0) return ['every carrier is paused: messages wait'];
  const troubles = active
    .filter(one => running && one.state !== 'bound' && !elsewhere.has(one.id))
    .map(one => `${one.name} is ${one.state}${lastErrorOf(one)}`);
  const playing = active.length > 1 && active.find(one => one.name === simulatorName);
  return playing ? [...troubles, `${simulatorName} only plays deliveries, and carries beside real carriers`] : troubles;
}

async function registryAtWork(db: Db, url: string): Promise<Seen> {
  const trouble = await registryTrouble(db);
  const wrong = trouble
    ? [`the consent registry answers with ${trouble.code} since ${trouble.since.toISOString()}`]
    : [];
  wrong.push(...(await registryReachable(url)));
  // Only a program with the simulator announces a registry on its own host.
  const simulated = await announcedRegistry(db);
  const real = (await listCarriers(db)).some(one => !one.paused && one.name !== simulatorName);
  if (simulated && real) wrong.push(`consents go to the simulated registry (${simulated}) while real carriers send`);
  return { saw: trouble?.code ?? (simulated ? 'the simulator, no trouble' : 'no trouble'), wrong };
}

function lastErrorOf(carrier: CarrierLine): string {
  const error = carrier.links.find(link => link.lastError)?.lastError;
  return error ? ` (${error})` : '';
}
