// Finds errors between settings that are valid one by one: pairs with a missing half, two uses of one port, unusable files,
// values without effect. `peyk start` refuses what would fail or mislead later (grave) and warns of the rest; `peyk config
// check` lists all. Commands that start nothing skip this: listing accounts does not need the TLS listener's key.
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { now } from '../time/clock.ts';
import { allRoles, type Config, type SettingName } from './config.ts';
import { readTlsPair } from './tls-files.ts';

type SettingFault = { grave: boolean; text: string };
type Given = ReadonlySet<string>;
type Rule = { grave: boolean; look(config: Config, given: Given): (string | false)[] };

const rules: Rule[] = [
  { grave: true, look: config => pairProblems(config) },
  { grave: true, look: (config, given) => twiceUsedPorts(config, given) },
  {
    grave: true,
    look: ({ PEYK_SMPP_TLS_PORT: smpp, PEYK_TLS_CERT: cert }) => [
      smpp !== null && cert === '' && 'PEYK_SMPP_TLS_PORT needs PEYK_TLS_CERT and PEYK_TLS_KEY',
    ],
  },
  { grave: true, look: ({ PEYK_DATA }) => [unusableFolder(PEYK_DATA)] },
  { grave: true, look: config => bucketProblems(config) },
  {
    grave: true,
    look: ({ PEYK_POSTGRES_BIN: bin }) => [
      bin !== '' &&
        kindOf(bin) !== 'folder' &&
        `PEYK_POSTGRES_BIN: there is no folder ${bin}; leave it out for the bundled server`,
    ],
  },
  { grave: false, look: (config, given) => unusedSettings(config, given) },
  { grave: false, look: config => halfGiven(config) },
  { grave: false, look: (config, given) => backupsInVain(config, given) },
  { grave: false, look: (config, given) => splitNodes(config, given) },
  {
    grave: false,
    look: ({ PEYK_PUBLIC_URL: url, PEYK_TLS_CERT: cert, PEYK_TRUSTED_PROXIES: proxies }) => [
      url.startsWith('https:') &&
        cert === '' &&
        proxies.length === 0 &&
        'PEYK_PUBLIC_URL: https without PEYK_TLS_CERT needs a proxy in front, and without PEYK_TRUSTED_PROXIES every caller has its address',
    ],
  },
  {
    grave: false,
    look: ({ PEYK_REGISTRY_URL: url, PEYK_REGISTRY_PASSWORD: password }) => [
      url !== '' && password === 'peyk' && 'PEYK_REGISTRY_URL is given, but PEYK_REGISTRY_PASSWORD is the default',
    ],
  },
];

export function settingFaults(config: Config, given: Given): SettingFault[] {
  return rules.flatMap(({ grave, look }) =>
    look(config, given)
      .filter(text => text !== false)
      .map(text => ({ grave, text })),
  );
}

