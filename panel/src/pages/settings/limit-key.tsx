// What one key may do: operations, recipients of a call, messages of a day.
import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { placeFault } from '../../forms/form-faults.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { asNumber } from '../../ui/list-shape.ts';
import { RoleButton } from '../../ui/role-button.tsx';

type Key = OutputOf<'settings.read'>['keys'][number];
type Scope = NonNullable<Key['scopes']>[number];

const scopes = (): Scope[] => Object.keys(t.keys.scopes) as Scope[];

/** In a line; null where the key may do everything. */
export function limitsOf({ scopes, recipientsMax, dailyMax }: Key): string | null {
  if (!scopes && !recipientsMax && !dailyMax) return null;
  const names = scopes?.map(scope => t.keys.scopeNames[scope]).join(', ') ?? '';
  const figure = (limit: number | null) => (limit === null ? null : number(limit));
  return t.keys.limitsOf(names, figure(recipientsMax), figure(dailyMax));
}

const shown = (limit: number | null): string => (limit === null ? '' : String(limit));
const read = (text: string): number | null => (text.trim() === '' ? null : Number(text));

export function LimitKey({ line, name, onClose }: { line: Key; name: string; onClose: () => void }) {
  const [failure, setFailure] = useState<string | null>(null);
  const count = (text: string) => (text.trim() !== '' && asNumber(text.trim()) === undefined ? t.keys.needCount : null);
  const form = useForm({
    initialValues: {
      scopes: line.scopes ?? scopes(),
      recipientsMax: shown(line.recipientsMax),
      dailyMax: shown(line.dailyMax),
    },
    validate: {
      scopes: chosen => (chosen.length === 0 ? t.keys.needScope : null),
      recipientsMax: count,
      dailyMax: count,
    },
  });
  const limit = useChange('settings.limitKey', { ownErrors: true, done: t.keys.limited, onDone: onClose });
  const submit = form.onSubmit(({ scopes: chosen, recipientsMax, dailyMax }) => {
    setFailure(null);
    const all = chosen.length === scopes().length;
    const input = { scopes: all ? null : chosen, recipientsMax: read(recipientsMax), dailyMax: read(dailyMax) };
    limit.mutate({ key: line.key, ...input }, { onError: error => setFailure(placeFault(form, error)) });
  });
  return (
    <FormDialog
      opened
      title={t.keys.limitTitle(name)}
      failure={failure}
      onClose={onClose}
      onSubmit={submit}
      button={
        <RoleButton need="owner" type="submit" loading={limit.isPending}>
          {t.common.save}
        </RoleButton>
      }
    >
      <Text size="sm">{t.keys.limitLead}</Text>
      <Checkbox.Group label={t.keys.mayDo} {...form.getInputProps('scopes')}>
        <Stack gap={6} mt={6}>
          {scopes().map(scope => (
            <Checkbox key={scope} value={scope} label={t.keys.scopes[scope]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <TextInput
        label={`${t.keys.recipientsMax} (${t.common.optional})`}
        description={t.keys.recipientsHint}
        inputMode="numeric"
        {...form.getInputProps('recipientsMax')}
      />
      <TextInput
        label={`${t.keys.dailyMax} (${t.common.optional})`}
        description={t.keys.dailyHint}
        inputMode="numeric"
        {...form.getInputProps('dailyMax')}
      />
    </FormDialog>
  );
}
