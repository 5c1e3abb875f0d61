// In the question before a secret is renewed: how long the old one goes on working.
import { NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from '../text/language.ts';

type Props = {
  label: string;
  first?: number;
  /** What happens when the old one stops at once, and when both work for a while. */
  atOnce: string;
  later: string;
  onChange: (hours: number) => void;
};

export function Overlap({ label, first = 0, atOnce, later, onChange }: Props) {
  const [hours, setHours] = useState(first);
  return (
    <Stack gap="sm">
      <NativeSelect
        label={label}
        value={String(hours)}
        data={t.keys.keepChoices.map(([value, choice]) => ({ value: String(value), label: choice }))}
        onChange={event => {
          setHours(Number(event.currentTarget.value));
          onChange(Number(event.currentTarget.value));
        }}
      />
      <Text size="sm">{hours === 0 ? atOnce : later}</Text>
    </Stack>
  );
}
