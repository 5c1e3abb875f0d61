// How a consent record is shown. A citizen's refusal is violet, not red: it is no error.

import type { SyncState } from '../../../../src/panel-api/consent/contract.ts';
import { t } from '../../text/language.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { PhoneNumber } from '../../ui/phone-number.tsx';
import { Tone, type ToneName } from '../../ui/tone.tsx';

const syncTones: Record<SyncState, ToneName> = { queued: 'gray', sent: 'blue', accepted: 'teal', refused: 'red' };
const syncIcons = { queued: 'clock', sent: 'arrow', accepted: 'check', refused: 'cross' } as const;

export function SyncBadge({ state }: { state: SyncState }) {
  return (
    <Tone tone={syncTones[state]} icon={syncIcons[state]}>
      {t.syncStates[state]}
    </Tone>
  );
}

export function ConsentStatusBadge({ status, counts = true }: { status: 'ONAY' | 'RET'; counts?: boolean }) {
  return (
    <Tone
      tone={!counts ? 'outline' : status === 'ONAY' ? 'teal' : 'violet'}
      icon={status === 'ONAY' ? 'check' : 'slash'}
      hint={counts ? undefined : t.consents.notCounting}
    >
      {t.consentStatuses[status]}
    </Tone>
  );
}

export function ConsentRecipient({ value }: { value: string }) {
  if (!value.includes('@')) return <PhoneNumber value={value} />;
  return (
    <span className="nowrap">
      {value}
      <CopyButton value={value} />
    </span>
  );
}
