// Settings of developers and owners, and the numbers they read.
import './flows/webhook.ts';
import './flows/keys.ts';
import './flows/smpp.ts';
import './flows/developers.ts';
import './flows/docs.ts';
import './flows/reference.ts';
import './flows/sign-in.ts';
import './flows/figures.ts';
