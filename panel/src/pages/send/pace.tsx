// Spreads a send over hours, and excludes quiet hours.
import { Group, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import { number } from '../../format.ts';
import { t } from '../../text/language.ts';
import { keepDraft, useDraft } from './draft.ts';

const usualPerHour = 1_000;
const usualQuiet = { from: '21:00', to: '09:00' };

export function Pace() {
  const { perHour, quiet, summary } = useDraft();
  const count = summary?.count ?? 0;
  return (
    <Stack gap="sm">
      <Switch
        label={t.send.inBatches}
        description={t.send.inBatchesHint}
        checked={perHour !== null}
        onChange={event => keepDraft({ perHour: event.currentTarget.checked ? usualPerHour : null })}
      />
      {perHour !== null && (
        <NumberInput
          label={t.send.perHour}
          value={perHour}
          min={1}
          max={50_000}
          clampBehavior="blur"
          thousandSeparator="."
          decimalSeparator=","
          allowDecimal={false}
          maw={220}
          onChange={value => typeof value === 'number' && value >= 1 && keepDraft({ perHour: Math.floor(value) })}
        />
      )}
      {perHour !== null && count > perHour && (
        <Text size="sm">{t.send.batches(number(Math.ceil(count / perHour)))}</Text>
      )}
      <Switch
        label={t.send.quiet}
        description={t.send.quietHint}
        checked={quiet !== null}
        onChange={event => keepDraft({ quiet: event.currentTarget.checked ? usualQuiet : null })}
      />
      {quiet && (
        <Group gap="sm">
          {(['from', 'to'] as const).map(end => (
            <TextInput
              key={end}
              type="time"
              label={end === 'from' ? t.send.quietFrom : t.send.quietTo}
              value={quiet[end]}
              onChange={event =>
                event.currentTarget.value && keepDraft({ quiet: { ...quiet, [end]: event.currentTarget.value } })
              }
            />
          ))}
        </Group>
      )}
    </Stack>
  );
}
