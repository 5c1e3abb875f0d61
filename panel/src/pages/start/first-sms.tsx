// The first SMS: everything filled in, one button, and its way followed on the same card. A failure shows its reason
// here, not in a toast.
import { NativeSelect, Stack, Text, Textarea, TextInput, Timeline } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { prepareText } from '../../../../src/text/prepare.ts';
import { sentenceOf } from '../../api.ts';
import { duration, number, phone } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useChange, useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Note } from '../../ui/notes.tsx';
import { RoleButton } from '../../ui/role-button.tsx';

const busyMs = 1_000;
type Order = OutputOf<'orders.read'>;
type Message = OutputOf<'orders.recipients'>['rows'][number];

export function FirstSms() {
  const options = useRead('send.options', {}).data;
  const [given, setGiven] = useState<{ to?: string; sender?: string; text?: string }>({});
  const [orderId, setOrderId] = useState<number | null>(null);
  const submit = useChange('send.submit', { ownErrors: true, onDone: ({ orderId: id }) => setOrderId(id) });
  const to = given.to ?? (options?.ownMobile ? phone(options.ownMobile) : '');
  const sender = given.sender ?? options?.senders[0] ?? '';
  const text = given.text ?? t.start.sample;
  const prepared = prepareText(text, options?.mode ?? 'english');
  const send = () => {
    const idempotencyKey = `first-${sender}-${to}-${Date.now()}`.replace(/[^\w-]/g, '');
    submit.mutate({ sender, text, recipients: [to], sendAt: null, commercial: false, idempotencyKey });
  };
  return (
    <Card title={t.start.firstTitle} hint={t.start.firstLead}>
      <Stack gap="sm">
        <TextInput
          label={t.start.to}
          type="tel"
          value={to}
          onChange={event => setGiven({ ...given, to: event.currentTarget.value })}
        />
        <NativeSelect
          label={t.start.from}
          data={options?.senders ?? []}
          value={sender}
          onChange={event => setGiven({ ...given, sender: event.currentTarget.value })}
        />
        <Textarea
          label={t.start.text}
          autosize
          minRows={2}
          value={text}
          onChange={event => setGiven({ ...given, text: event.currentTarget.value })}
        />
        <Text size="sm" c="dimmed">
          {t.send.counter(
            t.encodings[prepared.encoding],
            number(prepared.units),
            number(prepared.parts),
            number(prepared.parts),
          )}
        </Text>
        {submit.error ? <Note kind="bad">{sentenceOf(submit.error)}</Note> : null}
        <RoleButton need="sender" loading={submit.isPending} onClick={send}>
          {t.start.send}
        </RoleButton>
        {orderId !== null && <Progressing orderId={orderId} />}
      </Stack>
    </Card>
  );
}

const isFinal = (message: Message | undefined): boolean =>
  message !== undefined && message.state !== 'queued' && message.state !== 'with-carrier';

function Progressing({ orderId }: { orderId: number }) {
  const pace = (data?: Order) => (data === undefined || data.state === 'sending' ? busyMs : false);
  const order = useRead('orders.read', { id: orderId }, { refetchMs: pace, keep: false }).data;
  // Until the message itself is final: the order may be read as finished before the message was read again.
  const message = useRead(
    'orders.recipients',
    { id: orderId },
    { refetchMs: data => (isFinal(data?.rows[0]) ? false : busyMs), keep: false },
  ).data?.rows[0];
  const final = isFinal(message);
  const stage = final ? 3 : message?.state === 'with-carrier' ? 2 : 1;
  const took =
    message?.finalAt && order ? duration(new Date(message.finalAt).getTime() - new Date(order.submitAt).getTime()) : '';
  const last =
    message?.state === 'delivered'
      ? t.start.arrived(took)
      : message && final
        ? t.messageStates[message.state]
        : t.messageStates.delivered;
  return (
    <div role="status" data-testid="first-sms-state" data-state={message?.state}>
      <Timeline active={stage - 1} bulletSize={16} lineWidth={2}>
        <Timeline.Item title={t.message.accepted} />
        <Timeline.Item title={t.messageStates['with-carrier']} />
        <Timeline.Item title={last}>
          {message?.reason && (
            <Text size="sm">
              {inOurs(message.reason)} {inOurs(message.reason.advice)}
            </Text>
          )}
        </Timeline.Item>
      </Timeline>
      <Link to={paths.order(String(orderId))} className="link">
        {t.start.openOrder}
      </Link>
    </div>
  );
}
