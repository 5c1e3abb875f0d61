// Stores the draft on the server and, if it has recipients, checks it. Several requests may be in flight, one for each change:
// only the newest one's answer counts, and only it is repeated after a new sign-in. An older one repeated as well could overtake
// it (stored-draft.ts), and its answer would never be used.
import type { PanelError } from '../../../../src/panel-api/contract/shapes.ts';
import { call, Fault } from '../../api.ts';
import type { OnShare } from '../../progress-post.ts';
import { askBook } from '../../recipients/client.ts';
import type { Requests } from '../../recipients/messages.ts';
import { currentDraft, headOf, keepDraft } from './draft.ts';

type Kept = Requests['keep']['out'];
export type Ways = { ask: (onShare: OnShare) => Promise<Kept>; signIn: () => Promise<unknown> };

const usualWays: Ways = {
  ask: onShare => {
    const draft = currentDraft();
    return askBook('keep', { head: headOf(draft), fileName: draft.fileName }, onShare);
  },
  // Any call that needs a session opens the dialog and waits for it.
  signIn: () => call('send.options', {}),
};

export async function keepOnServer(key: string, ways: Ways = usualWays): Promise<void> {
  const isCurrent = () => currentDraft().key === key;
  try {
    while (isCurrent()) {
      const kept = await ways.ask(share => isCurrent() && keepDraft({ share }));
      if (!kept || !isCurrent()) return;
      const fault = take(key, kept);
      if (fault?.code !== 'signed-out') return;
      await ways.signIn();
    }
  } catch (error) {
    if (isCurrent()) keepDraft({ isChecking: false, share: null, failure: error });
  }
}

/** Into the draft; what is in the way, if anything is. */
function take(key: string, kept: NonNullable<Kept>): PanelError | null {
  keepDraft({ share: null });
  if (!kept.ok) return refused(kept.error);
  keepDraft({ id: kept.data.id, keptKey: key });
  const { preview } = kept.data;
  if (preview && !preview.ok) return refused(preview.error);
  keepDraft({ isChecking: false, ...(preview ? { preview: preview.data, previewKey: key, failure: null } : {}) });
  return null;
}

function refused(error: PanelError): PanelError {
  if (error.code !== 'signed-out') keepDraft({ isChecking: false, failure: new Fault(error) });
  return error;
}
