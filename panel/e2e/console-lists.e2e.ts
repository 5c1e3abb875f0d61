// Lists and files of numbers: blacklist, consents, recipients, uploads.
import './flows/blacklist.ts';
import './flows/consent.ts';
import './flows/files.ts';
import './flows/uploads.ts';
import './flows/lists.ts';
