// An SMPP user. A new one needs only a name and addresses; an existing one shows all settings, and only changed ones are saved.
import { NativeSelect, NumberInput, Switch, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import type { InputOf, OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { placeFault } from '../../forms/form-faults.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { RoleButton } from '../../ui/role-button.tsx';

type Smpp = OutputOf<'smpp.list'>;
type User = Smpp['users'][number];
type Limits = Smpp['limits'];
type Settings = Required<Omit<InputOf<'smpp.save'>, 'systemId' | 'enabled'>>;
/** Form values: addresses as typed; a cleared number and an empty choice are ''. */
type Values = Omit<Settings, 'addresses' | 'rate' | 'consentList'> & {
  addresses: string;
  rate: number | '';
  consentList: '' | 'BIREYSEL' | 'TACIR';
};
type Props = {
  user?: User;
  limits: Limits | undefined;
  onClose: () => void;
  onAdded?: (added: OutputOf<'smpp.add'>) => void;
};
const lists = ['BIREYSEL', 'TACIR'] as const;

export function SmppForm({ user, limits, onClose, onAdded }: Props) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<Values>({ initialValues: valuesOf(user) });
  const add = useChange('smpp.add', { ownErrors: true, onDone: added => onAdded?.(added) });
  const save = useChange('smpp.save', { ownErrors: true, done: t.common.saved, onDone: onClose });
  const submit = form.onSubmit(values => {
    setFailure(null);
    const onError = (error: unknown) => setFailure(placeFault(form, error));
    if (user) save.mutate({ systemId: user.systemId, ...changedOf(form.getInitialValues(), values) }, { onError });
    else add.mutate({ name: values.name, addresses: addressesIn(values) }, { onError });
  });
  return (
    <FormDialog
      opened
      title={user ? t.smpp.editTitle(user.systemId) : t.smpp.add}
      failure={failure}
      onClose={onClose}
      onSubmit={submit}
      button={
        <RoleButton need="owner" type="submit" loading={add.isPending || save.isPending}>
          {user ? t.common.save : t.smpp.make}
        </RoleButton>
      }
    >
      <TextInput
        label={t.smpp.name}
        description={t.smpp.nameHint}
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Textarea
        label={t.smpp.addresses}
        description={t.smpp.addressesHint}
        className="mono-input"
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('addresses')}
      />
      {user && limits && <MoreSettings form={form} limits={limits} />}
    </FormDialog>
  );
}

function MoreSettings({ form, limits }: { form: UseFormReturnType<Values>; limits: Limits }) {
  const figure = (name: keyof Limits, label: string, description: string) => (
    <NumberInput
      label={label}
      description={description}
      allowDecimal={false}
      allowNegative={false}
      min={limits[name].least}
      max={limits[name].most}
      {...form.getInputProps(name)}
    />
  );
  return (
    <>
      {figure('binds', t.smpp.bindsMax, t.smpp.bindsHint)}
      {figure('rate', t.smpp.rate, t.smpp.rateHint)}
      {figure('window', t.smpp.window, t.smpp.windowHint)}
      {figure('receiptWindow', t.smpp.receiptWindow, t.smpp.receiptWindowHint)}
      <NativeSelect
        label={t.smpp.consentList}
        description={t.smpp.consentListHint}
        data={[{ value: '', label: t.smpp.noList }, ...lists.map(value => ({ value, label: value }))]}
        {...form.getInputProps('consentList')}
      />
      <Switch label={t.smpp.inboundOn} {...form.getInputProps('inbound', { type: 'checkbox' })} />
      <Switch label={t.smpp.duplicatesOn} {...form.getInputProps('duplicates', { type: 'checkbox' })} />
    </>
  );
}

function valuesOf(user: User | undefined): Values {
  const { name = '', addresses = [], binds = 0, window = 0, receiptWindow = 0, rate, consentList } = user ?? {};
  const { duplicates = false, inbound = false } = user ?? {};
  const limits = { binds, window, receiptWindow, rate: rate ?? ('' as const) };
  return { name, addresses: addresses.join('\n'), ...limits, consentList: consentList ?? '', duplicates, inbound };
}

const addressesIn = ({ addresses }: Values): string[] => addresses.split(/[\s,;]+/).filter(one => one !== '');

/** Only the fields changed here, so that another person's concurrent changes stay. */
function changedOf(before: Values, values: Values): Partial<Settings> {
  const given: Settings = {
    ...values,
    addresses: addressesIn(values),
    rate: values.rate === '' ? null : values.rate,
    consentList: values.consentList === '' ? null : values.consentList,
  };
  const changed = (Object.keys(given) as (keyof Settings)[]).filter(name => values[name] !== before[name]);
  return Object.fromEntries(changed.map(name => [name, given[name]]));
}
