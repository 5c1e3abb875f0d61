// Terms of use and privacy notice: the operator writes the next version; those before stay as they were.
import { Button, Group, Skeleton, Stack, Tabs, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { lazy, Suspense, useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import type { LegalKind } from '../../../../src/panel-api/session/legal-contract.ts';
import { dateMinute, number, turkeyMoment } from '../../format.ts';
import { placeFault } from '../../forms/form-faults.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { ask } from '../../ui/confirm.tsx';
import { LegalLinks } from '../../ui/legal-text.tsx';
import { List } from '../../ui/list.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Time } from '../../ui/time.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { useList } from '../../ui/use-list.ts';

type Version = OutputOf<'staff.legal'>['versions'][number];
const kinds: LegalKind[] = ['terms', 'privacy'];
const DateTimeField = lazy(() => import('../../ui/date-time-field.tsx'));

const inTurkey = (time: string): string => new Date(turkeyMoment(time.slice(0, 10), time.slice(11))).toISOString();

export default function StaffTextsPage() {
  const [kind, setKind] = useState<LegalKind>('terms');
  const list = useList('staff.legal', {
    name: 'text-versions',
    label: t.staffTexts.versions,
    rows: data => data.versions.filter(one => one.kind === kind),
    rowKey: row => `${row.kind} ${row.version}`,
    columns: versionColumns,
    empty: null,
  });
  const newest = list.table.rows?.[0];
  return (
    <Page title={t.staffTexts.staffTitle} lead={t.staffTexts.staffLead}>
      <Tabs value={kind} onChange={value => setKind(value as LegalKind)} keepMounted={false}>
        <Tabs.List>
          {kinds.map(one => (
            <Tabs.Tab key={one} value={one}>
              {t.legal.kinds[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={kind} pt="md">
          <Stack gap="md">
            {newest?.isTemplate && <Note kind="warn">{t.legal.template}</Note>}
            {newest && <NextVersion key={`${kind} ${newest.version}`} newest={newest} />}
            <Card title={t.staffTexts.versions}>
              <List of={list} />
            </Card>
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function NextVersion({ newest }: { newest: Version }) {
  const [failure, setFailure] = useState<string | null>(null);
  const filled = (value: string) => (value.trim() === '' ? t.signUp.needName : null);
  const form = useForm({
    initialValues: { tr: newest.tr, en: newest.en, validFrom: null as string | null },
    validate: { tr: filled, en: filled },
  });
  const release = useUnsaved(form.isDirty());
  const publish = useChange('staff.publishLegal', { ownErrors: true, done: t.staffTexts.published, onDone: release });
  const submit = form.onSubmit(async ({ validFrom, ...texts }) => {
    setFailure(null);
    const name = t.legal.kinds[newest.kind];
    const from = validFrom ? dateMinute(inTurkey(validFrom)) : t.staffTexts.atOnce;
    const body = `${t.staffTexts.publishBody} ${t.staffTexts.validFrom}: ${from}.`;
    const question = { title: t.staffTexts.publishTitle(name, newest.version + 1), body };
    if ((await ask({ ...question, action: t.staffTexts.publish })) === null) return;
    const input = {
      kind: newest.kind,
      basedOn: newest.version,
      ...texts,
      ...(validFrom && { validFrom: inTurkey(validFrom) }),
    };
    publish.mutate(input, { onError: error => setFailure(placeFault(form, error)) });
  });
  return (
    <Card title={t.staffTexts.next(newest.version + 1)} hint={t.staffTexts.plain}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {failure && <Note kind="bad">{failure}</Note>}
          <Textarea
            label={t.staffTexts.turkish}
            autosize
            minRows={8}
            maxRows={24}
            required
            {...form.getInputProps('tr')}
          />
          <Textarea
            label={t.staffTexts.english}
            autosize
            minRows={8}
            maxRows={24}
            required
            {...form.getInputProps('en')}
          />
          <Suspense fallback={<Skeleton height={76} />}>
            <DateTimeField
              label={t.staffTexts.validFrom}
              description={t.staffTexts.validHint}
              value={form.values.validFrom}
              onChange={value => form.setFieldValue('validFrom', value)}
              error={form.errors['validFrom']}
            />
          </Suspense>
          <Group>
            <Button type="submit" loading={publish.isPending} disabled={!form.isDirty()}>
              {t.staffTexts.publish}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

function versionColumns(): Column<Version>[] {
  return [
    { id: 'version', header: t.legal.versionHead, cell: row => t.legal.version(row.version), phone: 'title' },
    { id: 'from', header: t.staffTexts.inForce, cell: row => <Time at={row.validFrom} exact />, phone: 'line' },
    { id: 'by', header: t.staffTexts.by, cell: row => row.publishedBy ?? t.staffTexts.byProgram, phone: 'line' },
    {
      id: 'accepted',
      header: t.staffTexts.acceptedBy,
      align: 'right',
      cell: row => number(row.accepted),
      phone: 'line',
      phoneLabel: true,
    },
    { id: 'read', header: '', align: 'right', phone: 'state', cell: row => <LegalLinks texts={[row]} /> },
  ];
}
