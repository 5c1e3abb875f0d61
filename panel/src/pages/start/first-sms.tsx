// The first SMS: everything filled in, one button, and its way followed station by station in the same place. A failure shows
// its reason here, not in a toast. On the page of first steps, and in place of an overview that has nothing to show yet.
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { prepareText } from '../../../../src/text/prepare.ts';
import { sentenceOf } from '../../api.ts';
import { duration, number, phone } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useChange, useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { type StationLook, StationMark } from '../../ui/station-mark.tsx';

const busyMs = 1_000;
type Order = OutputOf<'orders.read'>;
type Message = OutputOf<'orders.recipients'>['rows'][number];

export function FirstSms() {
  const read = useRead('send.options', {});
  const options = read.data;
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
    <section className="panel-card first-sms" aria-label={t.start.firstTitle}>
      {orderId === null ? <Stations reached={0} /> : <Progressing orderId={orderId} />}
      {read.error ? <ReadState of={read} /> : null}
      <div className="field-pair">
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
      </div>
      <Textarea
        label={t.start.text}
        autosize
        minRows={2}
        value={text}
        onChange={event => setGiven({ ...given, text: event.currentTarget.value })}
      />
      {submit.error ? <Note kind="bad">{sentenceOf(submit.error)}</Note> : null}
      <div className="form-foot">
        <span className="soft">
          {t.send.counter(
            t.encodings[prepared.encoding],
            number(prepared.units),
            number(prepared.parts),
            number(prepared.parts),
          )}
        </span>
        <RoleButton need="sender" size="lg" loading={submit.isPending} onClick={send}>
          {t.start.send}
        </RoleButton>
      </div>
    </section>
  );
}

/** Five stations beside each other: those behind are ticked, the one it is at leans. */
function Stations({ reached, failed = false }: { reached: number; failed?: boolean }) {
  const look = (at: number): StationLook => {
    if (at < reached) return 'holds';
    if (at > reached) return 'open';
    return failed ? 'failed' : reached === 0 ? 'inside' : 'moving';
  };
  return (
    <ol className="way">
      {t.start.stations.map((name, at) => (
        <li key={name} data-look={look(at)}>
          <StationMark state={look(at)} />
          <span>{name}</span>
        </li>
      ))}
    </ol>
  );
}

const isFinal = (message: Message | undefined): boolean =>
  message !== undefined && message.state !== 'queued' && message.state !== 'with-carrier';

function reachedBy(message: Message | undefined): number {
  if (message?.state === 'delivered') return 5;
  if (message?.state === 'filtered') return 1;
  if (message && isFinal(message)) return 4;
  return message?.state === 'with-carrier' ? 3 : 2;
}

function Progressing({ orderId }: { orderId: number }) {
  const pace = (data?: Order) => (data === undefined || data.state === 'sending' ? busyMs : false);
  const order = useRead('orders.read', { id: orderId }, { refetchMs: pace, keep: false }).data;
  // Until the message itself is final: the order may be read as finished before the message was read again.
  const message = useRead(
    'orders.recipients',
    { id: orderId },
    { refetchMs: data => (isFinal(data?.rows[0]) ? false : busyMs), keep: false },
  ).data?.rows[0];
  const isArrived = message?.state === 'delivered';
  const took =
    message?.finalAt && order ? duration(new Date(message.finalAt).getTime() - new Date(order.submitAt).getTime()) : '';
  return (
    <div role="status" data-testid="first-sms-state" data-state={message?.state}>
      <Stations reached={reachedBy(message)} failed={isFinal(message) && !isArrived} />
      <div className="way-words">
        <b className={isArrived ? 'good' : undefined}>
          {isArrived
            ? t.start.arrived(took)
            : message && isFinal(message)
              ? t.messageStates[message.state]
              : t.start.watching}
        </b>
        {message?.reason && (
          <span>
            {inOurs(message.reason)} {inOurs(message.reason.advice)}
          </span>
        )}
        <Link to={paths.order(String(orderId))} className="link">
          {t.start.openOrder}
        </Link>
      </div>
    </div>
  );
}
