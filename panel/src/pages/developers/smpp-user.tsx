// One SMPP user: state, limits, pending receipts, last error, and its actions.
import { DataList, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { dateMinute, number } from '../../format.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Note } from '../../ui/notes.tsx';
import { Overlap } from '../../ui/overlap.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { SmppForm } from './smpp-form.tsx';

type Smpp = OutputOf<'smpp.list'>;
type User = Smpp['users'][number];
const usualKeepHours = 24;

const looks = {
  off: { tone: 'gray', icon: 'pause' },
  closed: { tone: 'orange', icon: 'slash' },
  bound: { tone: 'teal', icon: 'check' },
  idle: { tone: 'outline', icon: 'cut' },
} as const;

function stateOf({ enabled, addresses, bound }: Pick<User, 'enabled' | 'addresses' | 'bound'>): keyof typeof looks {
  if (!enabled) return 'off';
  if (bound > 0) return 'bound';
  return addresses.length === 0 ? 'closed' : 'idle';
}

export function SmppStateBadge({ user }: { user: User }) {
  const state = stateOf(user);
  return <Tone {...looks[state]}>{t.smpp.states[state]}</Tone>;
}

export const waitingText = ({ waiting, waitingMore }: User): string => `${number(waiting)}${waitingMore ? '+' : ''}`;

type Props = { user: User; limits: Smpp['limits']; onLogin: (login: OutputOf<'smpp.rotate'>) => void };

export function SmppUser({ user, limits, onLogin }: Props) {
  const [editing, setEditing] = useState(false);
  return (
    <Stack gap="md">
      {user.name && <Text c="dimmed">{user.name}</Text>}
      <div className="page-actions">
        <Actions user={user} onEdit={() => setEditing(true)} onLogin={onLogin} />
      </div>
      {!user.enabled && <Note>{t.smpp.offBody}</Note>}
      {user.enabled && user.addresses.length === 0 && <Note kind="warn">{t.smpp.closedBody}</Note>}
      {user.oldUntil && <Note>{t.smpp.oldUntil(dateMinute(user.oldUntil))}</Note>}
      {user.lastError && (
        <Note kind="bad" title={t.smpp.lastError}>
          <span className="mono">{user.lastError}</span> · <Time at={user.lastErrorAt} />
        </Note>
      )}
      <Facts user={user} />
      {editing && <SmppForm user={user} limits={limits} onClose={() => setEditing(false)} />}
    </Stack>
  );
}

function Actions({ user, onEdit, onLogin }: Pick<Props, 'user' | 'onLogin'> & { onEdit: () => void }) {
  const { systemId } = user;
  const toggle = useChange('smpp.save', { done: t.common.saved });
  const rotate = useChange('smpp.rotate', { onDone: onLogin });
  const remove = useChange('smpp.remove', { done: t.smpp.removed });
  const startRotation = async () => {
    let keepHours = usualKeepHours;
    const body = (
      <Overlap
        label={t.smpp.keep}
        first={usualKeepHours}
        atOnce={t.smpp.rotateNow}
        later={t.smpp.rotateLater}
        onChange={hours => (keepHours = hours)}
      />
    );
    const question = { title: t.smpp.rotateTitle(systemId), body, action: t.smpp.rotate };
    if ((await ask(question)) !== null) rotate.mutate({ systemId, keepHours });
  };
  const startToggle = async () => {
    const question = { title: t.smpp.offTitle(systemId), body: t.smpp.offAsk, action: t.smpp.turnOff, danger: true };
    if (!user.enabled || (await ask(question)) !== null) toggle.mutate({ systemId, enabled: !user.enabled });
  };
  const startRemoval = async () => {
    const body = t.smpp.removeBody(number(user.bound), waitingText(user));
    const question = { title: t.smpp.removeTitle(systemId), body, action: t.smpp.remove, danger: true };
    if ((await ask(question)) !== null) remove.mutate({ systemId });
  };
  return (
    <>
      <RoleButton need="owner" variant="default" onClick={onEdit}>
        {t.smpp.edit}
      </RoleButton>
      <RoleButton need="owner" variant="default" loading={rotate.isPending} onClick={() => void startRotation()}>
        {t.smpp.rotate}
      </RoleButton>
      <RoleButton need="owner" variant="default" loading={toggle.isPending} onClick={() => void startToggle()}>
        {user.enabled ? t.smpp.turnOff : t.smpp.turnOn}
      </RoleButton>
      <RoleButton
        need="owner"
        variant="subtle"
        color="red"
        loading={remove.isPending}
        onClick={() => void startRemoval()}
      >
        {t.smpp.remove}
      </RoleButton>
    </>
  );
}

function Facts({ user }: { user: User }) {
  const yesNo = (is: boolean) => (is ? t.common.yes : t.common.no);
  return (
    <>
      <DataList labelWidth={170}>
        <Fact label={t.smpp.addresses}>
          <Text span size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
            {user.addresses.join(', ') || '–'}
          </Text>
        </Fact>
        <Fact label={t.smpp.bindsMax}>{number(user.binds)}</Fact>
        <Fact label={t.smpp.rate}>{user.rate === null ? t.smpp.noRate : t.smpp.perSecond(number(user.rate))}</Fact>
        <Fact label={t.smpp.windows}>{`${number(user.window)} / ${number(user.receiptWindow)}`}</Fact>
        <Fact label={t.smpp.consentList}>{user.consentList ?? t.smpp.noList}</Fact>
        <Fact label={t.smpp.inbound}>{yesNo(user.inbound)}</Fact>
        <Fact label={t.smpp.duplicates}>{yesNo(user.duplicates)}</Fact>
      </DataList>
      <DataList labelWidth={170}>
        <Fact label={t.smpp.waiting}>{waitingText(user)}</Fact>
        <Fact label={t.smpp.oldest}>
          <Time at={user.oldestAt} />
        </Fact>
        <Fact label={t.smpp.refused}>{number(user.refused)}</Fact>
        <Fact label={t.smpp.expired}>{number(user.expired)}</Fact>
        <Fact label={t.smpp.lastBind}>
          <Time at={user.lastBindAt} /> {user.lastAddress && <span className="mono">{user.lastAddress}</span>}
        </Fact>
        <Fact label={t.smpp.created}>
          <Time at={user.createdAt} />
        </Fact>
      </DataList>
    </>
  );
}
