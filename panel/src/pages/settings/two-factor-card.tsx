// The second factor: QR code, one code to prove it works, recovery codes shown once.
import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { sentenceOf } from '../../api.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { downloadText } from '../../ui/download.ts';
import { Note } from '../../ui/notes.tsx';

type Asking = 'turn-on' | 'turn-off' | 'renew' | null;

export function TwoFactorCard({ profile }: { profile: OutputOf<'profile.read'> }) {
  const [asking, setAsking] = useState<Asking>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [enrolment, setEnrolment] = useState<{ secret: string; uri: string } | null>(null);
  const start = useChange('profile.totpStart', { ownErrors: true, onDone: setEnrolment });
  const disable = useChange('profile.totpDisable', { ownErrors: true, done: t.profile.turnedOff });
  const renew = useChange('profile.recoveryRenew', {
    ownErrors: true,
    onDone: ({ recoveryCodes }) => setCodes(recoveryCodes),
  });
  const changes = { 'turn-on': start, 'turn-off': disable, renew } as const;
  const actions = profile.hasTotp ? (
    <>
      <Button variant="default" onClick={() => setAsking('renew')}>
        {t.profile.renew}
      </Button>
      <Button variant="default" onClick={() => setAsking('turn-off')}>
        {t.profile.turnOff}
      </Button>
    </>
  ) : (
    <Button onClick={() => setAsking('turn-on')}>{t.profile.turnOn}</Button>
  );
  return (
    <Card title={t.profile.twoFactor} actions={actions}>
      <Text size="sm">
        {profile.hasTotp ? t.profile.twoFactorOn(profile.recoveryCodesLeft) : t.profile.twoFactorOff}
      </Text>
      <PasswordDialog
        opened={asking !== null}
        error={asking ? changes[asking].error : null}
        busy={asking ? changes[asking].isPending : false}
        onClose={() => setAsking(null)}
        onSubmit={password => asking && changes[asking].mutate({ password }, { onSuccess: () => setAsking(null) })}
      />
      <EnrolDialog
        enrolment={enrolment}
        onClose={() => setEnrolment(null)}
        onCodes={given => {
          setEnrolment(null);
          setCodes(given);
        }}
      />
      <CodesDialog codes={codes} onClose={() => setCodes(null)} />
    </Card>
  );
}

function PasswordDialog(props: {
  opened: boolean;
  error: unknown;
  busy: boolean;
  onClose: () => void;
  onSubmit: (password: string) => void;
}) {
  const [password, setPassword] = useState('');
  useEffect(() => {
    if (props.opened) setPassword('');
  }, [props.opened]);
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={t.profile.twoFactor}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <form
        onSubmit={event => {
          event.preventDefault();
          props.onSubmit(password);
        }}
      >
        <Stack gap="sm">
          {props.error ? <Note kind="bad">{sentenceOf(props.error)}</Note> : null}
          <PasswordInput
            label={t.profile.current}
            autoComplete="current-password"
            data-autofocus
            value={password}
            onChange={event => setPassword(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={props.busy}>
              {t.common.next}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function EnrolDialog(props: {
  enrolment: { secret: string; uri: string } | null;
  onClose: () => void;
  onCodes: (codes: string[]) => void;
}) {
  const [code, setCode] = useState('');
  const [picture, setPicture] = useState<string | null>(null);
  const confirm = useChange('profile.totpConfirm', {
    ownErrors: true,
    onDone: ({ recoveryCodes }) => props.onCodes(recoveryCodes),
  });
  const uri = props.enrolment?.uri;
  useEffect(() => {
    if (!uri) return;
    void import('qrcode')
      .then(({ default: qr }) => qr.toString(uri, { type: 'svg', margin: 1 }))
      .then(svg => setPicture(`data:image/svg+xml,${encodeURIComponent(svg)}`));
  }, [uri]);
  return (
    <Modal
      opened={props.enrolment !== null}
      onClose={props.onClose}
      title={t.profile.twoFactor}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <form
        onSubmit={event => {
          event.preventDefault();
          confirm.mutate({ code: code.replace(/\s/g, '') });
        }}
      >
        <Stack gap="sm">
          <Text size="sm">{t.profile.scan}</Text>
          {picture && <img src={picture} alt="QR" width={200} height={200} className="qr" />}
          <Group gap={4}>
            <Text size="sm">{t.profile.secret}:</Text>
            <code className="mono" data-testid="totp-secret">
              {props.enrolment?.secret}
            </code>
            <CopyButton value={props.enrolment?.secret ?? ''} />
          </Group>
          {confirm.error ? <Note kind="bad">{sentenceOf(confirm.error)}</Note> : null}
          <TextInput
            label={t.profile.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            className="mono-input"
            value={code}
            onChange={event => setCode(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={confirm.isPending}>
              {t.profile.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function CodesDialog({ codes, onClose }: { codes: string[] | null; onClose: () => void }) {
  return (
    <Modal
      opened={codes !== null}
      onClose={() => undefined}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      title={t.profile.recovery}
    >
      <Stack gap="sm">
        <Text size="sm">{t.profile.recoveryBody}</Text>
        <pre className="code">{codes?.join('\n')}</pre>
        <Group justify="space-between">
          <Group gap="sm">
            <Button
              variant="default"
              onClick={() => downloadText(`${t.files.recoveryCodes}.txt`, `${codes?.join('\n')}\n`, 'text/plain')}
            >
              {t.profile.download}
            </Button>
            <Button variant="default" onClick={() => window.print()}>
              {t.profile.print}
            </Button>
          </Group>
          <Button onClick={onClose} data-autofocus>
            {t.apiAccess.saved}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
