// The messages with one number, oldest first, and a reply box. A reply is an order like any other: checked, priced and
// refused by the same path as the send page.
import { Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { NumberEvent } from '../../../../src/panel-api/orders/contract.ts';
import { randomKey, sentenceOf } from '../../api.ts';
import { phone } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useChange, useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Empty } from '../../ui/notes.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { useKeys } from '../../ui/shortcut-rules.ts';
import { MessageStateBadge } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

const refreshMs = 5_000;

type Said = Extract<NumberEvent, { kind: 'message' | 'inbound' }>;
const isSaid = (event: NumberEvent): event is Said => event.kind === 'message' || event.kind === 'inbound';

export function Conversation({ number }: { number: string }) {
  const read = useRead('number.read', { number }, { refetchMs: refreshMs, keep: false });
  const last = useRef<HTMLDivElement>(null);
  const said = read.data?.events.filter(isSaid).reverse() ?? [];
  const newest = said.at(-1)?.at;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest message is what is scrolled to.
  useEffect(() => {
    // It answers with a promise in newer browsers, which must not be taken for a clean-up.
    void last.current?.scrollIntoView({ block: 'nearest' });
  }, [newest]);
  if (!read.data) return <ReadState of={read} height={240} />;
  return (
    <Stack gap="md" className="conversation">
      <ReadState of={read} />
      {said.length === 0 && <Empty title={t.inbox.empty} />}
      <Stack gap="sm" component="ol" className="talk" aria-label={t.inbox.talk(phone(number))}>
        {said.map(event => (
          <Bubble key={`${event.kind}${event.at}${event.kind === 'message' ? event.messageId : ''}`} event={event} />
        ))}
      </Stack>
      <Link to={paths.number(number)} className="link">
        {t.message.openNumber}
      </Link>
      <ReplyBox number={number} />
      <div ref={last} />
    </Stack>
  );
}

function Bubble({ event }: { event: Said }) {
  const isOurs = event.kind === 'message';
  return (
    <li className={isOurs ? 'bubble ours' : 'bubble'}>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {isOurs ? event.textStart : event.text}
      </Text>
      <Group gap="sm">
        <Text size="xs" c="dimmed" span>
          {isOurs ? event.sender : t.inbox.they} · <Time at={event.at} />
        </Text>
        {isOurs && <MessageStateBadge state={event.state} />}
      </Group>
    </li>
  );
}

function ReplyBox({ number }: { number: string }) {
  const senders = useRead('send.options', {}).data?.senders ?? [];
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  // One key per text: a repeated click sends once, and another text is another reply.
  const [key, setKey] = useState(randomKey);
  const send = useChange('send.submit', {
    done: t.inbox.replied,
    ownErrors: true,
    onDone: () => {
      setText('');
      setKey(randomKey());
    },
  });
  const sender = chosen ?? senders[0] ?? '';
  const field = useRef<HTMLTextAreaElement>(null);
  useKeys({
    r: event => {
      event.preventDefault();
      field.current?.focus();
    },
  });
  const submit = () =>
    send.mutate({ sender, text, recipients: [number], sendAt: null, commercial: false, idempotencyKey: key });
  return (
    <Stack gap="sm" className="reply">
      <Textarea
        label={t.inbox.reply}
        value={text}
        onChange={event => {
          setText(event.currentTarget.value);
          setKey(randomKey());
        }}
        error={send.error ? sentenceOf(send.error) : undefined}
        ref={field}
        autosize
        minRows={2}
        maxRows={6}
      />
      <Group gap="sm" align="flex-end" justify="space-between">
        <NativeSelect
          label={t.send.sender}
          data={senders}
          value={sender}
          onChange={event => setChosen(event.currentTarget.value)}
        />
        <RoleButton
          need="sender"
          leftSection={<IconSend size={16} />}
          loading={send.isPending}
          disabled={text.trim() === '' || sender === ''}
          onClick={submit}
        >
          {t.inbox.sendReply}
        </RoleButton>
      </Group>
    </Stack>
  );
}
