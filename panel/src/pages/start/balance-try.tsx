// Calls get-balance over the public API with key and hash, and shows the raw answer.
import { Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { CallResultView } from '../developers/call-result.tsx';
import { type CallResult, callApi, callMemory } from '../developers/real-call.ts';

export const balanceTryId = 'bakiye-dene';
const path = '/v1/get-balance/json';

export function BalanceTry({ apiKey, issued }: { apiKey: string; issued: string }) {
  const client = useQueryClient();
  const [key, setKey] = useState(apiKey);
  const [hash, setHash] = useState(issued || callMemory.hash);
  const [result, setResult] = useState<CallResult | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const call = async () => {
    setFailure(null);
    setBusy(true);
    try {
      setResult(await callApi(path, { key: key.trim(), hash: hash.trim() }));
      void client.invalidateQueries();
    } catch {
      setFailure(t.load.unreachable);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="sm" id={balanceTryId}>
      <TextInput
        label={t.docs.key}
        className="mono-input"
        autoComplete="off"
        value={key}
        onChange={event => setKey(event.currentTarget.value)}
      />
      <PasswordInput
        label={t.docs.hash}
        description={t.docs.hashHint}
        autoComplete="off"
        value={hash}
        onChange={event => setHash(event.currentTarget.value)}
      />
      <Group>
        <RoleButton need="sender" variant="default" loading={busy} onClick={() => void call()}>
          {t.start.callBalance}
        </RoleButton>
      </Group>
      {failure && <Note kind="bad">{failure}</Note>}
      {result?.code === 401 && <Note kind="warn">{t.start.balanceRefused}</Note>}
      {result && <CallResultView result={result} />}
    </Stack>
  );
}
