// A real call of the public API from this page, with a body to change.
import { Button, Group, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { exampleBody, type Sample } from '../../../../src/api/snippets.ts';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Note } from '../../ui/notes.tsx';
import { CallResultView } from './call-result.tsx';
import { type CallResult, callApi, callMemory } from './real-call.ts';

type Operation = OutputOf<'developers.read'>['operations'][number];

export function TryIt({ operation, sample }: { operation: Operation; sample: Sample }) {
  const [key, setKey] = useState(sample.key ?? '');
  const [hash, setHash] = useState(callMemory.hash);
  const [body, setBody] = useState(() => withoutCredentials(exampleBody(operation.name, sample)));
  const [result, setResult] = useState<CallResult | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const call = async () => {
    setFailure(null);
    const request = parsed(body);
    if (!request) return setFailure(t.docs.badJson);
    setBusy(true);
    try {
      setResult(await callApi(operation.path, { key, hash }, request));
    } catch {
      setFailure(t.load.unreachable);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card>
      <Stack gap="sm">
        <Note kind={operation.name === 'send-sms' ? 'warn' : 'info'}>
          {operation.name === 'send-sms' ? t.docs.tryCost : t.docs.tryNote}
        </Note>
        <TextInput
          label={t.docs.key}
          className="mono-input"
          value={key}
          onChange={event => setKey(event.currentTarget.value)}
          autoComplete="off"
        />
        <PasswordInput
          label={t.docs.hash}
          description={t.docs.hashHint}
          value={hash}
          onChange={event => setHash(event.currentTarget.value)}
          autoComplete="off"
        />
        <Textarea
          label={t.docs.body}
          autosize
          minRows={3}
          value={body}
          onChange={event => setBody(event.currentTarget.value)}
          className="mono-input"
        />
        {failure && <Note kind="bad">{failure}</Note>}
        <Group>
          <Button loading={busy} onClick={() => void call()}>
            {t.docs.call}
          </Button>
        </Group>
        {result && <CallResultView result={result} />}
      </Stack>
    </Card>
  );
}

function withoutCredentials(example: ReturnType<typeof exampleBody>): string {
  const { authentication: _, ...rest } = example.request;
  return JSON.stringify(rest, null, 2);
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
