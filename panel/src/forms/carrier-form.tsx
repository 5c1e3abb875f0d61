// Adding or changing a carrier. Which settings there are comes from the server; values are text on both sides.
import {
  Accordion,
  Button,
  Group,
  Modal,
  NativeSelect,
  PasswordInput,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import type { CarrierLine } from '../../../src/panel-api/contract-staff.ts';
import { faultOf, sentenceOf } from '../api.ts';
import { useChange } from '../queries.ts';
import { inOurs, t } from '../text/language.ts';
import { Note } from '../ui/notes.tsx';
import { carrierChoices, carrierField } from './carrier-words.ts';

type Props = { opened: boolean; onClose: () => void; settings: string[]; carrier: CarrierLine | null };

/** What every carrier's sheet names; the rest has defaults that fit most of them. */
const usual = new Set(['host', 'port', 'system-id', 'binds', 'window', 'rate', 'priority']);

/** What a choice costs takes a few lines to say. */
const wide = { gridColumn: '1 / -1' };

export function CarrierForm({ opened, onClose, settings, carrier }: Props) {
  const [name, setName] = useState(carrier?.name ?? '');
  const [changed, setChanged] = useState<Record<string, string>>({});
  const [password, setPassword] = useState('');
  const [more, setMore] = useState(false);
  const put = useChange('staff.putCarrier', { ownErrors: true, done: t.carriers.saved, onDone: onClose });
  const fault = faultOf(put.error);
  const fieldFault =
    fault?.field && (settings.includes(fault.field) || fault.field === 'name' || fault.field === 'password')
      ? fault
      : null;
  const errorOf = (field: string) => (fieldFault?.field === field ? inOurs(fieldFault) : undefined);
  const fieldOf = (setting: string) => {
    const field = {
      ...carrierField(setting),
      value: changed[setting] ?? carrier?.values[setting] ?? '',
      error: errorOf(setting),
      onChange: (event: { currentTarget: { value: string } }) =>
        setChanged({ ...changed, [setting]: event.currentTarget.value }),
    };
    const choices = carrierChoices(setting);
    if (!choices) return <TextInput key={setting} {...field} />;
    // A new carrier's first value is the one it gets when nothing is chosen.
    return (
      <NativeSelect key={setting} {...field} style={wide} value={field.value || choices[0]?.value} data={choices} />
    );
  };
  // A refused value must not hide in the folded part.
  const refused = fieldFault?.field;
  const isMoreOpen = more || (refused !== undefined && settings.includes(refused) && !usual.has(refused));
  const submit = () => put.mutate({ name: name.trim(), settings: changed, password: password || undefined });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={carrier ? t.carriers.edit : t.carriers.add}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <form
        onSubmit={event => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="sm">
          {put.error && !fieldFault ? <Note kind="bad">{sentenceOf(put.error)}</Note> : null}
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput
              label={t.carriers.name}
              value={name}
              readOnly={carrier !== null}
              error={errorOf('name')}
              onChange={event => setName(event.currentTarget.value)}
              data-autofocus={carrier ? undefined : true}
            />
            {settings.filter(setting => usual.has(setting)).map(fieldOf)}
            <PasswordInput
              label={t.carriers.password}
              description={carrier ? t.carriers.passwordKeep : undefined}
              autoComplete="off"
              value={password}
              error={errorOf('password')}
              onChange={event => setPassword(event.currentTarget.value)}
            />
          </SimpleGrid>
          <Accordion variant="contained" value={isMoreOpen ? 'more' : null} onChange={value => setMore(value !== null)}>
            <Accordion.Item value="more">
              <Accordion.Control>{t.carriers.more}</Accordion.Control>
              <Accordion.Panel>
                <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
                  {settings.filter(setting => !usual.has(setting)).map(fieldOf)}
                </SimpleGrid>
              </Accordion.Panel>
            </Accordion.Item>
          </Accordion>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.common.cancel}
            </Button>
            <Button type="submit" loading={put.isPending}>
              {t.common.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
