// Everything people do in the console, one flow after another against one running program: starting it costs as much as
// a flow.
import './flows/first-sms.ts';
import './flows/campaign.ts';
import './flows/drafts.ts';
import './flows/schedule.ts';
import './flows/blacklist.ts';
import './flows/lists.ts';
import './flows/consent.ts';
import './flows/webhook.ts';
import './flows/keys.ts';
import './flows/staff.ts';
import './flows/sign-in.ts';
import './flows/keyboard.ts';
import './flows/figures.ts';
import './flows/habits.ts';
