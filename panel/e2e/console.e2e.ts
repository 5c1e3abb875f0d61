// What senders do in the console, one flow after another against one running program: starting it costs as much as a flow.
import './flows/first-sms.ts';
import './flows/campaign.ts';
import './flows/drafts.ts';
import './flows/schedule.ts';
import './flows/offline.ts';
import './flows/account.ts';
