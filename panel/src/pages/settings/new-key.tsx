// Making or rotating a key. The hash appears in one dialog, in the answer of one request, and nowhere else. The dialog belongs
// to the page: the button that was pressed goes away with the key that it rotated.
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { Overlap } from '../../ui/overlap.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';

export type Issued = OutputOf<'settings.createKey'>;
type Props = { onIssued: (issued: Issued) => void; size?: string };

/** Rotates a key; the old pair stays valid for the chosen time. */
export function RotateKeyButton({ apiKey, size, onIssued }: Props & { apiKey: string }) {
  const rotate = useChange('settings.rotateKey', { onDone: onIssued });
  const start = async () => {
    let keepHours = 0;
    const question = {
      title: t.apiAccess.rotateTitle,
      body: (
        <Overlap
          label={t.keys.keep}
          atOnce={t.apiAccess.rotateBody}
          later={t.keys.keepBody}
          onChange={hours => (keepHours = hours)}
        />
      ),
      action: t.apiAccess.rotate,
      danger: true,
    };
    if ((await ask(question)) !== null) rotate.mutate({ key: apiKey, keepHours });
  };
  return (
    <RoleButton
      need="owner"
      variant="default"
      size={size ?? 'sm'}
      loading={rotate.isPending}
      onClick={() => void start()}
    >
      {t.apiAccess.rotate}
    </RoleButton>
  );
}

/** One more key, under a name. */
export function CreateKeyButton({ filled, onIssued }: Props & { filled: boolean }) {
  const create = useChange('settings.createKey', { onDone: onIssued });
  const start = async () => {
    const question = { title: t.keys.createTitle, body: t.keys.createBody, action: t.keys.make, reason: t.keys.name };
    const name = await ask(question);
    if (name !== null) create.mutate({ name });
  };
  return (
    <RoleButton
      need="owner"
      variant={filled ? 'filled' : 'default'}
      loading={create.isPending}
      onClick={() => void start()}
    >
      {t.apiAccess.create}
    </RoleButton>
  );
}

export function NewPair({ shown, onClose }: { shown: Issued | null; onClose: () => void }) {
  const secrets: [string, string][] | null = shown && [
    [t.apiAccess.key, shown.key],
    [t.apiAccess.hash, shown.hash],
    [t.apiAccess.secret, shown.secret],
  ];
  return <SecretDialog title={t.apiAccess.newTitle} body={t.apiAccess.newBody} secrets={secrets} onClose={onClose} />;
}
