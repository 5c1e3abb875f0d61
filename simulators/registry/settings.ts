// All settings of the simulator in one table: default, minimum and meaning. Flags (`--result-delay-ms`), the options of
// startRegistry and POST /control/settings read this table.
export const settingTable = {
  resultDelayMs: {
    fallback: 300_000,
    least: 0,
    meaning: 'a batch result stays empty this long (300 s is the real rule)',
  },
  pullDelayMs: { fallback: 0, least: 0, meaning: 'changes younger than this are held back (the registry: one hour)' },
  ratePerSecond: { fallback: 10, least: 0, meaning: 'requests a second before 429 H124; 0 = no limit' },
  tokensPerHour: { fallback: 10, least: 0, meaning: 'token requests an hour before 429 H084; 0 = no limit' },
  statusPerHour: { fallback: 1_000, least: 0, meaning: 'single status queries an hour before 429 H086; 0 = no limit' },
  historyPerHour: { fallback: 100, least: 0, meaning: 'history queries an hour before 429 H089; 0 = no limit' },
  tokenLifetimeMs: { fallback: 7_200_000, least: 1, meaning: 'how long an access token is good' },
  refreshLifetimeMs: { fallback: 14_400_000, least: 1, meaning: 'how long a refresh token is good' },
  strictCodes: { fallback: 0, least: 0, meaning: '1 = only brands made by POST /control/brand are known (H353)' },
  businessDaysMax: {
    fallback: 3,
    least: 0,
    meaning: 'age of a consentDate in business days before H467; 0 = no limit',
  },
  pushTimeoutMs: { fallback: 5_000, least: 1, meaning: 'a push receiver must answer within this' },
  pushHttpsOnly: { fallback: 0, least: 0, meaning: '1 = a push address must be https, as the registry demands' },
} as const satisfies Record<string, { fallback: number; least: number; meaning: string }>;

type SettingName = keyof typeof settingTable;
export type Settings = Record<SettingName, number>;
export const settingNames = Object.keys(settingTable) as SettingName[];

export function defaultSettings(): Settings {
  return Object.fromEntries(settingNames.map(name => [name, settingTable[name].fallback])) as Settings;
}

/** Checks everything before it changes anything; returns what is wrong, or null. */
export function changeSettings(settings: Settings, wanted: Record<string, unknown>): string | null {
  for (const [name, value] of Object.entries(wanted)) {
    if (!Object.hasOwn(settingTable, name)) return `unknown setting ${name}; known: ${settingNames.join(', ')}`;
    const least = settingTable[name as SettingName].least;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least)
      return `${name} must be a whole number of at least ${least}`;
  }
  Object.assign(settings, wanted);
  return null;
}

export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}
