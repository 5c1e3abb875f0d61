// Tests a carrier's form before it is saved: the bind alone, or with a message to a number, and shows the carrier's
// answer.
import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { InputOf } from '../../../../src/panel-api/contract/contract.ts';
import { faultOf, sentenceOf } from '../../api.ts';
import { number } from '../../format.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';
import { ErrorText } from './carrier-errors.tsx';

type Form = Omit<InputOf<'staff.testCarrier'>, 'sms'>;

export function CarrierTry({ form, onFaults }: { form: () => Form; onFaults: (error: unknown) => void }) {
  const [sms, setSms] = useState({ sender: '', number: '' });
  const trial = useChange('staff.testCarrier', { ownErrors: true });
  const run = (withSms: boolean) =>
    trial.mutate({ ...form(), ...(withSms ? { sms } : {}) }, { onError: onFaults, onSuccess: () => onFaults(null) });
  const result = trial.data;
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={t.carrierCare.trySender}
          maxLength={11}
          value={sms.sender}
          onChange={event => setSms({ ...sms, sender: event.currentTarget.value })}
        />
        <TextInput
          label={t.carrierCare.tryNumber}
          inputMode="tel"
          value={sms.number}
          onChange={event => setSms({ ...sms, number: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Group gap="sm">
        <Button variant="default" loading={trial.isPending} onClick={() => run(false)}>
          {t.carrierCare.tryBind}
        </Button>
        <Button variant="default" loading={trial.isPending} onClick={() => run(true)}>
          {t.carrierCare.trySms}
        </Button>
      </Group>
      <div aria-live="polite">
        {trial.error && !faultOf(trial.error)?.faults ? <Note kind="bad">{sentenceOf(trial.error)}</Note> : null}
        {result?.outcome === 'bound' && <Note kind="good">{t.carrierCare.bound(number(result.ms))}</Note>}
        {result?.outcome === 'sent' && <Note kind="good">{t.carrierCare.sent(result.messageId ?? '')}</Note>}
        {result?.error && (
          <Note kind="bad" title={t.carrierCare.failed}>
            <ErrorText error={result.error} />
          </Note>
        )}
      </div>
    </Stack>
  );
}
