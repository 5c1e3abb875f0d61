// A real call of the public API from this page. Key and hash live in the memory of the page only: not in storage, not
// in the address, gone with the next reload.
import { Button, Group, PasswordInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { duration } from '../../format.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Note } from '../../ui/notes.tsx';
import { exampleBody } from './snippets.ts';

type Operation = OutputOf<'developers.read'>['operations'][number];
type Result = { code: number; ms: number; body: string };

// Kept between operations of one visit.
const memory = { hash: '' };

export function TryIt({ operation, apiKey }: { operation: Operation; apiKey: string }) {
  const [key, setKey] = useState(apiKey);
  const [hash, setHash] = useState(memory.hash);
  const [body, setBody] = useState(() => withoutCredentials(exampleBody(operation.name, '')));
  const [result, setResult] = useState<Result | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const call = async () => {
    setFailure(null);
    const request = parsed(body);
    if (!request) return setFailure(t.docs.badJson);
    memory.hash = hash;
    setBusy(true);
    const started = performance.now();
    try {
      const content = JSON.stringify({ request: { authentication: { key, hash }, ...request } });
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(operation.path, {
        method: 'POST',
        headers,
        body: content,
        credentials: 'omit',
      });
      const text = await answer.text();
      setResult({ code: answer.status, ms: performance.now() - started, body: pretty(text) });
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
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        />
        {failure && <Note kind="bad">{failure}</Note>}
        <Group>
          <Button loading={busy} onClick={() => void call()}>
            {t.docs.call}
          </Button>
        </Group>
        {result && (
          <div role="status" data-testid="try-result">
            <Text size="sm" fw={600} mb={4}>
              {t.docs.answer(result.code, duration(result.ms))}
            </Text>
            <CodeBlock code={result.body} wrap />
          </div>
        )}
      </Stack>
    </Card>
  );
}

function withoutCredentials(example: unknown): string {
  const { authentication: _, ...rest } = (example as { request: Record<string, unknown> }).request;
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

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
