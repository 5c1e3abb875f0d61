// Adding or changing a carrier. Which settings there are, their controls, bounds and first values come from the server.
import { Accordion, Button, Group, Modal, PasswordInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CarrierField, CarrierLine } from '../../../../src/panel-api/staff/carriers-contract.ts';
import { faultOf, sentenceOf } from '../../api.ts';
import { useChange } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';
import { CarrierControl } from './carrier-control.tsx';
import { CarrierDescription, useDescription, wordFor } from './carrier-description.tsx';
import { CarrierTry } from './carrier-try.tsx';

type Props = { opened: boolean; onClose: () => void; fields: CarrierField[]; carrier: CarrierLine | null };

/** Fields that every carrier's contract names; the others have usual defaults. */
const usual = new Set([
  'kind',
  'preset',
  'url',
  'user',
  'host',
  'port',
  'system-id',
  'binds',
  'window',
  'rate',
  'priority',
]);

export function CarrierForm({ opened, onClose, fields: all, carrier }: Props) {
  const [name, setName] = useState(carrier?.name ?? '');
  const [changed, setChanged] = useState<Record<string, string>>({});
  const [password, setPassword] = useState('');
  const [more, setMore] = useState(false);
  // Faults of the last test or save.
  const [error, setError] = useState<unknown>(null);
  const put = useChange('staff.putCarrier', { ownErrors: true, done: t.carriers.saved, onDone: onClose });
  const faults = new Map(faultOf(error)?.faults?.map(fault => [fault.field, inOurs(fault)]));
  const kind = carrier?.kind ?? changed['kind'] ?? 'smpp';
  const fields = all.filter(field => (field.of === 'both' || field.of === kind) && !(carrier && field.name === 'kind'));
  const shownValue = (field: CarrierField) => changed[field.name] ?? carrier?.values[field.name] ?? field.initial;
  const description = useDescription(carrier, kind, changed['preset'] ?? carrier?.values['preset'] ?? '');
  const controlOf = (field: CarrierField) => (
    <CarrierControl
      key={field.name}
      field={field}
      value={shownValue(field)}
      error={faults.get(field.name)}
      onChange={value => setChanged({ ...changed, [field.name]: value })}
    />
  );
  // A new carrier is saved with every value shown.
  const form = () => ({
    name: name.trim(),
    settings: carrier ? changed : Object.fromEntries(fields.map(field => [field.name, shownValue(field)])),
    password: password || undefined,
    ...description.members,
  });
  const called = kind === 'http' ? wordFor(description.text, 'password') : '';
  const passwordHelp = [called, carrier ? t.carriers.passwordKeep : ''].filter(Boolean).join(' · ') || undefined;
  const submit = () => put.mutate(form(), { onError: setError });
  const folded = fields.filter(field => !usual.has(field.name));
  // A refused value must not hide in the folded part.
  const isMoreOpen = more || folded.some(field => faults.has(field.name));
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={carrier ? t.carriers.edit : t.carriers.add}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="sm">
          {error && faults.size === 0 ? <Note kind="bad">{sentenceOf(error)}</Note> : null}
          {faults.size > 0 && <Note kind="bad">{t.carrierCare.faults(faults.size)}</Note>}
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput
              label={t.carriers.name}
              value={name}
              required
              readOnly={carrier !== null}
              error={faults.get('name')}
              onChange={event => setName(event.currentTarget.value)}
              data-autofocus={carrier ? undefined : true}
            />
            {fields.filter(field => usual.has(field.name)).map(controlOf)}
            <PasswordInput
              label={t.carriers.password}
              description={passwordHelp}
              autoComplete="off"
              required={carrier === null && (kind === 'smpp' || description.text.includes('{{secret:password}}'))}
              value={password}
              error={faults.get('password')}
              onChange={event => setPassword(event.currentTarget.value)}
            />
          </SimpleGrid>
          {kind === 'http' && (
            <CarrierDescription
              description={description}
              faults={faults}
              onEdit={() => setChanged({ ...changed, preset: '' })}
            />
          )}
          <Accordion variant="contained" value={isMoreOpen ? 'more' : null} onChange={value => setMore(value !== null)}>
            <Accordion.Item value="more">
              <Accordion.Control>{t.carriers.more}</Accordion.Control>
              <Accordion.Panel>
                <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
                  {folded.map(controlOf)}
                </SimpleGrid>
              </Accordion.Panel>
            </Accordion.Item>
          </Accordion>
          <CarrierTry form={form} onFaults={setError} />
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
