// Making or rotating the key. The hash appears in one dialog, in the answer of one request, and nowhere else.
import { useState } from 'react';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';

type Issued = { key: string; hash: string; secret: string };

export function NewKeyButton({ hasKey, onIssued }: { hasKey: boolean; onIssued?: (issued: Issued) => void }) {
  const [shown, setShown] = useState<Issued | null>(null);
  const rotate = useChange('settings.rotateKey', {
    onDone: issued => {
      setShown(issued);
      onIssued?.(issued);
    },
  });
  const start = async () => {
    const question = {
      title: t.apiAccess.rotateTitle,
      body: t.apiAccess.rotateBody,
      action: t.apiAccess.rotate,
      danger: true,
    };
    if (hasKey && (await ask(question)) === null) return;
    rotate.mutate({});
  };
  const close = () => {
    setShown(null);
    rotate.reset();
  };
  const secrets: [string, string][] | null = shown && [
    [t.apiAccess.key, shown.key],
    [t.apiAccess.hash, shown.hash],
    [t.apiAccess.secret, shown.secret],
  ];
  return (
    <>
      <RoleButton
        need="owner"
        variant={hasKey ? 'default' : 'filled'}
        loading={rotate.isPending}
        onClick={() => void start()}
      >
        {hasKey ? t.apiAccess.rotate : t.apiAccess.create}
      </RoleButton>
      <SecretDialog title={t.apiAccess.newTitle} body={t.apiAccess.newBody} secrets={secrets} onClose={close} />
    </>
  );
}
