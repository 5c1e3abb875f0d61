// Work of senders. The flows share one running program, because starting it costs as much as a flow.
import './flows/first-sms.ts';
import './flows/campaign.ts';
import './flows/drafts.ts';
import './flows/schedule.ts';
import './flows/offline.ts';
import './flows/account.ts';
