// Every sentence of the console in English; the Turkish table is the original and the type.
import { account } from './en/account.ts';
import { developers } from './en/developers.ts';
import { entry } from './en/entry.ts';
import { frame } from './en/frame.ts';
import { messages } from './en/messages.ts';
import { recipients } from './en/recipients.ts';
import { settings } from './en/settings.ts';
import { staff } from './en/staff.ts';
import type { Text } from './tr.ts';

export const en: Text = {
  ...entry,
  ...frame,
  ...messages,
  ...recipients,
  ...account,
  ...developers,
  ...settings,
  ...staff,
};
