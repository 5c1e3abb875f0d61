// Date and time in Turkish format, typed or chosen. The value is Turkish local time as text, independent of the browser's zone.
// Loaded with the first schedule.
import '@mantine/dates/styles.css';
import 'dayjs/locale/tr';
import { ActionIcon, Popover, TextInput } from '@mantine/core';
import { DatesProvider, InlineDateTimePicker } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { toTurkeyTime } from '../format.ts';
import { languageCode, t } from '../text/language.ts';
import { asTyped, readTyped } from './typed-date.ts';

type Props = {
  label: string;
  description?: string;
  value: string | null;
  onChange: (value: string | null) => void;
  /** Days before today that may be chosen. */
  daysBack?: number;
  error?: ReactNode;
};
const dayMs = 86_400_000;
const placeholders = { tr: 'GG.AA.YYYY SS:DD', en: 'DD/MM/YYYY HH:MM' };

// Weekends are not marked: their red falls short of 4.5:1, and sending knows no weekend.
export default function DateTimeField({ label, description, value, onChange, daysBack = 0, error }: Props) {
  const [opened, setOpened] = useState(false);
  const [text, setText] = useState(() => asTyped(value, languageCode()));
  const [isLeft, setIsLeft] = useState(true);
  // A half-typed value is no time; the field is overwritten only by a different value.
  useEffect(() => setText(now => (readTyped(now) === value ? now : asTyped(value, languageCode()))), [value]);
  const type = (typed: string) => {
    setText(typed);
    onChange(readTyped(typed));
  };
  const isWrong = isLeft && text.trim() !== '' && readTyped(text) === null;
  const calendar = (
    <Popover.Target>
      <ActionIcon variant="subtle" color="gray" aria-label={t.dates.open} onClick={() => setOpened(!opened)}>
        <IconCalendar size={16} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Popover.Target>
  );
  return (
    <DatesProvider settings={{ locale: languageCode(), firstDayOfWeek: 1, weekendDays: [] }}>
      {/* Seven days of 36 px and the padding: a calendar as wide as its frame, in a frame as wide as its calendar, grows to
          the greatest width of the browser. */}
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-end"
        width={286}
        withinPortal
        trapFocus
        returnFocus
      >
        <TextInput
          label={label}
          description={description}
          placeholder={placeholders[languageCode()]}
          value={text}
          maxLength={20}
          maw={320}
          error={isWrong ? t.dates.wrong(placeholders[languageCode()]) : error}
          onChange={event => type(event.currentTarget.value)}
          onFocus={() => setIsLeft(false)}
          onBlur={() => setIsLeft(true)}
          rightSection={calendar}
        />
        <Popover.Dropdown aria-label={t.dates.open}>
          <InlineDateTimePicker
            value={value}
            onChange={onChange}
            onSubmit={() => setOpened(false)}
            minDate={toTurkeyTime(new Date(Date.now() - daysBack * dayMs)).slice(0, 10)}
            ariaLabels={{
              previousMonth: t.dates.previousMonth,
              nextMonth: t.dates.nextMonth,
              previousYear: t.dates.previousYear,
              nextYear: t.dates.nextYear,
            }}
            timePickerProps={{ hoursInputLabel: t.dates.hours, minutesInputLabel: t.dates.minutes }}
            submitButtonProps={{ 'aria-label': t.dates.done }}
          />
        </Popover.Dropdown>
      </Popover>
    </DatesProvider>
  );
}
