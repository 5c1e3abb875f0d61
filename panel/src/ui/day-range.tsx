// Two days, typed in the form of the language or chosen in a calendar. Loaded when a filter by date is opened.
import '@mantine/dates/styles.css';
import 'dayjs/locale/tr';
import { Group, TextInput } from '@mantine/core';
import { DatePicker, DatesProvider } from '@mantine/dates';
import { useEffect, useState } from 'react';
import { languageCode, t } from '../text/language.ts';
import { dayAsTyped, readTypedDay } from './typed-date.ts';

type Day = string | undefined;
type Props = { from: Day; to: Day; onChange: (from: Day, to: Day) => void };
const placeholders = { tr: 'GG.AA.YYYY', en: 'DD/MM/YYYY' };

export default function DayRange({ from, to, onChange }: Props) {
  return (
    // Weekends are not marked, as in date-time-field.tsx.
    <DatesProvider settings={{ locale: languageCode(), firstDayOfWeek: 1, weekendDays: [] }}>
      <Group gap="sm" grow w={254}>
        <DayField label={t.common.from} value={from} onChange={day => onChange(day, to)} />
        <DayField label={t.common.to} value={to} onChange={day => onChange(from, day)} />
      </Group>
      <DatePicker
        type="range"
        allowSingleDateInRange
        value={[from ?? null, to ?? null]}
        defaultDate={to ?? from}
        onChange={([first, last]) => onChange(first ?? undefined, last ?? undefined)}
        ariaLabels={{
          previousMonth: t.dates.previousMonth,
          nextMonth: t.dates.nextMonth,
          previousYear: t.dates.previousYear,
          nextYear: t.dates.nextYear,
        }}
      />
    </DatesProvider>
  );
}

function DayField(props: { label: string; value: Day; onChange: (day: Day) => void }) {
  const { label, value, onChange } = props;
  const [text, setText] = useState(() => dayAsTyped(value, languageCode()));
  const [isLeft, setIsLeft] = useState(true);
  useEffect(() => setText(now => (readTypedDay(now) === value ? now : dayAsTyped(value, languageCode()))), [value]);
  // While a day is half typed, the filter stays as it is.
  const type = (typed: string) => {
    setText(typed);
    const day = readTypedDay(typed);
    if (day !== null || typed.trim() === '') onChange(day ?? undefined);
  };
  const isWrong = isLeft && text.trim() !== '' && readTypedDay(text) === null;
  return (
    <TextInput
      label={label}
      placeholder={placeholders[languageCode()]}
      value={text}
      maxLength={10}
      error={isWrong && t.dates.wrong(placeholders[languageCode()])}
      onChange={event => type(event.currentTarget.value)}
      onFocus={() => setIsLeft(false)}
      onBlur={() => setIsLeft(true)}
    />
  );
}
