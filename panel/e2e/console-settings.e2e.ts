// What developers, owners and the operator's staff do in the console, the habits of all pages, and what takes long.
import './flows/webhook.ts';
import './flows/keys.ts';
import './flows/developers.ts';
import './flows/reference.ts';
import './flows/staff.ts';
import './flows/staff-watch.ts';
import './flows/sign-in.ts';
import './flows/keyboard.ts';
import './flows/figures.ts';
import './flows/habits.ts';
import './flows/uploads.ts';
import './flows/lists.ts';
import './flows/arrival.ts';
// Last: a new version of the terms asks everybody to accept it.
import './flows/legal.ts';
