// Contract of the panel: settings of an account and its keys.

import { keyScopes, limitMost } from '../../accounts/key-limits.ts';
import { type Static, Type } from '../../contract/type.ts';
import { limits } from '../../limits.ts';
import { ifGiven, maybe, orNull, someText, text, texts, whole } from '../contract/fields.ts';
import { mode, nothing, type Operations } from '../contract/shapes.ts';

/** Limits of a key; null: everything, or as much as the account. */
const keyLimits = {
  scopes: Type.Nullable(Type.Array(Type.Enum(keyScopes))),
  recipientsMax: Type.Nullable(Type.Number()),
  dailyMax: Type.Nullable(Type.Number()),
};
const apiKeyLine = Type.Object({
  key: Type.String(),
  /** '' if it has none. */
  name: Type.String(),
  createdAt: Type.String(),
  /** It was rotated and works until then. */
  endsAt: Type.Nullable(Type.String()),
  ...keyLimits,
  lastUse: Type.Nullable(
    Type.Object({
      at: Type.String(),
      address: Type.String(),
      operation: Type.String(),
    }),
  ),
});
export type ApiKeyLine = Static<typeof apiKeyLine>;
const settings = Type.Object({
  accountId: Type.Number(),
  name: Type.String(),
  apiEnabled: Type.Boolean(),
  mode: mode,
  abroad: Type.Boolean(),
  rate: Type.Number(),
  /** The legal words first, then those the account added. */
  optOutKeywords: Type.Array(Type.String()),
  /** Words that no account can remove. */
  legalKeywords: Type.Array(Type.String()),
  apiAddresses: Type.Array(Type.String()),
  panelAddresses: Type.Array(Type.String()),
  /** The caller's own address. */
  address: Type.String(),
  /** Who called the API in the last 7 days; `isListed` by the present list. */
  recentAddresses: Type.Array(
    Type.Object({
      address: Type.String(),
      calls: Type.Number(),
      refused: Type.Number(),
      lastAt: Type.String(),
      isListed: Type.Boolean(),
    }),
  ),
  /** The newest key without an end; null for viewers. The hash is never included. */
  key: Type.Nullable(apiKeyLine),
  /** All valid keys, newest first; empty for viewers. */
  keys: Type.Array(apiKeyLine),
  keysMax: Type.Number(),
  /** The login of older clients; null while it is off, and for viewers. */
  oldLogin: Type.Nullable(
    Type.Object({
      username: Type.String(),
      since: Type.String(),
    }),
  ),
  /** `key` is null for viewers. */
  oldKeys: Type.Array(
    Type.Object({
      key: Type.Nullable(Type.String()),
      keyStart: Type.String(),
      name: Type.String(),
      disabledAt: Type.String(),
      reason: Type.Nullable(Type.String()),
      refusedCalls: Type.Number(),
    }),
  ),
  retentionDays: Type.Number(),
  /** Credits below which the bell shows a notice, and whether the owner's phone gets one too. */
  lowBalance: Type.Nullable(Type.Number()),
  lowBalanceSms: Type.Boolean(),
});
export type Settings = Static<typeof settings>;
/** Hash and secret are in this answer and never again. */
const newKey = Type.Object({
  key: Type.String(),
  hash: Type.String(),
  secret: Type.String(),
});
const credentialVerdict = Type.Object({
  verdict: Type.Enum([
    'right',
    'blanks',
    'computed',
    'secret',
    'old-key',
    'wrong-hash',
    'foreign-key',
    'right-but-off',
    'right-but-address',
  ]),
  tr: Type.String(),
  en: Type.String(),
});
export type CredentialVerdict = Static<typeof credentialVerdict>;

const nameMax = 60;
const keyMax = 128;
const keepHoursMax = 720;

export const settingsOperations = {
  'settings.read': { input: nothing, output: settings },
  'settings.setApi': { input: Type.Object({ enabled: Type.Boolean() }), output: settings },
  /** The hash is in this answer and never again. */
  'settings.createKey': { input: Type.Object({ name: someText(nameMax) }), output: newKey },
  /**
   * One key: a new pair under its name, the old one valid for `keepHours` more (0 = ends at once, at most 720). Without `key`:
   * one new pair replaces all keys at once.
   */
  'settings.rotateKey': {
    input: Type.Object({ key: maybe(text(keyMax)), keepHours: maybe(whole(0, keepHoursMax)) }),
    output: newKey,
  },
  'settings.renameKey': { input: Type.Object({ key: text(keyMax), name: someText(nameMax) }), output: nothing },
  /** Applies from the next call on. */
  'settings.limitKey': {
    input: Type.Object({
      key: text(keyMax),
      scopes: orNull(Type.Array(Type.Enum(keyScopes), { minItems: 1, maxItems: keyScopes.length })),
      recipientsMax: orNull(whole(1, limitMost)),
      dailyMax: orNull(whole(1, limitMost)),
    }),
    output: nothing,
  },
  'settings.endKey': { input: Type.Object({ key: text(keyMax) }), output: nothing },
  /** Only a key that has ended: error `key-active`. */
  'settings.deleteKey': { input: Type.Object({ key: text(keyMax) }), output: nothing },
  /** User name and password for clients that do not support keys; a new password each time, in this answer and never again. */
  'settings.setOldLogin': {
    input: Type.Object({ enabled: Type.Boolean(), username: maybe(text(64)) }),
    output: Type.Object({
      login: Type.Nullable(
        Type.Object({
          username: Type.String(),
          password: Type.String(),
        }),
      ),
    }),
  },
  'settings.testCredentials': { input: Type.Object({ key: text(500), hash: text(500) }), output: credentialVerdict },
  /** `panel` without the caller's own address (and not empty): error `would-lock-out`. */
  'settings.setAddresses': {
    input: Type.Object({ list: Type.Enum(['api', 'panel']), addresses: texts(limits.ipAddresses, 60) }),
    output: settings,
  },
  'settings.setSending': {
    input: Type.Object({ mode: maybe(mode), abroad: maybe(Type.Boolean()), optOutKeywords: ifGiven(texts(50, 40)) }),
    output: settings,
  },
  'settings.setName': { input: Type.Object({ name: someText(200) }), output: settings },
  /** null: no notice. */
  'settings.setLowBalance': {
    input: Type.Object({ threshold: orNull(whole(1, 999_999_999)), sms: Type.Boolean() }),
    output: settings,
  },
} satisfies Operations;