function pairProblems({ PEYK_TLS_CERT: cert, PEYK_TLS_KEY: key }: Config): string[] {
  if (cert === '' && key === '') return [];
  if (cert === '') return ['PEYK_TLS_KEY is given without PEYK_TLS_CERT'];
  if (key === '') return ['PEYK_TLS_CERT is given without PEYK_TLS_KEY'];
  try {
    const { validTo } = readTlsPair({ cert, key });
    return validTo < now() ? [`PEYK_TLS_CERT: the certificate in ${cert} ended on ${validTo.toISOString()}`] : [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Ports that this node opens, by setting; 0 never collides. */
function twiceUsedPorts(config: Config, given: Given): string[] {
  const { PEYK_SIMULATORS: simulators, PEYK_ROLES: roles } = config;
  const opened: [SettingName, boolean][] = [
    ['PEYK_PORT', roles.includes('api')],
    ['PEYK_TLS_PORT', roles.includes('api') && config.PEYK_TLS_CERT !== ''],
    ['PEYK_WATCH_PORT', true],
    ['PEYK_SMSC_PORT', simulators.includes('smsc')],
    ['PEYK_SMSC_HTTP_PORT', simulators.includes('smsc')],
    ['PEYK_REGISTRY_PORT', simulators.includes('registry')],
    // A default port that is taken is replaced.
    ['PEYK_SMPP_PORT', roles.includes('smpp') && given.has('PEYK_SMPP_PORT')],
    ['PEYK_SMPP_TLS_PORT', roles.includes('smpp')],
  ];
  const first = new Map<number, string>();
  return opened.flatMap(([name, isOpened]) => {
    const port = config[name] as number | null;
    if (!isOpened || !port) return [];
    const other = first.get(port);
    first.set(port, other ?? name);
    return other ? [`${name} and ${other} are the same port, ${port}`] : [];
  });
}

/** A folder that does not exist is created, so its parent is checked. */
function unusableFolder(path: string): string | false {
  for (let place = path; ; place = dirname(place)) {
    const found = kindOf(place);
    if (found === 'none' && place !== dirname(place)) continue;
    if (found !== 'folder') return `PEYK_DATA: ${place} is not a folder`;
    try {
      accessSync(place, constants.W_OK | constants.X_OK);
      return false;
    } catch {
      return `PEYK_DATA: ${place} may not be written by this user`;
    }
  }
}

function kindOf(path: string): 'folder' | 'other' | 'none' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'other';
  } catch {
    return 'none';
  }
}

function bucketProblems(config: Config): string[] {
  if (!config.PEYK_BACKUP.startsWith('s3://')) return [];
  const needed = ['PEYK_BACKUP_S3_ENDPOINT', 'PEYK_BACKUP_S3_KEY_ID', 'PEYK_BACKUP_S3_SECRET'] as const;
  const missing = needed.filter(name => config[name] === '');
  return missing.length ? [`PEYK_BACKUP is a bucket, and ${missing.join(', ')} is missing`] : [];
}

/** A backup beside the data protects nothing, and backup settings without a target do nothing. */
function backupsInVain({ PEYK_BACKUP: target, PEYK_DATA: data }: Config, given: Given): (string | false)[] {
  const alone = [...given].filter(name => name.startsWith('PEYK_BACKUP_'));
  return [
    target === '' && alone.length > 0 && `${alone.join(', ')} does nothing without PEYK_BACKUP`,
    `${target}/`.startsWith(`${data}/`) &&
      'PEYK_BACKUP is inside of PEYK_DATA: what takes the data takes the backups too',
  ];
}

function unusedSettings(config: Config, given: Given): (string | false)[] {
  const ownOnly: SettingName[] = ['PEYK_POSTGRES_BIN', 'PEYK_DATABASE_GIVE_UP_SECONDS'];
  const unused = config.DATABASE_URL ? ownOnly.filter(name => given.has(name)) : [];
  return [
    ...unused.map(name => `${name} is for the embedded database and does nothing beside DATABASE_URL`),
    given.has('PEYK_TLS_PORT') && !config.PEYK_TLS_CERT && 'PEYK_TLS_PORT does nothing without PEYK_TLS_CERT',
    given.has('PEYK_TLS_HOST') && !config.PEYK_TLS_CERT && 'PEYK_TLS_HOST does nothing without PEYK_TLS_CERT',
  ];
}

function halfGiven(config: Config): (string | false)[] {
  const { PEYK_REGISTRY_PUSH_USER: user, PEYK_REGISTRY_PUSH_PASSWORD: password } = config;
  const { DATABASE_URL, PEYK_DEMO_KEY: key, PEYK_DEMO_HASH: hash } = config;
  return [
    (user === '') !== (password === '') &&
      'PEYK_REGISTRY_PUSH_USER and PEYK_REGISTRY_PUSH_PASSWORD: only one is given, so nothing is taken by push',
    DATABASE_URL !== '' &&
      (key === '') !== (hash === '') &&
      'PEYK_DEMO_KEY and PEYK_DEMO_HASH: only one is given, so beside DATABASE_URL no demo account is made',
  ];
}

/** Roles that this node does not run must run on other nodes. */
function splitNodes(config: Config, given: Given): (string | false)[] {
  const isSplit = config.PEYK_ROLES.length < allRoles.length;
  return [
    isSplit && !config.DATABASE_URL && 'PEYK_ROLES: over embedded data no other node can do what this one leaves out',
    isSplit &&
      config.DATABASE_URL !== '' &&
      !given.has('PEYK_SECRET_KEY') &&
      'PEYK_SECRET_KEY is not given: the key in PEYK_DATA is known to this node only, others cannot read what it seals',
  ];
}
