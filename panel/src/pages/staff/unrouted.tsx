// Messages to numbers without an account: the numbers and what can be done about each, and below them the messages.
import { Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number as figure, phone } from '../../format.ts';
import { placeFault } from '../../forms/form-faults.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { List } from '../../ui/list.tsx';
import { asNumber } from '../../ui/list-shape.ts';
import { Empty, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';

type Unrouted = OutputOf<'staff.unrouted'>;
type NumberLine = Unrouted['numbers'][number];
const refreshMs = 10_000;

export default function StaffUnroutedPage() {
  const [assigned, setAssigned] = useState<string | null>(null);
  const remove = useChange('staff.deleteUnrouted', { done: ({ deleted }) => t.unrouted.removed(figure(deleted)) });
  const start = async ({ number, messages, lastAt }: NumberLine) => {
    const body = t.unrouted.removeBody(figure(messages));
    const question = { title: t.unrouted.removeTitle(phone(number)), body, action: t.unrouted.remove, danger: true };
    if ((await ask(question)) !== null) remove.mutate({ number, until: lastAt });
  };
  const numbers = useList('staff.unrouted', {
    name: 'unrouted-numbers',
    label: t.unrouted.numbers,
    rows: data => data.numbers,
    rowKey: row => row.number,
    columns: () => numberColumns(setAssigned, row => void start(row)),
    refetchMs: refreshMs,
    empty: <Empty title={t.unrouted.empty}>{t.unrouted.emptyBody}</Empty>,
  });
  const messages = useList('staff.unrouted', {
    name: 'unrouted-messages',
    label: t.unrouted.messages,
    rows: data => data.messages,
    rowKey: row => row.key,
    columns: messageColumns,
    refetchMs: refreshMs,
    empty: null,
  });
  const { data } = messages;
  return (
    <Page title={t.unrouted.title} lead={t.unrouted.lead}>
      {data && !data.isComplete && <Note kind="info">{t.unrouted.newestOnly(figure(data.messages.length))}</Note>}
      <List of={numbers} />
      {data && data.messages.length > 0 && (
        <>
          <h2>{t.unrouted.messages}</h2>
          <List of={messages} />
        </>
      )}
      {assigned !== null && <Assign key={assigned} number={assigned} onClose={() => setAssigned(null)} />}
    </Page>
  );
}

function Assign({ number, onClose }: { number: string; onClose: () => void }) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: { id: '', keyword: '' },
    validate: { id: value => (asNumber(value.trim()) === undefined ? t.unrouted.needAccount : null) },
  });
  const assign = useChange('staff.assignUnrouted', {
    ownErrors: true,
    done: ({ routed, isComplete }) =>
      isComplete ? t.unrouted.assigned(figure(routed)) : t.unrouted.assignedMore(figure(routed)),
    onDone: onClose,
  });
  const submit = form.onSubmit(({ id, keyword }) => {
    setFailure(null);
    const input = { id: Number(id), number, keyword: keyword.trim() || undefined };
    assign.mutate(input, { onError: error => setFailure(placeFault(form, error)) });
  });
  return (
    <FormDialog
      opened
      title={t.unrouted.assignTitle(phone(number))}
      failure={failure}
      onClose={onClose}
      onSubmit={submit}
      action={t.unrouted.assign}
      busy={assign.isPending}
    >
      <TextInput label={t.unrouted.account} inputMode="numeric" data-autofocus {...form.getInputProps('id')} />
      <TextInput
        label={`${t.unrouted.keyword} (${t.common.optional})`}
        description={t.unrouted.keywordHint}
        {...form.getInputProps('keyword')}
      />
    </FormDialog>
  );
}

function numberColumns(assign: (number: string) => void, remove: (row: NumberLine) => void): Column<NumberLine>[] {
  return [
    {
      id: 'number',
      header: t.unrouted.number,
      cell: row => <span className="nowrap">{phone(row.number)}</span>,
      phone: 'title',
    },
    {
      id: 'count',
      header: t.unrouted.count,
      align: 'right',
      cell: row => figure(row.messages),
      phone: 'state',
      phoneLabel: true,
    },
    { id: 'last', header: t.unrouted.last, cell: row => <Time at={row.lastAt} />, phone: 'line' },
    { id: 'word', header: t.unrouted.firstWord, cell: row => row.firstWord, phone: 'line', phoneLabel: true },
    {
      id: 'do',
      header: '',
      align: 'right',
      phone: 'line',
      cell: row => (
        <Group gap="sm" justify="flex-end" wrap="nowrap">
          <Button size="compact-xs" variant="default" onClick={() => assign(row.number)}>
            {t.unrouted.assign}
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => remove(row)}>
            {t.unrouted.remove}
          </Button>
        </Group>
      ),
    },
  ];
}

function messageColumns(): Column<Unrouted['messages'][number]>[] {
  return [
    { id: 'received', header: t.unrouted.received, cell: row => <Time at={row.receivedAt} />, phone: 'line' },
    {
      id: 'from',
      header: t.unrouted.from,
      cell: row => <span className="nowrap">{phone(row.from)}</span>,
      phone: 'title',
    },
    {
      id: 'number',
      header: t.unrouted.number,
      cell: row => <span className="nowrap">{phone(row.number)}</span>,
      phone: 'state',
    },
    { id: 'text', header: t.unrouted.text, cell: row => row.text, phone: 'line' },
  ];
}
