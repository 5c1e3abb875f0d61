// How long the old secret keeps working, in the confirmation before it is renewed.
import { NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from '../text/language.ts';

type Props = {
  label: string;
  first?: number;
  /** Explains the immediate end, and the overlap. */
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
