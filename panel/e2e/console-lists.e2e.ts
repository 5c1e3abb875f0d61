// Numbers in lists and files: blacklist, consents, recipients, and what takes long.
import './flows/blacklist.ts';
import './flows/consent.ts';
import './flows/files.ts';
import './flows/uploads.ts';
import './flows/lists.ts';
