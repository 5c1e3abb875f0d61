// Every sentence of the console in Turkish, part by part (tests read them together; pages load the parts they need). This
// table is the type of the dictionary: the English one must have the same keys with the same parameters, or the build fails.
// Words follow one glossary (sipariş, başlık, izin, …).
import { account } from './tr/account.ts';
import { developers } from './tr/developers.ts';
import { entry } from './tr/entry.ts';
import { frame } from './tr/frame.ts';
import { messages } from './tr/messages.ts';
import { recipients } from './tr/recipients.ts';
import { settings } from './tr/settings.ts';
import { staff } from './tr/staff.ts';

export const tr = { ...entry, ...frame, ...messages, ...recipients, ...account, ...developers, ...settings, ...staff };

export type Text = typeof tr;
