// What developers and owners set in the console, and the figures they read there.
import './flows/webhook.ts';
import './flows/keys.ts';
import './flows/smpp.ts';
import './flows/developers.ts';
import './flows/docs.ts';
import './flows/reference.ts';
import './flows/sign-in.ts';
import './flows/figures.ts';
